// A board on the screen: the cursor, the visible part, and the drawing.
#pragma once

#include <optional>

#include "client/model/room.hpp"
#include "client/paint/scene.hpp"
#include "client/words/board.hpp"

namespace tictactoe::screen {

using client::Board;
using client::Cell;
using client::Mark;
using client::Room;

/// Scrolls so that the cell of the cursor is visible. A board that fits is drawn as large as
/// possible, with lines. A larger one is drawn with two columns a cell, cut, with rulers.
/// O(visible cells), whatever the size of the board.
class BoardPane {
 public:
  Cell cursor() const { return cursor_; }
  /// Goes there; a cell off the board becomes the nearest one on it.
  void go_to(Cell cell, const Board& board);
  /// Goes to the last move, or to the middle of the board.
  void start(const Board& board);
  /// Handles the arrows, Home, End, Page up and down. Returns false for any other key.
  bool press(const Key& key, const Board& board);
  /// Moves the visible part, and the cursor with it if it would become invisible.
  void scroll(int rows, const Board& board);

  /// Draws the room's board. A cursor is shown if `active`.
  void draw(const Canvas& canvas, const Room& room, const client::MarkedCells& marked, bool active);
  /// The cell that was drawn at this place of the picture.
  std::optional<Cell> cell_at(Point place, const Board& board) const;
  /// Where the cursor was drawn.
  std::optional<Point> cursor_place() const;
  /// Whether only a part of the board was drawn, and whether this cell was in it.
  bool cut() const { return cut_; }
  bool sees(Cell cell) const;
  /// Goes to a cell unless it is visible.
  void show(Cell cell, const Board& board) {
    if (cut_ && !sees(cell)) go_to(cell, board);
  }
  /// Rows that a board takes if that many columns, and at most `max` rows, are available.
  static int wanted_rows(const Board& board, int columns, int max);

 private:
  // How cells lie on the screen.
  struct Layout {
    int across = 2;  // columns from one cell to the next
    int down = 1;
    int ruler = 0;  // columns of the row numbers
    int head = 1;   // rows of the column names
    bool lines = false;
    int cols = 0;  // visible cells
    int rows = 0;
  };
  static Layout layout_for(const Board& board, int width, int height);
  void settle(const Board& board, const Layout& layout);
  void draw_rulers(const Canvas& canvas) const;
  void draw_lines(const Canvas& canvas) const;
  void draw_cell(const Canvas& canvas, Point corner, const client::CellLook& look,
                 bool cursor) const;

  Cell cursor_;
  Cell origin_;  // the first visible cell
  Layout layout_;
  Rect drawn_;  // where cells were drawn, in the picture
  bool cut_ = false;
  int page_ = 1;  // rows that were visible
};

}  // namespace tictactoe::screen
