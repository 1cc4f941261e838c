// How much thought a move would cost a person.
#pragma once

#include <cstdint>

#include "common/rules/types.hpp"

namespace tictactoe::ai {

class Position;

enum class Effort : std::uint8_t {
  none,  ///< a win in one, the block of one, the last free cell
  some,
  much  ///< a line of either side lacks two marks, so there are threats to calculate
};

/// The effort of a move by the side to move, before it is played. With three in a row no move takes
/// much. O(k).
Effort effort_of(const Position& position, rules::Cell cell);

}  // namespace tictactoe::ai
