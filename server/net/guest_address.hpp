// Where browsers of other machines reach this server.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tictactoe::net {

/// The host by which others of this machine's network reach a server that listens there, as in an
/// address: `192.0.2.1` or `[2001:db8::1]`. Empty if nobody else reaches it. If it listens on every
/// address, that is the one by which this machine reaches other networks; if there is none, its
/// first IPv4 address.
std::string guest_host(const std::vector<boost::asio::ip::tcp::endpoint>& listening);

/// With the longest name of a room.
inline constexpr std::size_t longest_query = 1024;

/// The address that a request for `/join.txt` or `/join.svg` asks for. The query has these parts:
///   room=NAME  the address of that room, whose name is percent-encoded
///   https      the page was loaded over TLS
/// `host` is the request's Host field, which has been checked. If it names this machine itself,
/// `guests` is put in its place, unless that is empty. Nothing if the query is no such, or longer
/// than `longest_query`.
std::optional<std::string> join_address(std::string_view query, std::string_view host,
                                        std::string_view guests, bool is_encrypted);

}  // namespace tictactoe::net
