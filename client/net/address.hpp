// The address of a server, as a person writes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tictactoe::client {

inline constexpr std::uint16_t default_port = 7654;
/// Maximum length of a host name in the DNS.
inline constexpr std::size_t max_host_bytes = 253;

/// A host's name or address, not resolved yet.
struct Address {
  std::string host;
  std::uint16_t port = default_port;
  /// As it was written, for messages.
  std::string text;
  /// HOST:PORT, however it was written.
  std::string host_and_port() const { return host + ":" + std::to_string(port); }
};

/// An address, or, if `fault` is not empty, what is wrong with it.
struct AddressRead {
  Address address;
  std::string fault;
};

/// Reads HOST, HOST:PORT, [IPV6], [IPV6]:PORT, or a bare IPv6 address. Refuses what can be neither
/// a host name nor an IPv6 address, without a lookup.
AddressRead parse_address(std::string_view text);

}  // namespace tictactoe::client
