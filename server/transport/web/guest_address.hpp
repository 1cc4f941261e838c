// Where browsers of other machines reach this server.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tictactoe::transport {

/// The endpoints by which other machines of the network reach a server that listens there, the best
/// one first. Empty if none do. If the server listens on every address, they are this machine's
/// `own` addresses, see network::lan_addresses().
std::vector<boost::asio::ip::tcp::endpoint> guest_endpoints(
    const std::vector<boost::asio::ip::tcp::endpoint>& listening,
    const std::vector<std::string>& own);

/// The address of the page there, without a path: `https://192.0.2.1:7654`. `name` is put in the
/// place of the IP address, unless it is empty.
std::string guest_address(const boost::asio::ip::tcp::endpoint& endpoint, std::string_view name,
                          bool is_encrypted);

/// With the longest name of a room.
inline constexpr std::size_t longest_query = 1024;

/// The addresses that a request for `/join.txt` or `/join.svg` asks for. The query has these parts:
///   room=NAME  the address of that room, whose name is percent-encoded
///   https      the page was loaded over TLS
/// `host` is the request's Host field, which has been checked. If it names this machine itself,
/// they are `guests`, as guest_address() returns them, unless that is empty; otherwise there is
/// one. Empty if the query has other parts, or is longer than `longest_query`.
std::vector<std::string> join_addresses(std::string_view query, std::string_view host,
                                        const std::vector<std::string>& guests, bool is_encrypted);

}  // namespace tictactoe::transport
