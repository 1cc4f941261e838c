// A picture with its clickable places, and the parts that all screens share.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/paint/picture.hpp"
#include "client/terminal/keys.hpp"
#include "client/terminal/line_editor.hpp"

namespace tictactoe::screen {

using client::Input;
using client::Key;
using client::letter_key;
using client::LineEditor;
using client::Mouse;
using client::Paste;

/// A place that acts as a key when clicked.
struct Spot {
  Rect area;
  Key key;
};

/// A place that selects a line of the list when clicked.
struct ListSpot {
  Rect area;
  std::size_t index = 0;
};

struct Scene {
  explicit Scene(Size size) : picture(size) {}

  Picture picture;
  std::vector<Spot> spots;
  std::vector<ListSpot> list;
  /// The position of the terminal's cursor; hidden if empty.
  std::optional<Point> cursor;
};

/// A key and what it does, for the bar at the bottom; a click on it acts as `key`.
struct KeyHint {
  std::string cap;
  std::string label;
  Key key;
};

/// The columns that the right text of the bar at the top can have.
constexpr int title_end(int width) {
  return std::max(width / 2 - 2, 0);
}
/// The bar at the top: the name of the screen on the left, the server on the right.
void draw_title(const Canvas& canvas, std::string_view left, std::string_view right);

/// Draws keys in the available rows. Leaves out those that don't fit, but keeps the last one, which
/// opens the help, if there is any space.
void draw_keys(const Canvas& canvas, const std::vector<KeyHint>& keys, Scene& scene);

/// Draws an empty framed box in the middle, of at most this size. Returns its inside.
Canvas draw_box(const Canvas& canvas, Size inside, std::string_view title);

/// Keys in the lowest row of a box.
void draw_box_keys(const Canvas& box, const std::vector<KeyHint>& keys, Scene& scene);

/// Draws the part of a line around its cursor into the first row. Returns the cursor's column.
/// `secret` shows stars.
int draw_line(const Canvas& canvas, const LineEditor& line, Style style, bool secret = false);

/// The line in which a command is typed, with its keys or a notice below it, at the bottom of any
/// screen.
void draw_command_line(const Canvas& canvas, std::string_view label, const LineEditor& line,
                       std::string_view notice, Scene& scene);

/// Writes a sentence into the available rows, broken between words.
void write_wrapped(const Canvas& canvas, std::string_view text, Style style);

/// A notice above the keys of a screen.
void draw_notice(const Canvas& canvas, std::string_view notice);

/// The first visible line of a list, so that `selected` is among the `seen` visible lines.
std::size_t list_start(std::size_t selected, std::size_t count, int seen);

/// Moves the selection of a list: Up, Down, j, k, Home, End, Page up and down, by `page` lines.
/// False for any other key.
bool move_selection(std::size_t& selected, const Key& key, std::size_t count,
                    std::size_t page = 10);

/// How far a text is scrolled. Never beyond the end that was drawn last, so the way back is as long
/// as the way there.
class Scroll {
 public:
  /// Handles the keys of move_selection(), and Space. A page is a row less than what is visible.
  /// False for any other key.
  bool press(const Key& key);
  /// While drawing: `seen` of `rows` rows are visible. Returns the first of them.
  std::size_t settle(std::size_t rows, std::size_t seen);
  /// The first visible row.
  std::size_t top() const { return top_; }

 private:
  std::size_t top_ = 0;
  std::size_t last_ = 0;  // the largest top
  std::size_t page_ = 1;
};

/// The entry `by` places after `at`, cyclically, in a list of `count` entries.
std::size_t turned(std::size_t at, int by, std::size_t count);

}  // namespace tictactoe::screen
