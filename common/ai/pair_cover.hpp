// A defence by pairs, and one set of cells, for any position of a small board.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "common/rules/types.hpp"

namespace tictactoe::ai {

/// Cells of a board of up to 64, row by row: bit row * cols + col.
using CellSet = std::uint64_t;

/// Looks for disjoint pairs of empty cells such that every window of k cells that a side could
/// still fill contains a pair. A player who answers each mark of that side on one cell of a pair
/// with the other cell then never lets it complete a line, even if that side moves first (Hales and
/// Jewett 1963; used as a bound in a search by Hsu, Ko, Hsueh and Wu 2020, "Solving 7,7,5-game and
/// 8,8,5-game"). Windows of one row, column or diagonal share a pair as far as they overlap; the
/// pairs are then given out by bipartite matching.
///
/// Windows without a pair are served by one set of the cells left over, in which fewer than two
/// cells a window can do (set matching: Uiterwijk 2018, arXiv 1703.10678). If the sum over these
/// windows of 2^-c, with c cells of the set in the window, is below a half, the defender who
/// answers in the set breaks them all (Erdos and Selfridge 1973).
class PairCover {
 public:
  static constexpr int max_cells = 64;

  /// Requires a board of up to max_cells.
  explicit PairCover(const rules::Rules& rules);

  /// Whether such pairs and such a set are found. Never true if there are none, but may be false if
  /// there are. Takes a few microseconds.
  bool stops(CellSet attacker, CellSet defender) const;

 private:
  /// The windows of one row, column or diagonal, in order.
  std::vector<std::vector<CellSet>> lines_;
};

}  // namespace tictactoe::ai
