// Addresses at which browsers of other machines reach this server.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <optional>
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

/// By which addresses others come, as from guest_address().
struct Invitations {
  std::vector<std::string> here;     ///< on the networks of this machine, the best one first
  std::vector<std::string> outside;  ///< from other networks
  std::string key;  ///< the server's, as in "SHA256:..."; links name it, so that guests check it
  bool outside_has_key = true;  ///< guests from outside reach this server, not a proxy with its own
};

/// The link at an address: `https://192.0.2.1:7654/#/join/den?key=SHA256:...`, without a room
/// `https://192.0.2.1:7654/#/?key=SHA256:...`. `room` is percent-encoded. A link without
/// encryption has no key.
std::string guest_link(std::string_view address, std::string_view room, std::string_view key);

/// The link without its key, for a QR code: a phone's browser ignores the key, and a shorter code
/// is easier to scan.
std::string without_key(std::string_view link);

/// Fits the longest name of a room.
inline constexpr std::size_t max_query_bytes = 1024;

/// The links requested by `/join.txt` or `/join.svg`. The query has these parts:
///   room=NAME  into this room, whose name is percent-encoded
///   https      the page was loaded over TLS
///   outside    for guests on other networks
/// `host` is the request's Host field, already checked. Returns the links for other networks, of
/// which there may be none; or, if the host names this machine, those for its networks; or one to
/// that host, which has a key only if the connection has this server's. Nothing if the query has
/// other parts or is longer than `max_query_bytes`.
std::optional<std::vector<std::string>> join_links(std::string_view query, std::string_view host,
                                                   const Invitations& invitations,
                                                   bool is_encrypted);

}  // namespace tictactoe::transport
