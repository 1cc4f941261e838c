// A game as the AI sees it: the board and its lines.
#pragma once

#include <array>
#include <optional>

#include "common/ai/line_table.hpp"
#include "common/rules/game.hpp"

namespace tictactoe::ai {

class Position {
 public:
  /// The position of a game. O(plies).
  explicit Position(const rules::Game& so_far);

  const rules::Game& game() const { return game_; }
  const rules::Rules& rules() const { return game_.rules(); }
  const LineTable& lines() const { return lines_; }
  rules::Mark to_move() const { return game_.to_move(); }
  /// Whether a cell of the board is empty.
  bool is_free(rules::Cell cell) const { return game_.at(cell) == rules::Mark::none; }

  /// Requires a legal move.
  void play(rules::Cell cell);
  /// Requires a move to take back.
  void undo();

  /// Whether a mark of `side` on this empty cell would win. O(k).
  bool wins_at(rules::Cell cell, rules::Mark side) const;
  /// The first cell in reading order where `side` would win at once (in the first 64 lines that
  /// offer one); nothing if there is none. O(k).
  std::optional<rules::Cell> winning_cell(rules::Mark side) const;
  /// Up to two cells where `side` would win at once. O(k) for each line that offers one.
  struct Wins {
    int count = 0;
    std::array<rules::Cell, 2> cells{};
  };
  Wins wins_in_one(rules::Mark side) const;
  /// The first empty cell of a line. Requires one. O(k).
  rules::Cell empty_cell(LineTable::Id line) const;
  /// The first free cell in reading order. Requires one. O(1) amortised over the plies of a game.
  rules::Cell first_free_cell() const;
  /// The cell in the middle of the board, or a free one as near to it as there is; meant for boards
  /// that are nearly empty. Requires a free cell.
  rules::Cell central_cell() const;

  /// Bytes held on the heap.
  std::size_t memory() const { return game_.memory() + lines_.memory(); }
  /// An upper bound of memory() after this many plies, including those taken back.
  static std::size_t max_memory(const rules::Rules& rules, std::size_t plies) {
    return rules::Game::max_memory(rules, plies) + LineTable::max_memory(rules, plies);
  }

 private:
  rules::Game game_;
  LineTable lines_;
  /// No cell with a smaller index is free.
  mutable int first_free_ = 0;
};

}  // namespace tictactoe::ai
