// Boards, cells and verdicts as text.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "common/rules/board.hpp"
#include "common/rules/judge.hpp"

namespace tictactoe::rules {

/// A mistake in a typed board, and its line, counted from 0.
struct TextFault {
  std::size_t line = 0;
  std::string reason;
};

/// The properties of the game that the text does not contain. Without a `k`, a square board is the
/// n x n game with n in a row. Other boards need a `k`.
struct TextRules {
  std::optional<int> k;
  bool overline_wins = true;
};

/// Reads a board: one row in each line, of `X`, `O` (or small letters) and `_` (or `.`), with
/// spaces or tabs anywhere. Returns the board or the first error. O(length of the text).
std::variant<Board, TextFault> parse_board(std::span<const std::string> rows,
                                           const TextRules& text_rules);

/// `X`, `O` or `_`.
char letter(Mark mark);

/// A verdict in a few words: `X row 2`, `O column 1, diagonal` (1-based; every winning line),
/// `draw`, `ongoing`, `impossible: ...`. If lines are shorter than the board, each is followed
/// by its ends: `X row 2 (2,3)-(2,7)`.
std::string describe(const Verdict& verdict, const Board& board, Mark starter = Mark::x);

}  // namespace tictactoe::rules
