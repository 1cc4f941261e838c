#include "common/ai/position.hpp"

#include <algorithm>
#include <tuple>

namespace tictactoe::ai {

using rules::Cell;
using rules::Mark;

Position::Position(const rules::Game& so_far)
    : game_(so_far.rules(), so_far.starter()), lines_(so_far.rules()) {
  for (const Cell cell : so_far.moves()) play(cell);
}

void Position::play(Cell cell) {
  const Mark mark = game_.to_move();
  game_.play(cell);
  lines_.place(cell, mark);
}

void Position::undo() {
  const Cell cell = game_.moves().back();
  const Mark mark = game_.at(cell);
  game_.undo();
  lines_.take_back(cell, mark);
  first_free_ = std::min(first_free_, cell.row * rules().cols + cell.col);
}

bool Position::wins_at(Cell cell, Mark side) const {
  return rules::wins_at(rules(), [this](Cell other) { return game_.at(other); }, cell, side);
}

std::optional<Cell> Position::winning_cell(Mark side) const {
  constexpr int enough_lines = 64;
  std::optional<Cell> found;
  int looked_at = 0;
  lines_.for_each_alive(side, rules().k - 1, [&](LineTable::Id line) {
    const Cell cell = empty_cell(line);
    // If overlines do not count, a line that lacks one mark may still not be won by it.
    const bool wins = rules().overline_wins || rules().is_square() || wins_at(cell, side);
    const bool first = !found || std::tie(cell.row, cell.col) < std::tie(found->row, found->col);
    if (wins && first) found = cell;
    return !found || ++looked_at < enough_lines;
  });
  return found;
}

Position::Wins Position::wins_in_one(Mark side) const {
  Wins wins;
  lines_.for_each_alive(side, rules().k - 1, [&](LineTable::Id line) {
    const Cell cell = empty_cell(line);
    const bool sure = rules().overline_wins || rules().is_square() || wins_at(cell, side);
    if (sure && (wins.count == 0 || wins.cells[0] != cell)) {
      wins.cells[static_cast<std::size_t>(wins.count++)] = cell;
    }
    return wins.count < 2;
  });
  return wins;
}

Cell Position::empty_cell(LineTable::Id line) const {
  int i = 0;
  while (!is_free(LineTable::cell(line, i))) ++i;
  return LineTable::cell(line, i);
}

Cell Position::first_free_cell() const {
  const int cols = rules().cols;
  while (!is_free({first_free_ / cols, first_free_ % cols})) ++first_free_;
  return {first_free_ / cols, first_free_ % cols};
}

Cell Position::central_cell() const {
  const Cell middle{(rules().rows - 1) / 2, (rules().cols - 1) / 2};
  for (int radius = 0;; ++radius) {
    for (int row = middle.row - radius; row <= middle.row + radius; ++row) {
      for (int col = middle.col - radius; col <= middle.col + radius; ++col) {
        const Cell cell{row, col};
        if (rules().contains(cell) && is_free(cell)) return cell;
      }
    }
  }
}

}  // namespace tictactoe::ai
