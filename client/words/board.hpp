// How cells look in both front ends, and the board as text. Nothing depends on colour: [X] is the
// last move, *X* stands on a line that won, ~X~ is a move without an answer yet, (?) is a hint.
//
// The front ends differ in what they draw around the cells. Lines scroll away, so they show a part
// of the board around one cell, with a caption. The pane of the full screen is a window with a
// cursor, which scrolls and draws cells of several rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "client/model/room.hpp"
#include "client/terminal/look.hpp"

namespace tictactoe::client {

/// Empty cells that are marked.
struct MarkedCells {
  std::optional<Cell> hint;
  std::optional<Cell> sent;  ///< a move of the player that the server has not answered yet
};

struct CellLook {
  enum class Kind : std::uint8_t { empty, mark, last, won, sent, hint };
  Kind kind = Kind::empty;
  Mark mark = Mark::none;  ///< to draw; for `sent` the mark of the pending move
  char left = ' ';         ///< shown on both sides of the mark
  char right = ' ';
  /// The mark itself, '?' for a hint, ' ' for an empty cell.
  char letter() const;
};

/// `cell` must be on the room's board. O(lines of the outcome).
CellLook look_of(const Room& room, Cell cell, const MarkedCells& marked = {});

/// The room's board with its rulers, each line ended by a newline. The last move stands in
/// brackets, [X], and a winning line between stars, *X*; colour comes on top of that. Small boards
/// are drawn with lines between the cells. If the board does not fit, draws the part around
/// `around`, the last move or the middle, with a caption that says which part it is. O(cells
/// drawn), whatever the size of the board.
std::string draw_board(const Room& room, const Look& look, std::optional<Cell> around = {});

}  // namespace tictactoe::client
