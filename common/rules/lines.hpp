// The geometry of lines: the four directions, and the run of equal marks through a cell.
#pragma once

#include <algorithm>
#include <array>

#include "common/rules/types.hpp"

namespace tictactoe::rules {

inline constexpr std::array line_kinds{LineKind::row, LineKind::column, LineKind::diagonal,
                                       LineKind::antidiagonal};

/// One step along a line of that kind, from `Line::first` towards `Line::last`.
constexpr Cell step(LineKind kind) {
  switch (kind) {
    case LineKind::row:
      return {0, 1};
    case LineKind::column:
      return {1, 0};
    case LineKind::diagonal:
      return {1, 1};
    case LineKind::antidiagonal:
      break;
  }
  return {1, -1};
}

/// The cell `count` steps away (backwards if negative), which may be off the board.
constexpr Cell advance(Cell cell, Cell step, int count = 1) {
  return {cell.row + count * step.row, cell.col + count * step.col};
}

/// Number of cells of a line, both ends included.
constexpr int length(const Line& line) {
  return 1 + (line.kind == LineKind::row ? line.last.col - line.first.col
                                         : line.last.row - line.first.row);
}

/// Whether a maximal run of this length wins.
constexpr bool wins(const Rules& rules, int run_length) {
  return rules.overline_wins ? run_length >= rules.k : run_length == rules.k;
}

/// The maximal run of the mark on `cell` in that direction, read through `at(Cell) -> Mark`.
/// Requires a mark there. O(length of the run).
template <class At>
Line run_through(const Rules& rules, const At& at, Cell cell, LineKind kind) {
  const Mark mark = at(cell);
  const Cell forward = step(kind);
  const auto end = [&](int direction) {
    Cell reached = cell;
    for (Cell next = advance(reached, forward, direction); rules.contains(next) && at(next) == mark;
         next = advance(next, forward, direction)) {
      reached = next;
    }
    return reached;
  };
  return {kind, end(-1), end(+1)};
}

/// Whether a mark of `side` on an empty cell would win, read through `at(Cell) -> Mark`.
/// O(length of the runs beside it).
template <class At>
bool wins_at(const Rules& rules, const At& at, Cell cell, Mark side) {
  const auto reach = [&](Cell forward, int direction) {
    int run = 0;
    for (Cell next = advance(cell, forward, direction); rules.contains(next) && at(next) == side;
         next = advance(next, forward, direction)) {
      ++run;
    }
    return run;
  };
  return std::ranges::any_of(line_kinds, [&](LineKind kind) {
    return wins(rules, reach(step(kind), -1) + 1 + reach(step(kind), +1));
  });
}

}  // namespace tictactoe::rules
