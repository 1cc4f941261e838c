// What the server requires of HTTP requests, and what it adds to every response. No I/O.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tictactoe::transport {

/// Names by which clients may reach this server, besides addresses, `localhost` and `*.local`.
using PublicNames = std::vector<std::string>;

/// The parts of a Host field.
struct HostParts {
  std::string_view name;
  std::string_view port;  ///< with its colon; empty if absent
};

/// Splits a Host field. Nothing if it has a port that is not a decimal number from 1 to 65535
/// without leading zeros. Does not check the name.
std::optional<HostParts> split_host(std::string_view host);

/// Whether a Host field is an IP address, `localhost`, a name under `.local`, or a public name,
/// with or without a port. Guards against DNS rebinding: a page of another site whose name resolves
/// to this server sends that name.
bool is_allowed_host(std::string_view host, const PublicNames& names);

/// HOST:PORT of each server of a lobby.
using LobbyAddresses = std::vector<std::string>;

/// Whether a page with this Origin may open a WebSocket to this Host: it comes from the same host
/// and port or from a server of the lobby, or there is no Origin, as with other programs.
bool is_allowed_origin(std::string_view origin, std::string_view host, const LobbyAddresses& lobby);

/// Whether this is a Sec-WebSocket-Key: 16 bytes in base64.
bool is_websocket_key(std::string_view text);

/// Whether an If-None-Match field contains this tag, with its quotes, or `*` (RFC 9110, 13.1.2).
/// Weak tags match as well. O(n) for a field of n bytes.
bool names_tag(std::string_view field, std::string_view tag);

/// The security fields of every response, each with its line end. They say what the page may do,
/// and that no other site may embed it. The page may open WebSockets to its own server and to the
/// servers of the lobby. Leaves out addresses with characters other than letters, digits, dots and
/// hyphens.
std::string safety_fields(const LobbyAddresses& lobby);

}  // namespace tictactoe::transport
