#include "common/ai/zetters.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace tictactoe::ai {

using rules::Cell;
using rules::Mark;

namespace {

constexpr TileCells all_cells = 0xFFF;
/// Cells on three lines come first: they decide most searches.
constexpr std::array<std::size_t, 12> best_first{9, 4, 1, 6, 11, 0, 2, 3, 5, 7, 8, 10};

TileCells bit_of(std::size_t number) {
  return static_cast<TileCells>(1U << number);
}

/// What the other side still needs.
struct Needs {
  TileCells cells = 0;   ///< the empty cells of its live lines
  TileCells forced = 0;  ///< those that would complete a line
};

Needs needs_of(TileCells own, TileCells theirs) {
  Needs needs;
  for (const TileCells line : tile_lines) {
    if ((line & own) != 0) continue;
    const auto rest = static_cast<TileCells>(line & ~theirs);
    if (rest == 0) return {all_cells, all_cells};  // complete: no answer helps any more
    needs.cells |= rest;
    if (std::popcount(rest) <= 1) needs.forced |= rest;
  }
  return needs;
}

/// The own and the other side's marks in the tile around `cell`. Cells off the board count as own:
/// nobody can use them.
std::pair<TileCells, TileCells> marks_around(const Position& position, Cell cell, Mark own) {
  std::pair<TileCells, TileCells> marks{0, 0};
  const std::array tile = tile_around(cell);
  for (std::size_t i = 0; i < tile.size(); ++i) {
    const bool is_on_board = position.rules().contains(tile[i]);
    const Mark mark = is_on_board ? position.game().at(tile[i]) : own;
    if (mark != Mark::none) (mark == own ? marks.first : marks.second) |= bit_of(i);
  }
  return marks;
}

}  // namespace

std::array<Cell, 12> tile_around(Cell cell) {
  // The column, modulo 4, where a tile begins in each row of the pattern.
  constexpr std::array<int, 12> first_cols{0, 3, 2, 2, 3, 0, 2, 1, 0, 0, 1, 2};
  constexpr int width = 4;
  const int row = cell.row % 3;
  const bool is_mirrored = cell.row / 3 % 2 == 1;
  const int offset =
      (cell.col - first_cols[static_cast<std::size_t>(cell.row % 12)] + width) % width;
  const int step = is_mirrored ? 1 : -1;
  std::array<Cell, 12> tile;
  std::size_t number = 0;
  for (int down = 0; down < 3; ++down) {
    const int first = cell.col - offset + step * (down - row);
    for (int i = 0; i < width; ++i) {
      tile[number++] = {cell.row - row + down, first + (is_mirrored ? width - 1 - i : i)};
    }
  }
  return tile;
}

bool tile_holds(TileCells own, TileCells theirs) {
  const Needs needs = needs_of(own, theirs);
  if (needs.forced != 0) return false;
  return std::ranges::all_of(best_first, [&](std::size_t number) {
    const TileCells bit = bit_of(number);
    return (needs.cells & bit) == 0 ||
           tile_answer(own, static_cast<TileCells>(theirs | bit)).has_value();
  });
}

std::optional<std::size_t> tile_answer(TileCells own, TileCells theirs) {
  const Needs needs = needs_of(own, theirs);
  if (std::popcount(needs.forced) > 1) return std::nullopt;
  const auto free = static_cast<TileCells>(all_cells & ~(own | theirs));
  const TileCells candidates = needs.forced != 0  ? needs.forced
                               : needs.cells != 0 ? needs.cells
                                                  : free;
  for (const std::size_t number : best_first) {
    const TileCells bit = bit_of(number);
    if ((candidates & bit) != 0 && tile_holds(static_cast<TileCells>(own | bit), theirs)) {
      return number;
    }
  }
  return std::nullopt;
}

void ZettersTiles::update(const Position& position, Cell cell) {
  const std::array tile = tile_around(cell);
  for (const Mark side : {Mark::x, Mark::o}) {
    auto& open = open_[side == Mark::x ? 0 : 1];
    std::erase_if(open, [&](Cell other) { return std::ranges::find(tile, other) != tile.end(); });
    const auto [own, theirs] = marks_around(position, cell, side);
    if (!tile_holds(own, theirs)) open.push_back(cell);
  }
}

PairingState ZettersTiles::state(const Position& position) const {
  const auto& open = open_[position.to_move() == Mark::x ? 0 : 1];
  if (open.empty()) return {true, std::nullopt};
  if (open.size() > 1) return {};
  const auto [own, theirs] = marks_around(position, open.front(), position.to_move());
  const auto answer = tile_answer(own, theirs);
  if (!answer) return {};
  return {true, tile_around(open.front())[*answer]};
}

}  // namespace tictactoe::ai
