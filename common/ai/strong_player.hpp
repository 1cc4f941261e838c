// The levels strong and perfect: certificates that it cannot lose, and search without one.
#pragma once

#include <cstddef>
#include <memory>

#include "common/ai/player.hpp"
#include "common/ai/position.hpp"

namespace tictactoe::ai {

/// A player that shows the game as it sees it.
class WatchfulPlayer : public Player {
 public:
  virtual const Position& position() const = 0;
};

/// How it plays, by the kind of game:
///
///   3x3                a table of all positions
///   n x n, 4 and more  safe moves (guard.hpp), with a planned trap for the suggester up to 16 x 16
///   any board, k >= 9  the pairing of the whole board (pairing.hpp)
///   any board, k = 8   the tiles (zetters.hpp), or safe moves where these suffice
///   all others         search by threats and alpha-beta (strong_search.hpp)
///
/// A short win by continuous fours is looked for first.
/// In a position that others have played, each of them first looks for its certificate. Without one
/// it searches, boards of up to 36 cells exactly, within the budget.
/// Certified choices are quick, except the first one on boards up to 16 x 16, which plans the
/// trap.
std::unique_ptr<WatchfulPlayer> make_strong_player(const rules::Game& so_far);

/// An upper bound of the bytes that its searches need during a choice.
std::size_t strong_choice_memory(const rules::Rules& rules);

}  // namespace tictactoe::ai
