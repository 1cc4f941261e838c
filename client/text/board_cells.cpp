#include "client/text/board_cells.hpp"

#include <algorithm>

namespace tictactoe::client {
namespace {

bool has_won(const Room& room, Cell cell) {
  if (!room.outcome) return false;
  return std::any_of(room.outcome->lines.begin(), room.outcome->lines.end(),
                     [&](const Line& line) { return line.contains(cell); });
}

}  // namespace

char CellLook::letter() const {
  if (kind == CellLook::Kind::hint) return '?';
  return mark == Mark::none ? ' ' : mark == Mark::x ? 'X' : 'O';
}

CellLook look_of(const Room& room, Cell cell, const MarkedCells& marked) {
  const Mark mark = room.board.at(cell);
  if (mark != Mark::none) {
    if (has_won(room, cell)) return {CellLook::Kind::won, mark, '*', '*'};
    if (room.board.last() == cell) return {CellLook::Kind::last, mark, '[', ']'};
    return {CellLook::Kind::mark, mark};
  }
  if (marked.sent == cell) {
    return {CellLook::Kind::sent, room.both_seats ? room.turn : room.my_seat, '~', '~'};
  }
  if (marked.hint == cell) return {CellLook::Kind::hint, Mark::none, '(', ')'};
  return {};
}

}  // namespace tictactoe::client
