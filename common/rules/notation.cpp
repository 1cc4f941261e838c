#include "common/rules/notation.hpp"

#include <algorithm>
#include <vector>

namespace tictactoe::rules {

namespace {

std::optional<Mark> mark_of(char c) {
  switch (c) {
    case 'X':
    case 'x':
      return Mark::x;
    case 'O':
    case 'o':
      return Mark::o;
    case '_':
    case '.':
      return Mark::none;
    default:
      return std::nullopt;
  }
}

/// A readable form of any character, for messages.
std::string readable(char c) {
  if (c > ' ' && c < '\x7f') return std::string("'") + c + "'";
  constexpr std::string_view digits = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  return std::string("byte 0x") + digits[byte >> 4] + digits[byte & 15];
}

std::variant<std::vector<Mark>, std::string> parse_row(std::string_view text) {
  std::vector<Mark> row;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\r') continue;
    const auto mark = mark_of(c);
    if (!mark) return "unexpected character " + readable(c) + ", cells are X, O or _";
    row.push_back(*mark);
  }
  return row;
}

std::string cell_text(Cell cell) {
  std::string text("(");
  return text.append(std::to_string(cell.row + 1))
      .append(",")
      .append(std::to_string(cell.col + 1))
      .append(")");
}

std::string line_text(const Line& line, const Rules& rules) {
  std::string text;
  switch (line.kind) {
    case LineKind::row:
      text = "row " + std::to_string(line.first.row + 1);
      break;
    case LineKind::column:
      text = "column " + std::to_string(line.first.col + 1);
      break;
    case LineKind::diagonal:
      text = "diagonal";
      break;
    case LineKind::antidiagonal:
      text = "antidiagonal";
      break;
  }
  if (rules.is_square()) return text;
  return text + " " + cell_text(line.first) + "-" + cell_text(line.last);
}

std::string reason_text(Fault fault, const Board& board, Mark starter) {
  switch (fault) {
    case Fault::none:
      break;
    case Fault::wrong_counts:
      return "wrong counts, " + std::to_string(board.count(Mark::x)) + " X and " +
             std::to_string(board.count(Mark::o)) + " O, but " + letter(starter) + " starts";
    case Fault::both_won:
      return "both won";
    case Fault::won_twice:
      return "won twice, the winning lines have no last move in common";
    case Fault::winner_not_last:
      return "the game continued after a win";
  }
  return {};
}

}  // namespace

std::variant<Board, TextFault> parse_board(std::span<const std::string> rows,
                                           const TextRules& text_rules) {
  std::vector<std::vector<Mark>> marks;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto parsed = parse_row(rows[i]);
    if (const auto* reason = std::get_if<std::string>(&parsed)) return TextFault{i, *reason};
    marks.push_back(std::move(std::get<std::vector<Mark>>(parsed)));
    const auto expected = marks.front().size();
    if (marks.back().size() != expected) {
      return TextFault{i, "ragged rows, this one has " + std::to_string(marks.back().size()) +
                              " cells and the first " + std::to_string(expected)};
    }
  }
  constexpr auto max = static_cast<std::size_t>(Rules::max_side) + 1;  // one more is too many
  const auto row_count = static_cast<int>(std::min(marks.size(), max));
  const auto col_count = marks.empty() ? 0 : static_cast<int>(std::min(marks[0].size(), max));
  if (row_count != col_count && !text_rules.k) {
    return TextFault{0, "a board of " + std::to_string(row_count) + " x " +
                            std::to_string(col_count) +
                            " needs k, the number of marks in a row "
                            "that win"};
  }
  const Rules rules{row_count, col_count, text_rules.k.value_or(row_count),
                    text_rules.overline_wins};
  if (const auto problem = rules.problem()) return TextFault{0, *problem};
  Board board(rules);
  for (int i = 0; i < rules.cells(); ++i) {
    const Cell cell = board.cell(i);
    board.set(cell, marks[static_cast<std::size_t>(cell.row)][static_cast<std::size_t>(cell.col)]);
  }
  return board;
}

char letter(Mark mark) {
  return mark == Mark::x ? 'X' : mark == Mark::o ? 'O' : '_';
}

std::string describe(const Verdict& verdict, const Board& board, Mark starter) {
  if (verdict.fault != Fault::none) {
    return "impossible: " + reason_text(verdict.fault, board, starter);
  }
  if (verdict.status == Status::ongoing) return "ongoing";
  if (verdict.status == Status::drawn) return "draw";
  std::string text(1, letter(verdict.winner));
  std::string_view separator = " ";
  for (const Line& line : verdict.lines) {
    text.append(separator).append(line_text(line, board.rules()));
    separator = ", ";
  }
  return text;
}

}  // namespace tictactoe::rules
