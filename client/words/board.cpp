#include "client/words/board.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace tictactoe::client {
namespace {

bool has_won(const Room& room, Cell cell) {
  if (!room.outcome) return false;
  return std::any_of(room.outcome->lines.begin(), room.outcome->lines.end(),
                     [&](const Line& line) { return line.contains(cell); });
}

// Boards up to this side are drawn with lines between their cells.
constexpr std::uint32_t max_ruled_side = 6;
// Lines of text beside the board's own rows.
constexpr std::uint32_t ruler_lines = 1;
constexpr std::uint32_t caption_lines = 2;

// Part of one axis that is drawn: `count` places from `first` on.
struct Span {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::uint32_t end() const { return first + count; }
};

Span span_around(std::uint32_t focus, std::uint32_t size, std::uint32_t space) {
  if (space >= size) return {0, size};
  const std::uint32_t before = std::min(focus, space / 2);
  return {std::min(focus - before, size - space), space};
}

Style style_of(const CellLook& look) {
  if (look.kind == CellLook::Kind::empty) return Style::faint;
  if (look.kind == CellLook::Kind::won) return Style::won;
  if (look.kind == CellLook::Kind::last) return Style::last;
  return look.mark == Mark::x ? Style::x : Style::o;
}

class Drawing {
 public:
  Drawing(const Room& room, const Look& look, std::optional<Cell> around)
      : room_(room), board_(room.board), colours_(look.colours) {
    const std::uint32_t columns = std::max(look.columns, Look::min_columns);
    const std::uint32_t rows = std::max(look.rows, Look::min_rows);
    ruler_ = static_cast<std::uint32_t>(std::to_string(board_.rows()).size()) + 2;
    // A column's name and a space.
    cell_ = std::max<std::uint32_t>(
        3, static_cast<std::uint32_t>(column_name(board_.cols() - 1).size()) + 1);
    ruled_ = board_.rows() <= max_ruled_side && board_.cols() <= max_ruled_side &&
             ruler_ + board_.cols() * 4 <= columns && board_.rows() * 2 <= rows;
    focus_ = around.value_or(board_.last().value_or(Cell{board_.rows() / 2, board_.cols() / 2}));
    focus_ = {std::min(focus_.row, board_.rows() - 1), std::min(focus_.col, board_.cols() - 1)};
    shown_cols_ = span_around(focus_.col, board_.cols(), (columns - ruler_) / cell_);
    const bool whole = shown_cols_.count == board_.cols() && board_.rows() + ruler_lines <= rows;
    shown_rows_ =
        span_around(focus_.row, board_.rows(), rows - ruler_lines - (whole ? 0 : caption_lines));
  }

  std::string draw() {
    draw_ruler();
    for (std::uint32_t row = shown_rows_.first; row < shown_rows_.end(); ++row) {
      if (ruled_ && row > shown_rows_.first) draw_rule();
      draw_row(row);
    }
    if (shown_rows_.count < board_.rows() || shown_cols_.count < board_.cols()) draw_caption();
    return std::move(text_);
  }

 private:
  void end_line() {
    // No line ends in blanks: it would make what is copied or compared needlessly ragged.
    while (!text_.empty() && text_.back() == ' ') text_.pop_back();
    text_.push_back('\n');
  }

  void draw_ruler() {
    text_.append(ruler_, ' ');
    for (std::uint32_t col = shown_cols_.first; col < shown_cols_.end(); ++col) {
      if (ruled_ && col > shown_cols_.first) text_.push_back(' ');
      std::string label = " " + column_name(col);
      label.resize(std::max<std::size_t>(label.size(), cell_), ' ');
      text_.append(label);
    }
    end_line();
  }

  void draw_rule() {
    text_.append(ruler_, ' ');
    for (std::uint32_t i = 0; i < shown_cols_.count; ++i) text_.append(i > 0 ? "+---" : "---");
    end_line();
  }

  void draw_row(std::uint32_t row) {
    const std::string label = std::to_string(row + 1);
    text_.append(ruler_ - 1 - label.size(), ' ').append(label).append(" ");
    for (std::uint32_t col = shown_cols_.first; col < shown_cols_.end(); ++col) {
      if (ruled_ && col > shown_cols_.first) text_.push_back('|');
      draw_cell({row, col});
    }
    end_line();
  }

  void draw_cell(Cell cell) {
    const CellLook look = look_of(room_, cell);
    const bool is_empty = look.kind == CellLook::Kind::empty;
    if (!is_empty) ++inside_;
    const bool plain = colours_ == Colours::none || (is_empty && ruled_);
    const std::string mark = {look.left, is_empty && !ruled_ ? '.' : look.letter(), look.right};
    if (!plain) text_.append("\033[").append(sgr_of(style_of(look), colours_)).append("m");
    text_.append(mark);
    if (!plain) text_.append("\033[0m");
    text_.append(cell_ - 3, ' ');
  }

  void draw_caption() {
    std::string part;
    if (shown_rows_.count < board_.rows()) {
      part = "rows " + std::to_string(shown_rows_.first + 1) + "-" +
             std::to_string(shown_rows_.end()) + " of " + std::to_string(board_.rows());
    }
    if (shown_cols_.count < board_.cols()) {
      part.append(part.empty() ? "" : ", ");
      part.append("columns " + column_name(shown_cols_.first) + "-" +
                  column_name(shown_cols_.end() - 1) + " of a-" + column_name(board_.cols() - 1));
    }
    text_.append("Shown: ").append(part);
    const std::uint32_t outside = board_.count() - inside_;
    const std::string_view marks = outside == 1 ? " mark is" : " marks are";
    if (outside > 0) text_.append("; " + std::to_string(outside).append(marks) + " elsewhere");
    text_.append(".\nType `board " + cell_name(opposite()) + "` to see the part there.\n");
  }

  // A place to name in the caption: one that is not in the part that is drawn.
  Cell opposite() const {
    const auto far = [](const Span& span, std::uint32_t size) {
      return span.first > 0 ? 0 : size - 1;
    };
    return {far(shown_rows_, board_.rows()), far(shown_cols_, board_.cols())};
  }

  const Room& room_;
  const Board& board_;
  Colours colours_;
  bool ruled_ = false;
  std::uint32_t ruler_ = 0;  // columns that the row numbers take
  std::uint32_t cell_ = 0;   // columns that a cell takes
  Cell focus_;
  Span shown_rows_;
  Span shown_cols_;
  std::uint32_t inside_ = 0;  // marks drawn
  std::string text_;
};

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

std::string draw_board(const Room& room, const Look& look, std::optional<Cell> around) {
  return Drawing(room, look, around).draw();
}

}  // namespace tictactoe::client
