// Wins of small boards by a fork, also after moves that force each reply.
#pragma once

#include <array>
#include <vector>

#include "common/ai/pair_cover.hpp"
#include "common/rules/types.hpp"

namespace tictactoe::ai {

/// A fork is a cell where a mark leaves two windows of the attacker with one empty cell each.
/// Before it, the attacker may play a chain of moves that leave one such window, each through the
/// mark of the one before, with one reply each.
class ForkSearch {
 public:
  /// Requires a board of up to PairCover::max_cells on which longer lines win or can't be.
  explicit ForkSearch(const rules::Rules& rules);

  struct Found {
    bool wins = false;
    /// If so, the attacker still wins after any mark of the defender that is neither here nor on
    /// a cell of the `threats` that find() returns for the defender.
    CellSet needed = ~CellSet{0};
    /// The empty cells of the attacker's windows that lack two marks.
    CellSet threats = 0;
  };
  /// Whether the attacker, who is to move, has such a win. Requires that neither side wins in one.
  /// Looks at chains of up to four moves before the fork. Takes about a microsecond.
  Found find(CellSet attacker, CellSet defender) const;

 private:
  class Chain;

  std::vector<CellSet> windows_;
  std::array<std::vector<CellSet>, PairCover::max_cells> through_;  ///< by cell
};

}  // namespace tictactoe::ai
