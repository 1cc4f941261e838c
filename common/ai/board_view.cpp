#include "common/ai/board_view.hpp"

#include <algorithm>

namespace tictactoe::ai {

using rules::Cell;
using rules::Game;
using rules::Mark;

namespace {

/// The first row or column of the part of one side: in the middle of the marks, or of the last one.
int first_of(int side, int low, int high, int last) {
  constexpr int max = PatternBoard::max_side;
  if (side <= max) return 0;
  const int middle = high - low < max ? (low + high) / 2 : last;
  return std::clamp(middle - max / 2, 0, side - max);
}

}  // namespace

BoardView::BoardView(const Game& game) : rules_(game.rules()) {
  Cell low{rules_.rows / 2, rules_.cols / 2};
  Cell high = low;
  Cell last = low;
  if (game.ply() > 0) low = high = last = game.moves().back();
  for (const Cell cell : game.moves()) {
    low = {std::min(low.row, cell.row), std::min(low.col, cell.col)};
    high = {std::max(high.row, cell.row), std::max(high.col, cell.col)};
  }
  origin_ = {first_of(rules_.rows, low.row, high.row, last.row),
             first_of(rules_.cols, low.col, high.col, last.col)};
  rules_.rows = std::min(rules_.rows, PatternBoard::max_side);
  rules_.cols = std::min(rules_.cols, PatternBoard::max_side);
}

PatternBoard BoardView::board(const Game& game) const {
  PatternBoard board(rules_);
  for (const Cell cell : game.moves()) {
    if (!rules_.contains(seen(cell))) continue;
    board.place(board.index(seen(cell)), game.at(cell) == Mark::x ? 0 : 1);
    board.settle();
  }
  return board;
}

}  // namespace tictactoe::ai
