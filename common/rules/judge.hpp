// Judges a board of unknown origin.
#pragma once

#include <cstdint>
#include <vector>

#include "common/rules/board.hpp"

namespace tictactoe::rules {

/// Why no game reaches a board.
enum class Fault : std::uint8_t {
  none,
  wrong_counts,    ///< the sides did not alternate, beginning with the starter
  both_won,        ///< there are winning lines of both sides
  won_twice,       ///< one side's winning lines have no last move in common
  winner_not_last  ///< the side that won did not make the last move
};

struct Verdict {
  Fault fault = Fault::none;
  /// Only for a possible board.
  Status status = Status::ongoing;
  Mark winner = Mark::none;
  /// Every winning line as a whole run, in the order of the first cells; empty unless won.
  std::vector<Line> lines;
  friend bool operator==(const Verdict&, const Verdict&) = default;
};

/// Judges a board of a game that `starter` began. Stops as soon as the result is known: compares
/// counts first, searches for lines only if a side has k marks, and stops at the first winning line
/// of a second side. O(cells). If overlines do not win, a board counts as possible if its last move
/// is possible: the function does not check whether some order of the earlier moves avoids k in a
/// row.
Verdict judge(const Board& board, Mark starter = Mark::x);

/// Whether any winning line is on the board, possible or not. O(cells).
bool has_winning_line(const Board& board);

}  // namespace tictactoe::rules
