// The solver: the result of a position if both sides play their best.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/ai/fork_search.hpp"
#include "common/ai/line_table.hpp"
#include "common/ai/pair_cover.hpp"
#include "common/ai/player.hpp"
#include "common/rules/board.hpp"

namespace tictactoe::ai {

/// Alpha-beta over the scores -1 (lost), 0 (drawn) and 1 (won for the side to move). These cut the
/// search:
///  - a win in one is taken, a block of one is forced, two blocks at once are lost;
///  - weights: the side to move cannot lose if the opponent's potential is below one, and cannot
///    win if its own stays below one after its best move (Erdos and Selfridge 1973; see
///    LineTable). Both at once is a draw without a search;
///  - pairs: a side whose opponent's windows all contain a pair of empty cells cannot lose, on
///    boards of up to 64 cells (see PairCover);
///  - forks, also after moves that force each reply (see ForkSearch): own ones win; against one of
///    the opponent only moves that could prevent it are tried. On boards of up to 64 cells, if
///    longer lines win;
///  - strategy stealing: the first player on an empty board cannot lose if overlines win;
///  - a transposition table of bounds, keyed by the smallest of a position's mirror images (8 on
///    boards with equal sides, 4 on others). The keys of boards up to 39 cells are the positions
///    themselves, written in base 3, so no two are confused; larger boards use 64-bit hashes.
///
/// Not thread-safe. Its table grows with the free cells of the positions searched, up to its memory
/// limit, and is used again by later calls.
class Solver {
 public:
  struct Answer {
    /// Nothing if the budget ended before the score was proven.
    std::optional<int> score;
    /// The first move in reading order that keeps the score. Nothing if the budget ended before
    /// that was proven.
    std::optional<rules::Cell> cell;
    std::uint64_t nodes = 0;
    /// Without a score: the search failed at a line of play that is too long, not for lack of
    /// budget. It fails again with any budget.
    bool too_deep = false;
  };

  /// `memory`: the maximum size of the table in bytes, rounded down to a power of two, at least
  /// 256. The lists of moves take as much again, which limits the depth on large boards: at least
  /// one ply, at most 400.
  explicit Solver(const rules::Rules& rules, std::size_t memory = usual_memory);
  static constexpr std::size_t usual_memory = std::size_t{16} << 20;
  /// Bytes of the table.
  std::size_t memory() const { return table_.size() * sizeof(Entry); }

  /// Requires a board of these rules with a free cell and without a win. Any numbers of
  /// marks are accepted. Polls the budget at every node.
  Answer solve(const rules::Board& board, rules::Mark side, const Budget& budget);

 private:
  struct Bounds {
    int lower = -1;
    int upper = 1;
  };
  struct Entry {
    std::uint64_t key = 0;
    std::int8_t lower = -1;
    std::int8_t upper = 1;
  };
  struct Move {
    rules::Cell cell;
    LineTable::Weight weight;
  };
  static constexpr CellSet all_cells = ~CellSet{0};
  /// Thrown, within solve() only, when the budget is spent: it unwinds the whole search.
  struct BudgetSpent {};
  /// Thrown likewise at the end of the longest line of play.
  struct TooDeep {};

  void set_up(const rules::Board& board);
  void place(rules::Cell cell, rules::Mark mark);
  void take_back(rules::Cell cell, rules::Mark mark);
  bool wins_at(rules::Cell cell, rules::Mark side) const;

  /// The score of a child, after which the opponent of `side` is to move.
  int score_of(rules::Cell cell, rules::Mark side, int alpha, int beta, int depth);
  int search(rules::Mark side, int alpha, int beta, int depth);
  int search_moves(rules::Mark side, const std::vector<Move>& moves, int alpha, int beta,
                   int depth);
  /// The order of moves: the heaviest first, equal ones in reading order.
  static bool heavier(const Move& a, const Move& b);
  /// The moves to these cells.
  std::vector<Move> ordered_moves(rules::Mark side, CellSet cells) const;
  /// Whether `side` cannot lose, with itself or the other side to move.
  bool pairs_stop(rules::Mark attacker) const;
  bool pairs_stop_after(rules::Mark attacker, const std::vector<Move>& moves) const;
  Bounds weight_bounds(rules::Mark side, const std::vector<Move>& moves) const;
  /// The number of cells where `side` wins at once (2 for two or more), and one of them.
  int winning_cells(rules::Mark side, rules::Cell& cell) const;
  void spend_node();

  std::uint64_t key(rules::Mark side) const;
  Entry& entry(std::uint64_t key);

  rules::Rules rules_;
  LineTable lines_;
  rules::Board board_;
  int free_ = 0;
  /// For each symmetry and cell the worth of a mark of X there; one of O is worth twice that.
  std::vector<std::vector<std::uint64_t>> cell_keys_;
  std::vector<std::uint64_t> keys_;
  std::optional<PairCover> cover_;
  std::array<CellSet, 2> marks_{};   // with cover_: of X and of O
  std::optional<ForkSearch> forks_;  // finds them by marks_, so only with cover_
  std::vector<Entry> table_;
  int table_bits_ = 0;
  int max_table_bits_;
  int max_depth_;
  Budget budget_;
  std::uint64_t nodes_ = 0;
};

}  // namespace tictactoe::ai
