// Finds a win on a square board by counting each player's marks in each of the 2n + 2 lines.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "common/rules/detectors/detector.hpp"

namespace tictactoe::rules {

/// O(1) for each move at any size, 8n + 8 bytes. A line is won when one player's counter reaches n.
class LineCounters {
 public:
  explicit LineCounters(const Rules& rules)
      : side_(rules.rows), counts_(2 * static_cast<std::size_t>(rules.rows) + 2) {}

  static bool supports(const Rules& rules) { return rules.is_square(); }

  bool place(Cell cell, Mark mark) {
    bool won = false;
    for_each_counter(cell, mark, [&](std::uint16_t& count) { won |= ++count == side_; });
    return won;
  }
  void take_back(Cell cell, Mark mark) {
    for_each_counter(cell, mark, [](std::uint16_t& count) { --count; });
  }

  /// Bytes held on the heap.
  std::size_t memory() const { return counts_.capacity() * sizeof(counts_[0]); }

 private:
  template <class F>
  void for_each_counter(Cell cell, Mark mark, F&& use) {
    const auto player = static_cast<std::size_t>(mark) - 1;
    const auto n = static_cast<std::size_t>(side_);
    use(counts_[static_cast<std::size_t>(cell.row)][player]);
    use(counts_[n + static_cast<std::size_t>(cell.col)][player]);
    if (cell.row == cell.col) use(counts_[2 * n][player]);
    if (cell.row + cell.col == side_ - 1) use(counts_[2 * n + 1][player]);
  }

  int side_;
  /// Rows, columns, the diagonal, the antidiagonal; each with the count of X and of O.
  std::vector<std::array<std::uint16_t, 2>> counts_;
};

static_assert(Detector<LineCounters>);

}  // namespace tictactoe::rules
