// The judge: what a board is, however it came about.
#pragma once

#include <cstdint>
#include <vector>

#include "common/rules/board.hpp"

namespace tictactoe::rules {

/// Why no game reaches a board.
enum class Fault : std::uint8_t {
  none,
  wrong_counts,    ///< the sides do not alternate from the starter on
  both_won,        ///< there are winning lines of both sides
  won_twice,       ///< one side's winning lines have no last move in common
  winner_not_last  ///< the side that won did not make the last move
};

struct Verdict {
  Fault fault = Fault::none;
  /// Of a possible board only.
  Status status = Status::ongoing;
  Mark winner = Mark::none;
  /// Every winning line as its whole run, by rows of their first cells; empty unless won.
  std::vector<Line> lines;
  friend bool operator==(const Verdict&, const Verdict&) = default;
};

/// Judges a board, of a game that `starter` began. Stops as soon as the answer is settled: counts
/// are compared before lines are looked at, lines are not looked at where no side has k marks, and
/// the first winning line of a second side ends the search. O(cells).
/// Where overlines do not count, a board is taken as possible if its last move is: whether an order
/// of the moves before it kept clear of k in a row is not examined.
Verdict judge(const Board& board, Mark starter = Mark::x);

/// Whether any winning line is on the board, possible or not. O(cells).
bool has_winning_line(const Board& board);

}  // namespace tictactoe::rules
