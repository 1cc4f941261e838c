// The content of a terminal: cells with a letter and a style, and clipped drawing on them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "client/terminal/keys.hpp"
#include "client/terminal/style.hpp"
#include "common/unicode/letters.hpp"

namespace tictactoe::screen {

using client::Point;
using client::Style;
using unicode::append_utf8;
using unicode::columns_of;
using unicode::fitted;
using unicode::take_letter;

/// Maximum size of a picture, whatever a terminal claims.
inline constexpr int max_columns = 1000;
inline constexpr int max_rows = 500;

struct Size {
  int width = 0;
  int height = 0;
  friend bool operator==(const Size&, const Size&) = default;
};

/// The nearest size that can be drawn.
constexpr Size clamped(Size size) {
  return {std::clamp(size.width, 1, max_columns), std::clamp(size.height, 1, max_rows)};
}

struct Rect {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  bool contains(Point at) const {
    return at.x >= x && at.x < x + width && at.y >= y && at.y < y + height;
  }
  friend bool operator==(const Rect&, const Rect&) = default;
};

/// One column of one row.
struct Glyph {
  char32_t letter = U' ';  ///< 0: the right half of the wide letter before it
  char32_t mark = 0;       ///< a combining mark on the letter, of several the first; 0 for none
  Style style = Style::plain;
  friend bool operator==(const Glyph&, const Glyph&) = default;
};

class Picture {
 public:
  /// Blank. Clamps the size.
  explicit Picture(Size size);

  Size size() const { return size_; }
  const Glyph& at(Point place) const { return glyphs_[index(place)]; }
  /// Puts a letter of one or two columns. Does nothing outside the picture. A wide letter that is
  /// cut or half overwritten leaves a blank.
  void put(Point place, char32_t letter, Style style);
  /// Puts a combining mark on the letter there.
  void put_mark(Point place, char32_t mark);
  void set_style(Point place, Style style);

  /// Replaces everything beyond ASCII: lines by - | +, letters without an equivalent by '?'.
  void make_ascii();
  /// The rows, each ended by a newline, without trailing blanks.
  std::string text() const;

  friend bool operator==(const Picture&, const Picture&) = default;

 private:
  bool holds(Point at) const {
    return at.x >= 0 && at.x < size_.width && at.y >= 0 && at.y < size_.height;
  }
  std::size_t index(Point at) const {
    return static_cast<std::size_t>(at.y) * static_cast<std::size_t>(size_.width) +
           static_cast<std::size_t>(at.x);
  }

  Size size_;
  std::vector<Glyph> glyphs_;
};

/// A part of a picture to draw on, with its own corner as (0, 0). Cheap to copy.
class Canvas {
 public:
  explicit Canvas(Picture& picture);

  int width() const { return area_.width; }
  int height() const { return area_.height; }
  /// Where this lies in the picture.
  const Rect& area() const { return area_; }
  /// The part of this that lies in `part`.
  Canvas cut(Rect part) const;

  void put(int x, int y, char32_t letter, Style style) const;
  /// Writes text; returns the column after it.
  int write(int x, int y, std::string_view text, Style style = Style::plain) const;
  /// Writes text that ends before column `x`, cut on its left; returns the column where it begins.
  int write_back(int x, int y, std::string_view text, Style style = Style::plain) const;
  void centre(int y, std::string_view text, Style style = Style::plain) const;
  void fill(Rect part, char32_t letter, Style style) const;
  void restyle(Rect part, Style style) const;
  /// Draws a frame around the whole, with a title in its upper side.
  void frame(std::string_view title, Style style) const;

 private:
  Canvas(Picture& picture, Rect area) : picture_(&picture), area_(area) {}

  Picture* picture_;
  Rect area_;
};

/// `text` in lines of at most `columns`, broken between words where that is possible.
std::vector<std::string> wrapped(std::string_view text, int columns);

}  // namespace tictactoe::screen
