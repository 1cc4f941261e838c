#include "client/paint/picture.hpp"

#include <algorithm>

namespace tictactoe::screen {
namespace {

// What stands for a letter on a terminal that has only ASCII.
char32_t likeness(char32_t letter) {
  constexpr std::u32string_view letters = U"─━│┃╲╱╳·…▸›‹●○█▓░↑▲↓▼←→—";
  constexpr std::u32string_view in_ascii = U"--||\\/X.~>><*o##:^^vv<>-";
  static_assert(letters.size() == in_ascii.size());
  if (letter < 0x80) return letter;
  const std::size_t at = letters.find(letter);
  if (at != std::u32string_view::npos) return in_ascii[at];
  return letter >= U'┌' && letter <= U'╿' ? U'+' : U'?';
}

}  // namespace

Picture::Picture(Size size)
    : size_{std::clamp(size.width, 1, max_columns), std::clamp(size.height, 1, max_rows)},
      glyphs_(static_cast<std::size_t>(size_.width) * static_cast<std::size_t>(size_.height)) {}

void Picture::put(Point place, char32_t letter, Style style) {
  if (!holds(place)) return;
  // Texts are sanitized when they come in; this is the last check.
  if (letter < 0x20 || (letter >= 0x7F && letter < 0xA0)) letter = 0xFFFD;
  const Point right{place.x + 1, place.y};
  const Point left{place.x - 1, place.y};
  const bool wide = columns_of(letter) == 2;
  // Halves of what stood there.
  if (at(place).letter == 0 && holds(left)) glyphs_[index(left)].letter = U' ';
  const Point end = wide ? right : place;
  const Point after{end.x + 1, end.y};
  if (holds(after) && at(after).letter == 0) glyphs_[index(after)].letter = U' ';
  if (wide && !holds(right)) letter = U' ';
  glyphs_[index(place)] = {letter, 0, style};
  if (wide && holds(right)) glyphs_[index(right)] = {0, 0, style};
}

void Picture::put_mark(Point place, char32_t mark) {
  if (!holds(place)) return;
  Glyph* glyph = &glyphs_[index(place)];
  if (glyph->letter == 0 && place.x > 0) --glyph;
  if (glyph->mark == 0) glyph->mark = mark;
}

void Picture::set_style(Point place, Style style) {
  if (holds(place)) glyphs_[index(place)].style = style;
}

void Picture::make_ascii() {
  for (Glyph& glyph : glyphs_) {
    glyph.letter = glyph.letter == 0 ? U'?' : likeness(glyph.letter);
    glyph.mark = 0;
  }
}

std::string Picture::text() const {
  std::string text;
  for (int y = 0; y < size_.height; ++y) {
    for (int x = 0; x < size_.width; ++x) {
      const Glyph& glyph = at({x, y});
      if (glyph.letter != 0) append_utf8(text, glyph.letter);
      if (glyph.mark != 0) append_utf8(text, glyph.mark);
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    text.push_back('\n');
  }
  return text;
}

Canvas::Canvas(Picture& picture)
    : Canvas(picture, {0, 0, picture.size().width, picture.size().height}) {}

Canvas Canvas::cut(Rect part) const {
  const int x = std::clamp(part.x, 0, area_.width);
  const int y = std::clamp(part.y, 0, area_.height);
  const int end_x = std::clamp(part.x + part.width, x, area_.width);
  const int end_y = std::clamp(part.y + part.height, y, area_.height);
  return {*picture_, {area_.x + x, area_.y + y, end_x - x, end_y - y}};
}

void Canvas::put(int x, int y, char32_t letter, Style style) const {
  if (x < 0 || x >= area_.width || y < 0 || y >= area_.height) return;
  if (x + columns_of(letter) > area_.width) letter = U' ';
  picture_->put({area_.x + x, area_.y + y}, letter, style);
}

int Canvas::write(int x, int y, std::string_view text, Style style) const {
  while (!text.empty()) {
    const char32_t letter = take_letter(text);
    const int columns = columns_of(letter);
    if (columns > 0) {
      put(x, y, letter, style);
    } else if (x > 0 && x <= area_.width && y >= 0 && y < area_.height) {
      picture_->put_mark({area_.x + x - 1, area_.y + y}, letter);
    }
    x += columns;
  }
  return x;
}

int Canvas::write_back(int x, int y, std::string_view text, Style style) const {
  const int begin = x - columns_of(text);
  write(begin, y, text, style);
  return begin;
}

void Canvas::centre(int y, std::string_view text, Style style) const {
  const std::string fit = fitted(text, area_.width);
  write((area_.width - columns_of(fit)) / 2, y, fit, style);
}

void Canvas::fill(Rect part, char32_t letter, Style style) const {
  const Canvas inner = cut(part);
  for (int y = 0; y < inner.height(); ++y) {
    for (int x = 0; x < inner.width(); ++x) inner.put(x, y, letter, style);
  }
}

void Canvas::restyle(Rect part, Style style) const {
  const Rect inner = cut(part).area();
  for (int y = inner.y; y < inner.y + inner.height; ++y) {
    for (int x = inner.x; x < inner.x + inner.width; ++x) picture_->set_style({x, y}, style);
  }
}

void Canvas::frame(std::string_view title, Style style) const {
  const int right = area_.width - 1;
  const int bottom = area_.height - 1;
  for (int x = 1; x < right; ++x) {
    put(x, 0, U'─', style);
    put(x, bottom, U'─', style);
  }
  for (int y = 1; y < bottom; ++y) {
    put(0, y, U'│', style);
    put(right, y, U'│', style);
  }
  put(0, 0, U'╭', style);
  put(right, 0, U'╮', style);
  put(0, bottom, U'╰', style);
  put(right, bottom, U'╯', style);
  if (!title.empty()) {
    const std::string fit = fitted(title, area_.width - 6);
    if (!fit.empty()) write(2, 0, " " + fit + " ", Style::strong);
  }
}

namespace {

// How much of `word`, which is wider than a line, goes on a line of `columns`: up to its last
// hyphen or slash that fits, otherwise as many letters as fit, at least one.
std::size_t break_of(std::string_view word, int columns) {
  std::size_t fits = 0;
  std::size_t good = 0;
  int used = 0;
  for (std::string_view rest = word; !rest.empty();) {
    const char32_t letter = take_letter(rest);
    used += columns_of(letter);
    if (used > columns && fits > 0) break;
    fits = word.size() - rest.size();
    if (letter == U'-' || letter == U'/') good = fits;
  }
  return good > 0 ? good : fits;
}

}  // namespace

std::vector<std::string> wrapped(std::string_view text, int columns) {
  std::vector<std::string> lines(1);
  columns = std::max(columns, 1);
  int used = 0;
  while (!text.empty()) {
    // A word with the blanks before it.
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    if (used > 0 && used + columns_of(word) > columns) {
      lines.emplace_back();
      used = 0;
      word.remove_prefix(std::min(begin, word.size()));
    }
    while (used == 0 && columns_of(word) > columns) {
      const std::size_t length = break_of(word, columns);
      if (length == word.size()) break;
      lines.back() = word.substr(0, length);
      lines.emplace_back();
      word.remove_prefix(length);
    }
    lines.back().append(word);
    used += columns_of(word);
  }
  return lines;
}

}  // namespace tictactoe::screen
