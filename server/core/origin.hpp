// Where a connection comes from.
#pragma once

#include <compare>
#include <cstdint>

namespace tictactoe::core {

/// Two levels of the address of a peer, as numbers that the host only compares.
struct Origin {
  /// One IPv4 address, or one IPv6 /64 network, which is the least that a provider gives to a
  /// customer.
  std::uint64_t address = 0;
  /// The IPv4 /24 or the IPv6 /48 around it.
  std::uint64_t network = 0;
  friend auto operator<=>(const Origin&, const Origin&) = default;
};

}  // namespace tictactoe::core
