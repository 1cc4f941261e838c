// A board without a history: typed in, received, or copied from a game.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/rules/types.hpp"

namespace tictactoe::rules {

/// One byte for each cell, in reading order. Holds any pattern of marks, even one that no game
/// reaches.
class Board {
 public:
  /// An empty board. Requires valid rules.
  explicit Board(const Rules& rules)
      : rules_(rules), marks_(static_cast<std::size_t>(rules.cells()), Mark::none) {}

  const Rules& rules() const { return rules_; }
  Mark at(Cell cell) const { return marks_[index(cell)]; }
  void set(Cell cell, Mark mark) { marks_[index(cell)] = mark; }
  /// O(cells).
  int count(Mark mark) const { return static_cast<int>(std::ranges::count(marks_, mark)); }
  /// The number of a cell in reading order.
  std::size_t index(Cell cell) const {
    return static_cast<std::size_t>(cell.row) * static_cast<std::size_t>(rules_.cols) +
           static_cast<std::size_t>(cell.col);
  }
  /// The cell with that number in reading order.
  Cell cell(int number) const { return {number / rules_.cols, number % rules_.cols}; }

  friend bool operator==(const Board&, const Board&) = default;

 private:
  Rules rules_;
  std::vector<Mark> marks_;
};

}  // namespace tictactoe::rules
