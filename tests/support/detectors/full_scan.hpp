// Finds a win by scanning the whole board after every move: the slow, obviously right reference for
// the others.
#pragma once

#include <vector>

#include "common/rules/detectors/detector.hpp"
#include "common/rules/lines.hpp"

namespace tictactoe::rules {

/// O(rows * cols) for each move, one byte for each cell.
class FullScan {
 public:
  explicit FullScan(const Rules& rules)
      : rules_(rules), marks_(static_cast<std::size_t>(rules.cells()), Mark::none) {}

  static bool supports(const Rules&) { return true; }

  bool place(Cell cell, Mark mark) {
    marks_[index(cell)] = mark;
    return has_win(mark);
  }
  void take_back(Cell cell, Mark) { marks_[index(cell)] = Mark::none; }

 private:
  std::size_t index(Cell cell) const {
    return static_cast<std::size_t>(cell.row) * static_cast<std::size_t>(rules_.cols) +
           static_cast<std::size_t>(cell.col);
  }
  bool holds(Cell cell, Mark mark) const {
    return rules_.contains(cell) && marks_[index(cell)] == mark;
  }

  bool has_win(Mark mark) const {
    for (int row = 0; row < rules_.rows; ++row) {
      for (int col = 0; col < rules_.cols; ++col) {
        if (marks_[index({row, col})] == mark && starts_win({row, col}, mark)) return true;
      }
    }
    return false;
  }

  bool starts_win(Cell cell, Mark mark) const {
    for (const LineKind kind : line_kinds) {
      const Cell forward = step(kind);
      if (holds(advance(cell, forward, -1), mark)) continue;
      int run = 1;
      while (holds(advance(cell, forward, run), mark)) ++run;
      if (wins(rules_, run)) return true;
    }
    return false;
  }

  Rules rules_;
  std::vector<Mark> marks_;
};

static_assert(Detector<FullScan>);

}  // namespace tictactoe::rules
