#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tictactoe::core {

/// What Host::restore did not take, and why. Their numbers are not used again.
struct RestoreReport {
  enum class Kind : std::uint8_t { player, room };
  struct Refused {
    Kind kind = Kind::player;
    std::uint64_t id = 0;  ///< the player's id, or the room's serial
    std::string why;       ///< a sentence for the server's owner
  };
  std::vector<Refused> refused;
};

}  // namespace tictactoe::core
