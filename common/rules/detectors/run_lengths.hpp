// Finds a win in any m,n,k-game from the lengths of the runs beside the cell just played.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "common/rules/detectors/detector.hpp"
#include "common/rules/lines.hpp"
#include "common/rules/tiled_grid.hpp"

namespace tictactoe::rules {

/// O(1) a move for any k, memory proportional to what was played.
///
/// Each maximal run of equal marks keeps its length at both of its end cells, for each of the four
/// directions; what the cells between them keep is left over and never read as a run. Lengths of O
/// are negative, so that a neighbour's number says whose run it is. A mark put down joins the run
/// that ends before it (length a) with the one that begins after it (length b) to one of a + b + 1,
/// which is written to both of its ends and to the cell itself; nothing in between is touched.
/// A mark taken back therefore finds the joined length t in its own cell. A neighbour that was an
/// end on both sides (a = 1) holds t by now; any other still holds its old length, less than t.
class RunLengths {
 public:
  explicit RunLengths(const Rules& rules) : rules_(rules), runs_(rules.rows, rules.cols) {}

  static bool supports(const Rules&) { return true; }

  bool place(Cell cell, Mark mark) {
    const int sign = mark == Mark::x ? 1 : -1;
    bool won = false;
    for (const LineKind kind : line_kinds) {
      const Cell forward = step(kind);
      const int before = std::max(0, sign * run_at(advance(cell, forward, -1), kind));
      const int after = std::max(0, sign * run_at(advance(cell, forward), kind));
      const int joined = before + after + 1;
      set_run(cell, kind, sign * joined);
      if (before > 0) set_run(advance(cell, forward, -before), kind, sign * joined);
      if (after > 0) set_run(advance(cell, forward, after), kind, sign * joined);
      won |= wins(rules_, joined);
    }
    return won;
  }

  void take_back(Cell cell, Mark mark) {
    const int sign = mark == Mark::x ? 1 : -1;
    for (const LineKind kind : line_kinds) {
      const int joined = sign * run_at(cell, kind);
      set_run(cell, kind, 0);
      split_off(cell, kind, -1, sign, joined);
      split_off(cell, kind, +1, sign, joined);
    }
  }

  /// Bytes held on the heap.
  std::size_t memory() const { return runs_.memory(); }

 private:
  /// Lengths in the order of `line_kinds`.
  using Runs = std::array<std::int16_t, line_kinds.size()>;

  int run_at(Cell cell, LineKind kind) const {
    return runs_.read(cell.row, cell.col)[static_cast<std::size_t>(kind)];
  }
  void set_run(Cell cell, LineKind kind, int length) {
    runs_.write(cell.row, cell.col)[static_cast<std::size_t>(kind)] =
        static_cast<std::int16_t>(length);
  }

  /// Gives the run on one side of the cell its own length back.
  void split_off(Cell cell, LineKind kind, int direction, int sign, int joined) {
    const Cell forward = step(kind);
    const Cell near = advance(cell, forward, direction);
    const int held = sign * run_at(near, kind);
    if (held <= 0) return;
    const int old = held == joined ? 1 : held;
    set_run(near, kind, sign * old);
    set_run(advance(cell, forward, direction * old), kind, sign * old);
  }

  Rules rules_;
  TiledGrid<Runs> runs_;
};

static_assert(Detector<RunLengths>);

}  // namespace tictactoe::rules
