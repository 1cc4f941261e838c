// Helpers to play games in tests.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "common/ai/player.hpp"
#include "common/rules/game.hpp"
#include "tests/support/oracle.hpp"

namespace tictactoe::support {

/// A game after these moves.
inline rules::Game game_of(const rules::Rules& rules, std::initializer_list<rules::Cell> cells,
                           rules::Mark starter = rules::Mark::x) {
  rules::Game game(rules, starter);
  for (const rules::Cell cell : cells) game.play(cell);
  return game;
}

/// A game with this board: rows of 'X', 'O' and other letters for free cells. Plays the marks in
/// reading order, each side in its turn, so no line may be complete.
inline rules::Game game_from(const std::vector<std::string>& rows, rules::Rules rules,
                             rules::Mark starter = rules::Mark::x) {
  std::vector<rules::Cell> marks[2];
  for (int row = 0; row < rules.rows; ++row) {
    for (int col = 0; col < rules.cols; ++col) {
      const char c = rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(col)];
      if (c == 'X' || c == 'O') marks[c == 'O'].push_back({row, col});
    }
  }
  rules::Game game(rules, starter);
  std::size_t played[2] = {0, 0};
  while (game.to_move() != rules::Mark::none) {
    const std::size_t side = game.to_move() == rules::Mark::o ? 1 : 0;
    if (played[side] == marks[side].size()) break;
    game.play(marks[side][played[side]++]);
  }
  return game;
}

inline oracle::Letters letters_of(const rules::Game& game) {
  oracle::Letters board = oracle::empty_board(game.rules());
  for (const rules::Cell cell : game.moves()) {
    oracle::letter_at(board, cell) = oracle::letter(game.at(cell));
  }
  return board;
}

/// Every free cell of an ongoing game, in reading order.
inline std::vector<rules::Cell> free_cells(const rules::Game& game) {
  std::vector<rules::Cell> cells;
  for (int row = 0; row < game.rules().rows; ++row) {
    for (int col = 0; col < game.rules().cols; ++col) {
      if (game.at({row, col}) == rules::Mark::none) cells.push_back({row, col});
    }
  }
  return cells;
}

}  // namespace tictactoe::support
