// Finds a win in any m,n,k-game from the lengths of the runs beside the cell just played.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "common/rules/dense_grid.hpp"
#include "common/rules/detectors/detector.hpp"
#include "common/rules/lines.hpp"
#include "common/rules/tiled_grid.hpp"

namespace tictactoe::rules {

/// The lengths of the runs of a cell, in the order of `line_kinds`.
using Runs = std::array<std::int16_t, line_kinds.size()>;

/// O(1) for each move and any k. The grid determines the memory: see RunLengths and
/// SparseRunLengths.
///
/// Each maximal run of equal marks keeps its length at both of its end cells, for each of the four
/// directions; the values of the cells between them are outdated and never read. Lengths of O are
/// negative, so that a neighbour's sign tells the side. A new mark joins the run that ends before
/// it (length a) and the run that begins after it (length b) to one of length a + b + 1, which is
/// written to both ends and to the cell itself; no other cell changes. When a mark is taken back,
/// its own cell therefore has the joined length t. A neighbour that was both ends of its run (a =
/// 1) has t too; any other still has its old length, which is less than t.
template <class Grid>
class BasicRunLengths {
 public:
  explicit BasicRunLengths(const Rules& rules) : rules_(rules), runs_(rules.rows, rules.cols) {}

  static bool supports(const Rules&) { return true; }

  bool place(Cell cell, Mark mark) {
    const int sign = mark == Mark::x ? 1 : -1;
    const bool row = join<LineKind::row>(cell, sign);
    const bool column = join<LineKind::column>(cell, sign);
    const bool diagonal = join<LineKind::diagonal>(cell, sign);
    const bool antidiagonal = join<LineKind::antidiagonal>(cell, sign);
    return row || column || diagonal || antidiagonal;
  }

  void take_back(Cell cell, Mark mark) {
    const int sign = mark == Mark::x ? 1 : -1;
    split<LineKind::row>(cell, sign);
    split<LineKind::column>(cell, sign);
    split<LineKind::diagonal>(cell, sign);
    split<LineKind::antidiagonal>(cell, sign);
  }

  /// Bytes held on the heap.
  std::size_t memory() const { return runs_.memory(); }

 private:
  template <LineKind kind>
  int run_at(Cell cell) const {
    return runs_.read(cell.row, cell.col)[static_cast<std::size_t>(kind)];
  }
  template <LineKind kind>
  void set_run(Cell cell, int length) {
    runs_.write(cell.row, cell.col)[static_cast<std::size_t>(kind)] =
        static_cast<std::int16_t>(length);
  }

  /// Joins the runs beside the cell with it. Returns whether that wins.
  template <LineKind kind>
  bool join(Cell cell, int sign) {
    constexpr Cell forward = step(kind);
    const int before = std::max(0, sign * run_at<kind>(advance(cell, forward, -1)));
    const int after = std::max(0, sign * run_at<kind>(advance(cell, forward)));
    const int joined = before + after + 1;
    // If there is no run on a side, its end is the cell itself: writing that again is cheaper than
    // an unpredictable branch.
    set_run<kind>(cell, sign * joined);
    set_run<kind>(advance(cell, forward, -before), sign * joined);
    set_run<kind>(advance(cell, forward, after), sign * joined);
    return wins(rules_, joined);
  }

  template <LineKind kind>
  void split(Cell cell, int sign) {
    const int joined = sign * run_at<kind>(cell);
    set_run<kind>(cell, 0);
    split_off<kind>(cell, -1, sign, joined);
    split_off<kind>(cell, +1, sign, joined);
  }

  /// Restores the length of the run on one side of the cell.
  template <LineKind kind>
  void split_off(Cell cell, int direction, int sign, int joined) {
    constexpr Cell forward = step(kind);
    const Cell near = advance(cell, forward, direction);
    const int held = sign * run_at<kind>(near);
    if (held <= 0) return;
    const int old = held == joined ? 1 : held;
    set_run<kind>(near, sign * old);
    set_run<kind>(advance(cell, forward, direction * old), sign * old);
  }

  Rules rules_;
  Grid runs_;
};

/// 8 bytes for each cell of the board; faster than SparseRunLengths.
using RunLengths = BasicRunLengths<DenseGrid<Runs>>;
/// Memory proportional to the number of moves.
using SparseRunLengths = BasicRunLengths<TiledGrid<Runs>>;

static_assert(Detector<RunLengths>);
static_assert(Detector<SparseRunLengths>);

}  // namespace tictactoe::rules
