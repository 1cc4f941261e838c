// Threat-space search: wins by moves that each threaten to win, fours and open threes.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "common/ai/pattern_board.hpp"

namespace tictactoe::ai {

/// The number of plies that a search may still play.
class NodeBudget {
 public:
  NodeBudget(std::uint64_t nodes, std::stop_token stop) : left_(nodes), stop_(std::move(stop)) {}

  bool spent() const { return left_ == 0 || stop_.stop_requested(); }
  /// False if nothing is left.
  bool spend() {
    if (spent()) return false;
    --left_;
    return true;
  }
  std::uint64_t left() const { return left_; }
  /// Sets some of the budget aside, so that at most `nodes` are left. Returns what restore() needs.
  std::uint64_t limit(std::uint64_t nodes) {
    const std::uint64_t rest = left_ > nodes ? left_ - nodes : 0;
    left_ -= rest;
    return rest;
  }
  void restore(std::uint64_t rest) { left_ += rest; }

 private:
  std::uint64_t left_;
  std::stop_token stop_;
};

/// Searches for forced wins of one side. The attacker plays only fours and, if asked for, moves
/// that make an open three; the defender may reply with every move that could matter:
///  - the winning cell that a four leaves;
///  - to an open three: all free cells that can change each open four that is threatened, and all
///    own fours. Any other reply leaves one of these open fours as it is, and makes no threat of
///    its own to win, so the attacker makes it and wins.
/// So a win that is found is one against every defence, and the defender can prevent it only on the
/// cells in `cells` or by moves that make fours or open threes before. Not every win is found: the
/// attacker's quiet moves and threes that become a four only in one way are not tried.
///
/// Depth-first with deepening by attacking moves, short wins first. Positions without a win are
/// remembered in a table of 512 KiB. (Allis, van den Herik, Huntjens 1993, "Go-Moku and
/// threat-space search"; the reply sets are those of the lambda search of order 2, Thomsen 2000.)
class ThreatSpace {
 public:
  using Cell = PatternBoard::Cell;
  using Side = PatternBoard::Side;

  enum class Means : std::uint8_t { fours, threes };

  struct Win {
    Cell move = 0;
    int depth = 0;  ///< attacking moves before the winning threat stands
    /// All cells of the proof that are free now, ascending, each once.
    std::vector<Cell> cells;
    /// With fours alone: the moves and the replies that they force, until two cells win at once, or
    /// one does. With open threes it is of no use.
    std::vector<Cell> line;
  };

  /// Plays moves on the board and takes them back.
  ThreatSpace(PatternBoard& board, NodeBudget& budget);

  /// A win of `side`, which is to move, by at most `depth` attacking moves; nothing if there is
  /// none or the budget ends, see NodeBudget::spent().
  std::optional<Win> find(Side side, Means means, int depth);

 private:
  static constexpr int table_bits = 15;

  struct Refuted {
    std::uint64_t key = 0;
    int depth = -1;
  };

  bool attack(Side side, int depth);
  /// Whether the attack succeeds after this move against every reply.
  bool attacks_with(Cell cell, Side side, int depth);
  bool survives_replies(Side side, int depth);
  bool survives_threes(Side side, int depth);
  bool survives(Cell reply, Side side, int depth);
  /// The strongest first.
  void add_attacking_moves(Side side);
  Refuted& refuted(std::uint64_t key) { return table_[key >> (64 - table_bits)]; }
  std::uint64_t key(Side side) const;

  PatternBoard& board_;
  NodeBudget& budget_;
  Means means_ = Means::fours;
  Cell first_move_ = 0;
  std::vector<Cell> proof_;
  std::vector<Cell> line_;   // the last ply first
  std::vector<Cell> moves_;  // of all attacks that are being tried, a stack
  std::vector<Refuted> table_;
};

/// The free cells that can change every open four that `side` could make; none if it has none.
std::vector<PatternBoard::Cell> defences_to_all(const PatternBoard& board, PatternBoard::Side side);

}  // namespace tictactoe::ai
