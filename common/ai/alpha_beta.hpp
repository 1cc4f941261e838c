// Iterative-deepening alpha-beta over the patterns of a board.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "common/ai/pattern_board.hpp"
#include "common/ai/threat_space.hpp"

namespace tictactoe::ai {

/// A principal variation search: the first move of a position is searched with the whole window,
/// the others with an empty one, and again if they turn out better (Marsland 1983). Every depth
/// begins with the best move of the one before. Moves are ordered by the table's move, two killer
/// moves of the ply, and then by the worth of the cell for both sides plus the history of cut-offs.
/// Later moves are searched less deeply first, unless they are fours. A position is searched no
/// further if the side to move would reach beta even after a pass (null move; Donninger 1993).
///
/// What is forced is not searched: a win in one and an open four are taken, the block of a win in
/// one is played without cost in depth, and against an open three only the cells that stop it and
/// own fours are tried. Positions in which the side to move wins by a short chain of fours end
/// there. Otherwise only the best `inner_width` cells are tried, so that a score is an estimate,
/// never a proof. Quiet positions are judged by evaluation.hpp.
///
/// Deterministic: the same board, moves and node budget give the same move. Memory: a table of up
/// to 4 MiB for the duration of the search, less if the budget is small.
class AlphaBeta {
 public:
  using Cell = PatternBoard::Cell;
  using Side = PatternBoard::Side;

  /// Plays moves on the board and takes them back.
  AlphaBeta(PatternBoard& board, NodeBudget& budget);

  /// Whether a move loses to something that this search does not see.
  using Loses = std::function<bool(Cell)>;

  /// The best of these moves for `side` that the budget is enough to find; the first without a
  /// budget. Each move that is the best after some depth is checked once, and dropped if it loses
  /// and is not the only one. Requires a move, and that neither side wins in one.
  Cell best(Side side, std::vector<Cell> moves, const Loses& loses);

  /// The cells worth most to both sides together, the best first.
  std::vector<Cell> worthy_cells(Side side, std::size_t max);

 private:
  static constexpr std::size_t inner_width = 16;
  static constexpr int deepest = 40;
  static constexpr int max_plies = 64;
  static constexpr std::int32_t won = 1'000'000;
  static constexpr std::int32_t infinity = won + 1;

  enum class Bound : std::uint8_t { none, lower, upper, exact };
  struct Entry {
    std::uint64_t key = 0;
    std::int32_t score = 0;
    std::int16_t move = -1;
    std::int8_t depth = 0;
    Bound bound = Bound::none;
  };
  struct Window {
    std::int32_t alpha;
    std::int32_t beta;
  };

  /// Searches the moves to one depth, and brings the best to the front. Returns false if a deeper
  /// search is useless: the budget has ended, or the game is decided.
  bool search_root(Side side, std::vector<Cell>& moves, int depth);
  std::int32_t search(Side side, int depth, Window window, int ply, bool may_pass);
  std::int32_t search_moves(Side side, const std::vector<Cell>& moves, int depth, Window window,
                            int ply);
  std::int32_t score_of(Cell cell, Side side, int depth, Window window, int ply);
  /// The score of the move at this place in the order, from 0. Only the first is searched with the
  /// whole window at once.
  std::int32_t score_of_nth(std::size_t number, Cell cell, Side side, int depth, Window window,
                            int ply);
  int reduction(std::size_t number, Cell cell, Side side, int depth) const;
  /// The score of a position that needs no search: the game ends within three plies, or the search
  /// is at its last ply.
  std::optional<std::int32_t> settled(Side side, int ply) const;
  /// The score beyond the last ply of the depth.
  std::int32_t quiet_score(Side side, Window window, int ply);
  /// Whether the side to move reaches beta even if it passes.
  bool stands_a_pass(Side side, int depth, std::int32_t beta, int ply);
  /// A win by a short chain of fours, each on a line with the one before.
  bool wins_by_fours(Side side, std::uint64_t nodes);
  bool chain_of_fours(Side side, Cell before, int length);
  bool is_aligned(Cell a, Cell b) const;
  std::int32_t evaluate(Side side) const;
  void store(Side side, int depth, std::int32_t score, Window window, Cell move);
  /// Stays valid until the next call for this ply.
  const std::vector<Cell>& moves_for(Side side, Cell table_move, int ply);
  void add_worthy_cells(Side side, std::size_t max, std::vector<Cell>& cells);
  std::vector<Cell> answers_to_open_threes(Side side) const;
  bool is_quiet(Cell cell, Side side) const;
  void remember_cut(Cell cell, Side side, int depth, int ply);
  std::uint64_t key(Side side) const;
  static bool is_decided(std::int32_t score) {
    return score > won - max_plies - 8 || score < max_plies + 8 - won;
  }
  const Entry* find(std::uint64_t key) const;
  std::size_t place_of(std::uint64_t key) const { return key & (table_.size() - 2); }

  PatternBoard& board_;
  NodeBudget& budget_;
  std::vector<Entry> table_;
  std::array<std::array<Cell, 2>, max_plies + 2> killers_;
  std::array<std::vector<Cell>, max_plies + 2> moves_;  // by ply
  std::vector<int> ranked_;
  std::vector<Cell> fours_;  // of all chains that are being tried, a stack
  std::array<std::vector<int>, 2> history_;
};

}  // namespace tictactoe::ai
