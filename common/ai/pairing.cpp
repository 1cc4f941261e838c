#include "common/ai/pairing.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace tictactoe::ai {

using rules::Cell;
using rules::LineKind;
using rules::Mark;
using rules::Rules;

namespace {

Cell transposed(Cell cell) {
  return {cell.col, cell.row};
}

/// The cells of row `row` where the distances to the nearest edges differ by one.
std::array<Cell, 2> ring_pair(int row, int n) {
  const int last = n - 1;
  const int off = std::min(row, last - row) + 1;
  return {Cell{row, off}, Cell{row, last - off}};
}

std::array<Cell, 2> row_pair_odd(int row, int n) {
  const int middle = (n - 1) / 2;
  if (row == middle) return {Cell{row, 0}, Cell{row, n - 1}};
  if (row == middle - 1) return {Cell{row, middle - 1}, Cell{row, middle}};
  if (row == middle + 1) return {Cell{row, middle + 1}, Cell{row, middle}};
  return ring_pair(row, n);
}

std::array<Cell, 2> column_pair_odd(int col, int n) {
  const int middle = (n - 1) / 2;
  if (col == middle) return {Cell{0, col}, Cell{n - 1, col}};
  if (col == middle - 1) return {Cell{middle + 1, col}, Cell{middle, col}};
  if (col == middle + 1) return {Cell{middle - 1, col}, Cell{middle, col}};
  const auto [a, b] = ring_pair(col, n);
  return {transposed(a), transposed(b)};
}

/// In the middle 4 x 4 the cells with an even sum of coordinates own their row, the odd ones their
/// column; partners are two apart.
std::array<Cell, 2> row_pair_even(int row, int n) {
  const int middle = n / 2 - 2;
  if (row < middle || row >= middle + 4) return ring_pair(row, n);
  const int first = middle + (row - middle) % 2;
  return {Cell{row, first}, Cell{row, first + 2}};
}

std::array<Cell, 2> column_pair_even(int col, int n) {
  const int middle = n / 2 - 2;
  if (col < middle || col >= middle + 4) {
    const auto [a, b] = ring_pair(col, n);
    return {transposed(a), transposed(b)};
  }
  const int first = middle + 1 - (col - middle) % 2;
  return {Cell{first, col}, Cell{first + 2, col}};
}

}  // namespace

std::array<Cell, 2> pair_of(LineTable::Id line, int n) {
  switch (line.kind) {
    case LineKind::row:
      return n % 2 == 1 ? row_pair_odd(line.row, n) : row_pair_even(line.row, n);
    case LineKind::column:
      return n % 2 == 1 ? column_pair_odd(line.col, n) : column_pair_even(line.col, n);
    case LineKind::diagonal:
      return {Cell{0, 0}, Cell{n - 1, n - 1}};
    case LineKind::antidiagonal:
      break;
  }
  return {Cell{0, n - 1}, Cell{n - 1, 0}};
}

PairingState square_pairing(const Position& position) {
  const int n = position.rules().rows;
  const LineTable& lines = position.lines();
  const Mark other = opponent(position.to_move());
  std::vector<LineTable::Id> broken;
  const auto check = [&](LineTable::Id line) {
    if (!lines.alive(line, other)) return;
    if (!std::ranges::all_of(pair_of(line, n), [&](Cell c) { return position.is_free(c); })) {
      broken.push_back(line);
    }
  };
  const auto side = static_cast<std::int16_t>(n);
  for (std::int16_t i = 0; i < side; ++i) {
    check({i, 0, LineKind::row});
    check({0, i, LineKind::column});
  }
  check({0, 0, LineKind::diagonal});
  check({0, static_cast<std::int16_t>(side - 1), LineKind::antidiagonal});
  if (broken.empty()) return {true, std::nullopt};

  const auto on = [n](Cell c, LineTable::Id line) {
    switch (line.kind) {
      case LineKind::row:
        return c.row == line.row;
      case LineKind::column:
        return c.col == line.col;
      case LineKind::diagonal:
        return c.row == c.col;
      case LineKind::antidiagonal:
        break;
    }
    return c.row + c.col == n - 1;
  };
  const auto mends = [&](Cell c) {
    return position.is_free(c) &&
           std::ranges::all_of(broken, [&](LineTable::Id line) { return on(c, line); });
  };
  for (const Cell c : pair_of(broken.front(), n)) {
    if (mends(c)) return {true, c};
  }
  for (int i = 0; i < n && broken.size() <= 4; ++i) {
    const Cell c = LineTable::cell(broken.front(), i);
    if (mends(c)) return {true, c};
  }
  return {};
}

std::optional<Cell> partner_of(Cell cell, const Rules& rules) {
  // Letters say where the partner lies: E W S N beside, F B L R on the diagonals.
  constexpr std::array<std::string_view, 8> pattern{"RFLREWRR", "FRBFLEWF", "BBLRBFEW", "SRSFEWBS",
                                                    "NFNSBEWN", "WSBNSSSE", "WNFLNNNE", "LLRBLEWL"};
  constexpr std::string_view letters = "EWSNFBLR";
  constexpr std::array<Cell, 8> steps{
      {{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}}};
  const char letter =
      pattern[static_cast<std::size_t>(cell.row % 8)][static_cast<std::size_t>(cell.col % 8)];
  const Cell partner = rules::advance(cell, steps[letters.find(letter)]);
  if (!rules.contains(partner)) return std::nullopt;
  return partner;
}

namespace {

/// Whether a window alive for the opponent still has a pair of empty cells.
bool has_free_pair(const Position& position, LineTable::Id line) {
  for (int i = 0; i + 1 < position.rules().k; ++i) {
    const Cell cell = LineTable::cell(line, i);
    if (position.is_free(cell) &&
        partner_of(cell, position.rules()) == LineTable::cell(line, i + 1) &&
        position.is_free(LineTable::cell(line, i + 1))) {
      return true;
    }
  }
  return false;
}

}  // namespace

PairingState tiled_pairing(const Position& position, std::span<const Cell> broken) {
  const LineTable& lines = position.lines();
  const Mark other = opponent(position.to_move());
  std::vector<LineTable::Id> open;
  for (const Cell cell : broken) {
    lines.for_each_line(cell, [&](LineTable::Id line) {
      if (lines.alive(line, other) && !has_free_pair(position, line)) open.push_back(line);
    });
  }
  if (open.empty()) return {true, std::nullopt};
  for (int i = 0; i < position.rules().k; ++i) {
    const Cell cell = LineTable::cell(open.front(), i);
    if (!position.is_free(cell)) continue;
    // Every window that has to be closed must run through this cell.
    const bool closes_all = std::ranges::all_of(open, [&](LineTable::Id line) {
      for (int j = 0; j < position.rules().k; ++j) {
        if (LineTable::cell(line, j) == cell) return true;
      }
      return false;
    });
    if (closes_all) return {true, cell};
  }
  return {};
}

}  // namespace tictactoe::ai
