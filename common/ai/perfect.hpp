// The games in which the level perfect is offered.
#pragma once

#include <optional>
#include <string>

#include "common/rules/types.hpp"

namespace tictactoe::ai {

/// Why the level perfect is not offered for these rules, as a sentence for people; nothing if it
/// is. It is offered if a player of that level never loses, in either seat, as the first or second
/// player, whatever its budget of nodes and time, in a game that it joins after at most one move:
///
///   n x n, n in a row   the table of 3 x 3; the weights and the pairing of guard.hpp
///   any board, k >= 9   the pairing of the whole board
///   any board, k = 8    the tiles of zetters.hpp
///   up to 256 cells     the weights: F < 1 even after the opponent's best first move
///
/// O(cells) on boards of up to 256 cells, O(1) on others.
std::optional<std::string> why_not_perfect(const rules::Rules& rules);

}  // namespace tictactoe::ai
