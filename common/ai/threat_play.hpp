// A shallow search for games with long lines, if no certificate is known.
#pragma once

#include "common/ai/player.hpp"
#include "common/ai/position.hpp"

namespace tictactoe::ai {

/// For k over 8; strong_search.hpp plays shorter lines. In this order: a win in one; the block of
/// one; the first move of a win by continuous fours, as long a chain as an eighth of the budget
/// finds; otherwise, of the moves that leave the opponent no such win within 9 plies, the best by
/// an alpha-beta search that deepens until the budget ends. The evaluation is the difference of
/// both sides' potentials, the moves tried are those with the most weight. `budget` is spent in
/// plies played on the position, which is left as it was.
rules::Cell choose_by_threats(Position& position, const Budget& budget);

}  // namespace tictactoe::ai
