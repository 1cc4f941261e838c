// Where a connection comes from.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace tictactoe::server {

/// The address of a peer at two levels, as numbers that the host only compares.
struct Origin {
  /// An IPv4 address, or an IPv6 /64 network, the smallest that providers give to a customer.
  std::uint64_t address = 0;
  /// The IPv4 /24 or the IPv6 /48 around it.
  std::uint64_t network = 0;
  friend auto operator<=>(const Origin&, const Origin&) = default;
};

/// An Origin::address in the usual notation: "203.0.113.7" or "2001:db8::/64".
std::string to_text(std::uint64_t address);
/// The first `prefix` bits of an address, as in AddressRange: "203.0.113.0/24".
std::string to_text(bool is_ipv6, std::uint64_t bits, std::uint32_t prefix);

}  // namespace tictactoe::server
