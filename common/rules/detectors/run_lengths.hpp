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

/// What a cell knows: the lengths of its runs in the order of `line_kinds`.
using Runs = std::array<std::int16_t, line_kinds.size()>;

/// O(1) a move for any k. The grid decides about memory: see RunLengths and SparseRunLengths.
///
/// Each maximal run of equal marks keeps its length at both of its end cells, for each of the four
/// directions; what the cells between them keep is left over and never read as a run. Lengths of O
/// are negative, so that a neighbour's number says whose run it is. A mark put down joins the run
/// that ends before it (length a) with the one that begins after it (length b) to one of a + b + 1,
/// which is written to both of its ends and to the cell itself; nothing in between is touched.
/// A mark taken back therefore finds the joined length t in its own cell. A neighbour that was an
/// end on both sides (a = 1) holds t by now; any other still holds its old length, less than t.
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

  /// Joins the runs beside the cell with it; whether that wins.
  template <LineKind kind>
  bool join(Cell cell, int sign) {
    constexpr Cell forward = step(kind);
    const int before = std::max(0, sign * run_at<kind>(advance(cell, forward, -1)));
    const int after = std::max(0, sign * run_at<kind>(advance(cell, forward)));
    const int joined = before + after + 1;
    // Where there is no run on a side, its end is the cell itself: writing that again is cheaper
    // than a branch that nobody can predict.
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

  /// Gives the run on one side of the cell its own length back.
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

/// 8 bytes a cell of the board, the faster one.
using RunLengths = BasicRunLengths<DenseGrid<Runs>>;
/// Memory proportional to what was played.
using SparseRunLengths = BasicRunLengths<TiledGrid<Runs>>;

static_assert(Detector<RunLengths>);
static_assert(Detector<SparseRunLengths>);

}  // namespace tictactoe::rules
