// What one player, one address or one network may have of something that everybody shares.
#pragma once

#include <cmath>
#include <cstddef>

namespace tictactoe::server {

/// The chat in a room, the invitations that a player gets, and the places of a room's watchers are
/// for everybody. These parts leave something for others. They are not disjoint: an address has its
/// part of that of its network.
inline constexpr double share_of_player = 0.25;
inline constexpr double share_of_address = 0.5;
inline constexpr double share_of_network = 0.75;

/// How many of `all` a share is, rounded up.
inline std::size_t part_of(std::size_t all, double share) {
  return static_cast<std::size_t>(std::ceil(share * static_cast<double>(all)));
}

}  // namespace tictactoe::server
