// Traps for an opponent who plays like the suggester: a line of play that ends in a fork.
#pragma once

#include <vector>

#include "common/ai/player.hpp"
#include "common/ai/position.hpp"

namespace tictactoe::ai {

/// A line of play from here to a win of the side to move, both sides' plies, in which every ply of
/// the opponent is the suggester's and every own one is a safe move; empty if none was found.
/// As the own plies are safe, nothing is lost if the opponent turns out to be another.
///
/// Limited discrepancy search (Harvey and Ginsberg 1995) along the order of safe_moves(): first the
/// line that always takes the first, then those that once take the second, and so on. At most
/// `budget.nodes` own plies are tried, and no more than 4,000; polls `stop` at each. Leaves the
/// position as it was.
std::vector<rules::Cell> plan_trap(Position& position, const Budget& budget);

}  // namespace tictactoe::ai
