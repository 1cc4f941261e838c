// Plain minimax on letters, without tables or pruning. Shares nothing with the engine.
#pragma once

#include <algorithm>
#include <map>
#include <utility>

#include "tests/support/oracle.hpp"

namespace tictactoe::oracle {

class BruteForce {
 public:
  explicit BruteForce(const rules::Rules& rules) : rules_(rules) {}

  /// The score of an unfinished position for `side`, the side to move.
  int score(Letters& board, char side) {
    const auto known = known_.find({board, side});
    if (known != known_.end()) return known->second;
    int best = -2;
    for (std::string& row : board) {
      for (char& cell : row) {
        if (cell == '_') best = std::max(best, after(board, cell, side));
      }
    }
    known_[{board, side}] = best;
    return best;
  }

  /// The score of `side` after its move on that free cell.
  int after(Letters& board, char& cell, char side) {
    cell = side;
    int value = 0;
    if (has_won(board, rules_, side)) {
      value = 1;
    } else if (!full(board)) {
      value = -score(board, side == 'X' ? 'O' : 'X');
    }
    cell = '_';
    return value;
  }

  /// The first cell in reading order with the best score.
  rules::Cell best_cell(Letters& board, char side) {
    const int best = score(board, side);
    for (int row = 0; row < rules_.rows; ++row) {
      for (int col = 0; col < rules_.cols; ++col) {
        char& cell = letter_at(board, {row, col});
        if (cell == '_' && after(board, cell, side) == best) return {row, col};
      }
    }
    return {-1, -1};
  }

  static bool full(const Letters& board) {
    return std::ranges::all_of(
        board, [](const std::string& row) { return row.find('_') == std::string::npos; });
  }

 private:
  rules::Rules rules_;
  std::map<std::pair<Letters, char>, int> known_;
};

}  // namespace tictactoe::oracle
