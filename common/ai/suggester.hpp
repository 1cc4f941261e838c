// The beginner's level: judges lines as they stand, without looking ahead.
#pragma once

#include <memory>

#include "common/ai/player.hpp"
#include "common/ai/position.hpp"

namespace tictactoe::ai {

/// The move of the suggester: its own win; else the block of a line that lacks one mark; else the
/// free cell with the largest reward, the sum of its own marks over the live lines through the
/// cell; else the first free cell. Of equal cells, the first in reading order among those it
/// examines.
///
/// This is the heuristic of a published exercise ("suggestNextMove") with its plain errors
/// repaired: it preferred a block to its own win and did not block diagonals. It still loses to
/// forks. On boards that are not square the reward also counts the opponent's lines, each weighed
/// by a power of its marks, and it opens in the middle.
///
/// Requires an ongoing game. O(rows + cols): how far it looks has a limit.
rules::Cell suggest(const Position& position);

std::unique_ptr<Player> make_suggester(const rules::Game& so_far);

}  // namespace tictactoe::ai
