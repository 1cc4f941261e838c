// Addresses at which browsers of other machines reach this server.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tictactoe::transport {

/// The endpoints at which other machines of the network reach a server that listens at `listening`,
/// the best one first; empty if there are none. If the server listens on every address, they are
/// this machine's `own` addresses, see network::lan_addresses().
std::vector<boost::asio::ip::tcp::endpoint> guest_endpoints(
    const std::vector<boost::asio::ip::tcp::endpoint>& listening,
    const std::vector<std::string>& own);

/// The address of the page at an endpoint, without a path: `https://192.0.2.1:7654`. A non-empty
/// `name` replaces the IP address.
std::string guest_address(const boost::asio::ip::tcp::endpoint& endpoint, std::string_view name,
                          bool is_encrypted);

/// Fits the longest name of a room.
inline constexpr std::size_t max_query_bytes = 1024;

/// The addresses requested by `/join.txt` or `/join.svg`. The query has these parts:
///   room=NAME  the address of this room, whose name is percent-encoded
///   https      the page was loaded over TLS
/// `host` is the request's Host field, already checked. If it names this machine and `guests` is
/// not empty, returns `guests`, as from guest_address(); otherwise returns one address. Empty if
/// the query has other parts or is longer than `max_query_bytes`.
std::vector<std::string> join_addresses(std::string_view query, std::string_view host,
                                        const std::vector<std::string>& guests, bool is_encrypted);

}  // namespace tictactoe::transport
