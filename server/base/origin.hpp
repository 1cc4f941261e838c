// Where a connection comes from.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace tictactoe::server {

/// Two levels of the address of a peer, as numbers that the host only compares.
struct Origin {
  /// One IPv4 address, or one IPv6 /64 network, which is the least that a provider gives to a
  /// customer.
  std::uint64_t address = 0;
  /// The IPv4 /24 or the IPv6 /48 around it.
  std::uint64_t network = 0;
  friend auto operator<=>(const Origin&, const Origin&) = default;
};

/// An Origin::address as people write it: "203.0.113.7" or "2001:db8::/64".
std::string to_text(std::uint64_t address);
/// The first `prefix` bits of an address, as in AddressRange: "203.0.113.0/24".
std::string to_text(bool is_ipv6, std::uint64_t bits, std::uint32_t prefix);

}  // namespace tictactoe::server
