// Finds a win by walking the four lines through the cell just played.
#pragma once

#include <algorithm>
#include <vector>

#include "common/rules/detectors/detector.hpp"
#include "common/rules/lines.hpp"

namespace tictactoe::rules {

/// O(k) for each move in a game that ends when it is won (O(n) on a square board), one byte for
/// each cell. Needs no state beside the board.
class LastCellScan {
 public:
  explicit LastCellScan(const Rules& rules)
      : rules_(rules), marks_(static_cast<std::size_t>(rules.cells()), Mark::none) {}

  static bool supports(const Rules&) { return true; }

  bool place(Cell cell, Mark mark) {
    marks_[index(cell)] = mark;
    const auto at = [this](Cell other) { return marks_[index(other)]; };
    return std::ranges::any_of(line_kinds, [&](LineKind kind) {
      return wins(rules_, length(run_through(rules_, at, cell, kind)));
    });
  }
  void take_back(Cell cell, Mark) { marks_[index(cell)] = Mark::none; }

 private:
  std::size_t index(Cell cell) const {
    return static_cast<std::size_t>(cell.row) * static_cast<std::size_t>(rules_.cols) +
           static_cast<std::size_t>(cell.col);
  }

  Rules rules_;
  std::vector<Mark> marks_;
};

static_assert(Detector<LastCellScan>);

}  // namespace tictactoe::rules
