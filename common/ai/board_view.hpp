// The part of a game's board that pattern searches see.
#pragma once

#include "common/ai/pattern_board.hpp"
#include "common/rules/game.hpp"

namespace tictactoe::ai {

/// Sides over PatternBoard::max_side are cut to that: around the marks, or around the last one if
/// they are far apart.
class BoardView {
 public:
  explicit BoardView(const rules::Game& game);

  const rules::Rules& rules() const { return rules_; }
  /// From the board of the game to the part, and back. seen() may be outside.
  rules::Cell seen(rules::Cell cell) const {
    return {cell.row - origin_.row, cell.col - origin_.col};
  }
  rules::Cell whole(rules::Cell cell) const {
    return {cell.row + origin_.row, cell.col + origin_.col};
  }
  /// The part with its marks, X as side 0. Requires k <= Shapes::max_line.
  PatternBoard board(const rules::Game& game) const;

 private:
  rules::Cell origin_;
  rules::Rules rules_;
};

}  // namespace tictactoe::ai
