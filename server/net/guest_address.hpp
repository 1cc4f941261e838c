// Where browsers of other machines reach this server.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tictactoe::net {

/// The endpoint by which others of this machine's network reach a server that listens there.
/// Nothing if nobody else reaches it. If the server listens on every address, that is the one by
/// which this machine reaches other networks; if there is none, its first IPv4 address.
std::optional<boost::asio::ip::tcp::endpoint> guest_endpoint(
    const std::vector<boost::asio::ip::tcp::endpoint>& listening);

/// The address of the page there, without a path: `https://192.0.2.1:7654`. `name` is put in the
/// place of the IP address, unless it is empty.
std::string guest_address(const boost::asio::ip::tcp::endpoint& endpoint, std::string_view name,
                          bool is_encrypted);

/// With the longest name of a room.
inline constexpr std::size_t longest_query = 1024;

/// The address that a request for `/join.txt` or `/join.svg` asks for. The query has these parts:
///   room=NAME  the address of that room, whose name is percent-encoded
///   https      the page was loaded over TLS
/// `host` is the request's Host field, which has been checked. If it names this machine itself,
/// the address is `guests`, as guest_address() returns it, unless that is empty. Nothing if the
/// query has other parts, or is longer than `longest_query`.
std::optional<std::string> join_address(std::string_view query, std::string_view host,
                                        std::string_view guests, bool is_encrypted);

}  // namespace tictactoe::net
