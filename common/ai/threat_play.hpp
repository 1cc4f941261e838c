// The best move that search finds where no certificate is known, as in gomoku.
#pragma once

#include "common/ai/player.hpp"
#include "common/ai/position.hpp"

namespace tictactoe::ai {

/// In this order: a win in one; the block of one; the first move of a win by continuous fours,
/// found whenever there is one within 9 plies and the budget lasts; otherwise, of the moves that
/// leave the opponent no such win, the best by an alpha-beta search that deepens until the budget
/// ends. The evaluation is the difference of both sides' potentials, the moves tried are those with
/// the most weight. `budget` is spent in plies played on the position, which is left as it was.
rules::Cell choose_by_threats(Position& position, const Budget& budget);

}  // namespace tictactoe::ai
