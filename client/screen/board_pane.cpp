#include "client/screen/board_pane.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <tuple>

namespace tictactoe::screen {

using Name = Key::Name;
namespace {

using client::CellLook;

// Cells that are kept in sight beyond the cursor as it is moved.
constexpr std::uint32_t margin = 2;

constexpr std::array<std::string_view, 3> large_x = {"╲ ╱", " ╳ ", "╱ ╲"};
constexpr std::array<std::string_view, 3> large_o = {"╭─╮", "│ │", "╰─╯"};

std::uint32_t unsigned_of(int value) {
  return static_cast<std::uint32_t>(std::max(value, 0));
}

int digits(std::uint32_t number) {
  return static_cast<int>(std::to_string(number).size());
}

// Where a window of `seen` cells begins that was at `origin` and is to hold `at`.
std::uint32_t window(std::uint32_t origin, std::uint32_t at, std::uint32_t seen,
                     std::uint32_t all) {
  if (seen >= all) return 0;
  if (at + 1 < origin || at > origin + seen) {
    origin = at > seen / 2 ? at - seen / 2 : 0;  // far away: to the middle
  }
  if (at < origin) origin = at;
  if (at >= origin + seen) origin = at - seen + 1;
  return std::min(origin, all - seen);
}

// The same with some cells beyond `at` in sight, as far as there are any.
std::uint32_t window_with_margin(std::uint32_t origin, std::uint32_t at, std::uint32_t seen,
                                 std::uint32_t all) {
  const std::uint32_t beyond = std::min(margin, (std::max(seen, 1U) - 1) / 2);
  origin = window(origin, std::min(at + beyond, all - 1), seen, all);
  return window(origin, at > beyond ? at - beyond : 0, seen, all);
}

std::uint32_t moved(std::uint32_t at, int by, std::uint32_t end) {
  if (by < 0) return at > unsigned_of(-by) ? at - unsigned_of(-by) : 0;
  return std::min(at + unsigned_of(by), end - 1);
}

Style mark_style(Mark mark) {
  if (mark == Mark::none) return Style::faint;
  return mark == Mark::x ? Style::x : Style::o;
}

Style style_of(const CellLook& look) {
  switch (look.kind) {
    case CellLook::Kind::won:
      return Style::won;
    case CellLook::Kind::last:
      return Style::last;
    case CellLook::Kind::hint:
      return Style::hint;
    case CellLook::Kind::mark:
      return mark_style(look.mark);
    default:
      return Style::faint;
  }
}

}  // namespace

void BoardPane::go_to(Cell cell, const Board& board) {
  cursor_ = {std::min(cell.row, board.rows() - 1), std::min(cell.col, board.cols() - 1)};
}

void BoardPane::start(const Board& board) {
  go_to(board.last().value_or(Cell{(board.rows() - 1) / 2, (board.cols() - 1) / 2}), board);
}

bool BoardPane::press(const Key& key, const Board& board) {
  const int width = static_cast<int>(board.cols());
  const std::array steps = {
      std::tuple(Name::up, -1, 0),          std::tuple(Name::down, 1, 0),
      std::tuple(Name::left, 0, -1),        std::tuple(Name::right, 0, 1),
      std::tuple(Name::page_up, -page_, 0), std::tuple(Name::page_down, page_, 0),
      std::tuple(Name::home, 0, -width),    std::tuple(Name::end, 0, width)};
  const auto step =
      std::ranges::find(steps, key.name, [](const auto& s) { return std::get<0>(s); });
  if (step == steps.end()) return false;
  const auto [name, down, right] = *step;
  go_to({moved(cursor_.row, down, board.rows()), moved(cursor_.col, right, board.cols())}, board);
  const std::uint32_t rows = unsigned_of(layout_.rows);
  const std::uint32_t cols = unsigned_of(layout_.cols);
  if (cut_ && rows > 0 && cols > 0) {
    origin_.row = window_with_margin(origin_.row, cursor_.row, rows, board.rows());
    origin_.col = window_with_margin(origin_.col, cursor_.col, cols, board.cols());
  }
  return true;
}

void BoardPane::scroll(int rows, const Board& board) {
  const std::uint32_t seen = unsigned_of(layout_.rows);
  if (seen == 0 || seen >= board.rows()) return;
  origin_.row = std::min(moved(origin_.row, rows, board.rows()), board.rows() - seen);
  go_to({std::clamp(cursor_.row, origin_.row, origin_.row + seen - 1), cursor_.col}, board);
}

BoardPane::Layout BoardPane::layout_for(const Board& board, int width, int height) {
  const int rows = static_cast<int>(board.rows());
  const int cols = static_cast<int>(board.cols());
  Layout layout;
  layout.ruler = digits(board.rows()) + 1;
  for (const int down : {4, 2}) {
    if (layout.ruler + cols * down * 2 + 1 > width || 1 + rows * down + 1 > height) continue;
    layout.across = down * 2;
    layout.down = down;
    layout.lines = true;
    layout.cols = cols;
    layout.rows = rows;
    return layout;
  }
  layout.head = static_cast<int>(client::column_name(board.cols() - 1).size());
  if (width < layout.ruler + 6) layout.ruler = 0;
  if (height < layout.head + 3) layout.head = 0;
  layout.cols = std::clamp((width - layout.ruler - 1) / 2, 0, cols);
  layout.rows = std::clamp(height - layout.head, 0, rows);
  return layout;
}

int BoardPane::wanted_rows(const Board& board, int columns, int max) {
  const Layout layout = layout_for(board, columns, max);
  return layout.head + layout.rows * layout.down + (layout.lines ? 1 : 0);
}

void BoardPane::settle(const Board& board, const Layout& layout) {
  layout_ = layout;
  go_to(cursor_, board);
  cut_ = unsigned_of(layout.rows) < board.rows() || unsigned_of(layout.cols) < board.cols();
  page_ = std::max(layout.rows - 1, 1);
  const auto seen = [](int count) { return std::max<std::uint32_t>(unsigned_of(count), 1); };
  origin_.row = window(origin_.row, cursor_.row, seen(layout.rows), board.rows());
  origin_.col = window(origin_.col, cursor_.col, seen(layout.cols), board.cols());
}

void BoardPane::draw(const Canvas& canvas, const Room& room, const client::MarkedCells& marked,
                     bool active) {
  const Board& board = room.board;
  settle(board, layout_for(board, canvas.width(), canvas.height()));
  const int width = layout_.cols * layout_.across + 1;
  const int height = layout_.rows * layout_.down + (layout_.lines ? 1 : 0);
  const Rect block{std::max((canvas.width() - width - layout_.ruler) / 2, 0),
                   std::max((canvas.height() - height - layout_.head) / 2, 0),
                   width + layout_.ruler, height + layout_.head};
  const Canvas whole = canvas.cut(block);
  const Canvas cells = whole.cut({layout_.ruler, layout_.head, width, height});
  drawn_ = cells.area();
  draw_rulers(whole);
  if (layout_.lines) draw_lines(cells);

  for (int down = 0; down < layout_.rows; ++down) {
    for (int across = 0; across < layout_.cols; ++across) {
      const Cell cell{origin_.row + unsigned_of(down), origin_.col + unsigned_of(across)};
      draw_cell(cells, {across * layout_.across, down * layout_.down},
                client::look_of(room, cell, marked), active && cell == cursor_);
    }
  }
}

void BoardPane::draw_rulers(const Canvas& canvas) const {
  const bool lines = layout_.lines;
  const auto style = [](bool here) { return here ? Style::strong : Style::faint; };
  for (int i = 0; i < layout_.cols && layout_.head > 0; ++i) {
    const std::uint32_t col = origin_.col + unsigned_of(i);
    const std::string name = client::column_name(col);
    const int length = static_cast<int>(name.size());
    const int x = layout_.ruler + i * layout_.across + layout_.across / 2;
    for (int j = 0; j < length; ++j) {
      // If the width is too small, the letters of a name stand below each other.
      const Point at = lines ? Point{x + j, 0} : Point{x, layout_.head - length + j};
      canvas.put(at.x, at.y, static_cast<char32_t>(name[static_cast<std::size_t>(j)]),
                 style(col == cursor_.col));
    }
  }
  for (int i = 0; i < layout_.rows && layout_.ruler > 0; ++i) {
    const std::uint32_t row = origin_.row + unsigned_of(i);
    canvas.write_back(layout_.ruler - 1, layout_.head + i * layout_.down + layout_.down / 2,
                      std::to_string(row + 1), style(row == cursor_.row));
  }
}

void BoardPane::draw_lines(const Canvas& canvas) const {
  const int right = layout_.cols * layout_.across;
  const int bottom = layout_.rows * layout_.down;
  for (int y = 0; y <= bottom; ++y) {
    for (int x = 0; x <= right; ++x) {
      const bool upright = x % layout_.across == 0;
      const bool level = y % layout_.down == 0;
      if (!upright && !level) continue;
      char32_t letter = upright ? U'│' : U'─';
      if (upright && level) {
        constexpr std::array<std::u32string_view, 3> crossings = {U"┌┬┐", U"├┼┤", U"└┴┘"};
        const std::size_t row = y == 0 ? 0 : y == bottom ? 2 : 1;
        letter = crossings[row][x == 0 ? 0 : x == right ? 2 : 1];
      }
      canvas.put(x, y, letter, Style::faint);
    }
  }
}

// `corner` is where the line, or the gap, on the left of the cell begins.
void BoardPane::draw_cell(const Canvas& canvas, Point corner, const CellLook& look,
                          bool cursor) const {
  const bool framed = look.left != ' ';
  const auto left = static_cast<char32_t>(cursor && !framed ? '>' : look.left);
  const auto right = static_cast<char32_t>(cursor && !framed ? '<' : look.right);
  const Rect inner = layout_.lines
                         ? Rect{corner.x + 1, corner.y + 1, layout_.across - 1, layout_.down - 1}
                         : Rect{corner.x, corner.y, 3, 1};
  const Style shown = cursor ? Style::cursor : style_of(look);
  if (left != U' ') {
    for (int y = 0; y < inner.height; ++y) {
      canvas.put(inner.x, inner.y + y, left, shown);
      canvas.put(inner.x + inner.width - 1, inner.y + y, right, shown);
    }
  }
  if (inner.height == 3 && look.mark != Mark::none) {
    const auto& art = look.mark == Mark::x ? large_x : large_o;
    for (int y = 0; y < 3; ++y) {
      canvas.write(inner.x + inner.width / 2 - 1, inner.y + y, art[static_cast<std::size_t>(y)],
                   shown);
    }
  } else {
    const bool dot = look.kind == CellLook::Kind::empty && !layout_.lines;
    const char32_t letter = dot ? U'·' : static_cast<char32_t>(look.letter());
    canvas.put(inner.x + inner.width / 2, inner.y + inner.height / 2, letter, shown);
  }
  if (cursor) canvas.restyle(inner, Style::cursor);
}

std::optional<Cell> BoardPane::cell_at(Point place, const Board& board) const {
  if (!drawn_.contains(place)) return std::nullopt;
  const int x = place.x - drawn_.x;
  const int y = place.y - drawn_.y;
  if (layout_.lines && (x % layout_.across == 0 || y % layout_.down == 0)) return std::nullopt;
  const Cell cell{origin_.row + unsigned_of(y / layout_.down),
                  origin_.col + unsigned_of(x / layout_.across)};
  if (x / layout_.across >= layout_.cols || !board.contains(cell)) return std::nullopt;
  return cell;
}

bool BoardPane::sees(Cell cell) const {
  return cell.row >= origin_.row && cell.row - origin_.row < unsigned_of(layout_.rows) &&
         cell.col >= origin_.col && cell.col - origin_.col < unsigned_of(layout_.cols);
}

std::optional<Point> BoardPane::cursor_place() const {
  if (!sees(cursor_)) return std::nullopt;
  const Point place{
      drawn_.x + static_cast<int>(cursor_.col - origin_.col) * layout_.across + layout_.across / 2,
      drawn_.y + static_cast<int>(cursor_.row - origin_.row) * layout_.down + layout_.down / 2};
  if (!drawn_.contains(place)) return std::nullopt;
  return place;
}

}  // namespace tictactoe::screen
