// The moves of long games that nobody wins.
#pragma once

#include <cstddef>
#include <vector>

#include "common/rules/game.hpp"

namespace tictactoe::load {

/// What is played in every room, X first.
struct ThinkingScript {
  rules::Rules rules;
  /// The moves of both sides.
  std::vector<rules::Cell> moves;
  /// Cells for X afterwards, in the order of preference.
  std::vector<rules::Cell> x_moves;
};

/// A script of so many plies, with `x_moves` more for X. The marks of both sides follow a pattern
/// that has at most two equal marks in a row in every direction, from the top of the board
/// downwards. Plays the moves on the engine once. Throws Failure if the board has too few cells or
/// if the game ends before its last ply.
ThinkingScript write_script(const rules::Rules& rules, std::size_t plies, std::size_t x_moves);

}  // namespace tictactoe::load
