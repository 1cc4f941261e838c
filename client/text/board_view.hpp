// A board as text, for terminals of any size.
#pragma once

#include <optional>
#include <string>

#include "client/model/room.hpp"
#include "client/terminal/look.hpp"

namespace tictactoe::client {

/// The room's board with its rulers, each line ended by a newline. The last move stands in
/// brackets, [X], and a winning line between stars, *X*; colour comes on top of that. Small boards
/// are drawn with lines between the cells. Of a board that doesn't fit, the part round `around`,
/// else round the last move, else the middle is drawn, and a caption says which part that is.
/// O(cells drawn), whatever the size of the board.
std::string draw_board(const Room& room, const Look& look, std::optional<Cell> around = {});

}  // namespace tictactoe::client
