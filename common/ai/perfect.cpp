#include "common/ai/perfect.hpp"

#include <algorithm>
#include <cstdint>

#include "common/ai/guard.hpp"
#include "common/ai/zetters.hpp"

namespace tictactoe::ai {

using rules::Cell;
using rules::Rules;

namespace {

/// The windows of k cells through `cell` in the direction of `step`.
int windows_through(const Rules& rules, Cell cell, Cell step) {
  const auto room = [&](int sign) {
    int cells = 0;
    for (Cell at = cell; cells < rules.k - 1; ++cells) {
      at = {at.row + sign * step.row, at.col + sign * step.col};
      if (!rules.contains(at)) break;
    }
    return cells;
  };
  return std::max(0, room(1) + room(-1) + 1 - (rules.k - 1));
}

/// Whether the opponent's potential is below one on an empty board, and after any one mark of the
/// opponent: then the move with the largest weight keeps it so (Erdos and Selfridge 1973).
bool weights_suffice(const Rules& rules) {
  std::uint64_t windows_by_cell = 0;  // each window is counted at each of its k cells
  int most = 0;
  for (int row = 0; row < rules.rows; ++row) {
    for (int col = 0; col < rules.cols; ++col) {
      int windows = 0;
      for (const Cell step : {Cell{0, 1}, Cell{1, 0}, Cell{1, 1}, Cell{1, -1}}) {
        windows += windows_through(rules, {row, col}, step);
      }
      windows_by_cell += static_cast<std::uint64_t>(windows);
      most = std::max(most, windows);
    }
  }
  // A window has the weight 2^-k, and twice that with one mark.
  const std::uint64_t windows = windows_by_cell / static_cast<std::uint64_t>(rules.k);
  return windows + static_cast<std::uint64_t>(most) < std::uint64_t{1} << rules.k;
}

}  // namespace

std::optional<std::string> why_not_perfect(const Rules& rules) {
  if (rules.is_square() || rules.k >= min_tiled_line) return std::nullopt;
  if (rules.cells() <= max_weighed_cells && weights_suffice(rules)) return std::nullopt;
  return "No proof is known that this AI never loses " + std::to_string(rules.k) +
         " in a row on a board of " + std::to_string(rules.rows) + " x " +
         std::to_string(rules.cols) + ".";
}

}  // namespace tictactoe::ai
