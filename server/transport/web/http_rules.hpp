// What the server demands of HTTP requests, and what it says in every response. No I/O.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tictactoe::transport {

/// Names by which clients may reach this server, beside addresses, `localhost` and `*.local`.
using PublicNames = std::vector<std::string>;

/// The parts of a Host field.
struct HostParts {
  std::string_view name;
  std::string_view port;  ///< with its colon; empty if there is none
};

/// Nothing if the port is not well formed. Says nothing about the name.
std::optional<HostParts> split_host(std::string_view host);

/// Whether the Host field of a request is an IP address, `localhost`, a name under `.local`, or a
/// public name, with or without a port. A page of another site that has its own name resolve to
/// this server ("DNS rebinding") sends that name.
bool is_allowed_host(std::string_view host, const PublicNames& names);

/// HOST:PORT of each server of a lobby.
using LobbyAddresses = std::vector<std::string>;

/// Whether a page with this Origin field may open a WebSocket to that Host: it is from the same
/// host and port or from a server of the lobby, or there is no Origin, as with programs that are no
/// browsers.
bool is_allowed_origin(std::string_view origin, std::string_view host, const LobbyAddresses& lobby);

/// Whether this is a Sec-WebSocket-Key: 16 bytes in base64.
bool is_websocket_key(std::string_view text);

/// Whether an If-None-Match field names that tag, with its quotes, or any (RFC 9110, 13.1.2). Weak
/// tags match, too. O(n) for a field of n bytes.
bool names_tag(std::string_view field, std::string_view tag);

/// The fields that every response has, each with its line end: what the page may do, and that no
/// other site can embed it. The page may open WebSockets to its own server and to those of the
/// lobby. Addresses that are not written with letters, digits, dots and hyphens are left out.
std::string safety_fields(const LobbyAddresses& lobby);

}  // namespace tictactoe::transport
