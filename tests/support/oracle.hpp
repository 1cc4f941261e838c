// A slow, obviously right implementation for comparisons. Shares only value types with common/:
// boards are rows of letters, and a win is found by reading every line of the board as a word.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "common/rules/types.hpp"

namespace tictactoe::oracle {

/// Rows of 'X', 'O' and '_'.
using Letters = std::vector<std::string>;

inline Letters empty_board(const rules::Rules& rules) {
  return Letters(static_cast<std::size_t>(rules.rows),
                 std::string(static_cast<std::size_t>(rules.cols), '_'));
}

inline char letter(rules::Mark mark) {
  return mark == rules::Mark::x ? 'X' : mark == rules::Mark::o ? 'O' : '_';
}

inline char& letter_at(Letters& board, rules::Cell cell) {
  return board[static_cast<std::size_t>(cell.row)][static_cast<std::size_t>(cell.col)];
}

/// Every row, column, diagonal and antidiagonal of the board as a word.
inline std::vector<std::string> words(const Letters& board) {
  const auto rows = static_cast<int>(board.size());
  const auto cols = static_cast<int>(board.front().size());
  std::vector<std::string> by_row(board.size());
  std::vector<std::string> by_col(board.front().size());
  std::vector<std::string> by_difference(static_cast<std::size_t>(rows + cols - 1));
  std::vector<std::string> by_sum(static_cast<std::size_t>(rows + cols - 1));
  for (int row = 0; row < rows; ++row) {
    for (int col = 0; col < cols; ++col) {
      const char c = board[static_cast<std::size_t>(row)][static_cast<std::size_t>(col)];
      by_row[static_cast<std::size_t>(row)] += c;
      by_col[static_cast<std::size_t>(col)] += c;
      by_difference[static_cast<std::size_t>(row - col + cols - 1)] += c;
      by_sum[static_cast<std::size_t>(row + col)] += c;
    }
  }
  std::vector<std::string> all = by_row;
  for (const auto& some : {by_col, by_difference, by_sum}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

/// Number of maximal runs of that letter that win under these rules.
inline int winning_runs(const Letters& board, const rules::Rules& rules, char player) {
  int found = 0;
  for (const std::string& word : words(board)) {
    for (std::size_t at = 0; at < word.size();) {
      if (word[at] != player) {
        ++at;
        continue;
      }
      const std::size_t end = std::min(word.find_first_not_of(player, at), word.size());
      const auto run = static_cast<int>(end - at);
      found += rules.overline_wins ? run >= rules.k : run == rules.k;
      at = end;
    }
  }
  return found;
}

inline bool has_won(const Letters& board, const rules::Rules& rules, char player) {
  return winning_runs(board, rules, player) > 0;
}

/// The free cells where `side` would win, in reading order.
inline std::vector<rules::Cell> wins_of(Letters& board, const rules::Rules& rules, char side) {
  std::vector<rules::Cell> cells;
  for (int row = 0; row < rules.rows; ++row) {
    for (int col = 0; col < rules.cols; ++col) {
      char& cell = letter_at(board, {row, col});
      if (cell != '_') continue;
      cell = side;
      if (has_won(board, rules, side)) cells.push_back({row, col});
      cell = '_';
    }
  }
  return cells;
}

}  // namespace tictactoe::oracle
