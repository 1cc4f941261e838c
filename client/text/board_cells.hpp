// What the cells of a board look like: the same in both front ends. Everything has a meaning
// without colour: [X] is the last move, *X* stands on a line that won, ~X~ is a move without an
// answer yet,
// (?) is a hint.
//
// The front ends differ in what they draw around the cells. The lines of board_view.hpp scroll
// away, so they show a part of the board round one cell, with a caption. The pane of the full
// screen is a window with a cursor, which scrolls and draws cells of several rows.
#pragma once

#include <cstdint>
#include <optional>

#include "client/model/room.hpp"

namespace tictactoe::client {

/// Cells that are marked though they are empty.
struct MarkedCells {
  std::optional<Cell> hint;
  std::optional<Cell> sent;  ///< a move of the player that the server has not answered yet
};

struct CellLook {
  enum class Kind : std::uint8_t { empty, mark, last, won, sent, hint };
  Kind kind = Kind::empty;
  Mark mark = Mark::none;  ///< to be drawn; for `sent` the mark that the move would set
  char left = ' ';         ///< what stands on both sides of the mark
  char right = ' ';
  /// The mark itself, '?' for a hint, ' ' for an empty cell.
  char letter() const;
};

/// `cell` must be on the room's board. O(lines of the outcome).
CellLook look_of(const Room& room, Cell cell, const MarkedCells& marked = {});

}  // namespace tictactoe::client
