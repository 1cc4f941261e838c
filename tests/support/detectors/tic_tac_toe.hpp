// The exercise "design tic-tac-toe" (LeetCode 348): one signed counter for each line, no board.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "common/rules/detectors/detector.hpp"

namespace tictactoe::rules {

/// O(1) for each move, 4n + 4 bytes. A mark of player 1 counts +1 in its lines, one of player 2 -1,
/// so a sum of n or -n is exactly a won line. The sum cannot distinguish a dead line from an empty
/// one, so the game and the suggester use LineCounters, which are twice the size.
class TicTacToe {
 public:
  /// Requires n >= 1.
  explicit TicTacToe(int n) : side_(n), sums_(2 * static_cast<std::size_t>(n) + 2) {}
  explicit TicTacToe(const Rules& rules) : TicTacToe(rules.rows) {}

  /// Player 1 or 2 takes an empty cell (not checked: there is no board). Returns the player if that
  /// wins, 0 otherwise.
  int move(int row, int col, int player) {
    return add(row, col, player == 1 ? 1 : -1) ? player : 0;
  }

  static bool supports(const Rules& rules) { return rules.is_square(); }
  bool place(Cell cell, Mark mark) { return move(cell.row, cell.col, player(mark)) != 0; }
  void take_back(Cell cell, Mark mark) { add(cell.row, cell.col, mark == Mark::x ? -1 : 1); }

 private:
  static int player(Mark mark) { return static_cast<int>(mark); }

  /// Returns whether the line is then full of one player's marks.
  bool add(int row, int col, int change) {
    const auto n = static_cast<std::size_t>(side_);
    const auto full = [&](std::size_t line) {
      sums_[line] = static_cast<std::int16_t>(sums_[line] + change);
      return std::abs(sums_[line]) == side_;
    };
    bool won = full(static_cast<std::size_t>(row));
    won |= full(n + static_cast<std::size_t>(col));
    if (row == col) won |= full(2 * n);
    if (row + col == side_ - 1) won |= full(2 * n + 1);
    return won;
  }

  int side_;
  std::vector<std::int16_t> sums_;
};

static_assert(Detector<TicTacToe>);

}  // namespace tictactoe::rules
