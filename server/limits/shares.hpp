// The shares of one player, address or network in something that everybody uses.
#pragma once

#include <cmath>
#include <cstddef>

namespace tictactoe::server {

/// Shares in a room's chat, in the invitations that a player receives, and in a room's places for
/// watchers. They leave something for others. The share of an address is part of its network's.
inline constexpr double share_of_player = 0.25;
inline constexpr double share_of_address = 0.5;
inline constexpr double share_of_network = 0.75;

/// `share` of `all`, rounded up.
inline std::size_t part_of(std::size_t all, double share) {
  return static_cast<std::size_t>(std::ceil(share * static_cast<double>(all)));
}

}  // namespace tictactoe::server
