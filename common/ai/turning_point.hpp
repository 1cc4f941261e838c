// Finds the move that decided a game.
#pragma once

#include <cstdint>
#include <optional>

#include "common/ai/player.hpp"
#include "common/rules/game.hpp"

namespace tictactoe::ai {

/// Games on larger boards are not examined.
inline constexpr int max_solved_board = 400;

struct TurningPoint {
  /// The result if both sides play their best from here on: the side that wins, `none` for a draw.
  rules::Mark result = rules::Mark::none;
  /// After this many plies, every position has this result.
  int plies = 0;
  /// The result before the last of these plies, which was the last mistake. Nothing if `plies` is
  /// 0, or if the budget ended before it was proven.
  std::optional<rules::Mark> before = std::nullopt;
};

/// Solves the positions of a game, the last one first, until the result changes. Nothing if not
/// even the last one is proven. The budget is for all positions together; takes the memory of one
/// Solver.
std::optional<TurningPoint> find_turning_point(const rules::Game& game, const Budget& budget);

}  // namespace tictactoe::ai
