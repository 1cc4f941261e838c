// Whether a server can record what changes.
#pragma once

#include <cstdint>

namespace tictactoe::core {

enum class Recording : std::uint8_t {
  good,
  low,      ///< little space is left: games continue, and no new ones begin
  stalled,  ///< nothing can be recorded: requests that would have to be are refused
};

}  // namespace tictactoe::core
