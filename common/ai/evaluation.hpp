// What patterns are worth to a side.
#pragma once

#include <array>

#include "common/ai/shapes.hpp"

namespace tictactoe::ai {

// All weights are in 1/1600 of a logit: a side with 1600 wins e times as often as it loses. They
// were fitted by logistic regression to the results of 8,500 games of 15 x 15 x 5 between versions
// of this search at 4,000 to 6,500 nodes a move, from openings of three to seven random marks:
// 122,775 positions in which no side wins by fours at once.

/// What the four shapes of a cell are worth to their side, if it is to move and if it is not: the
/// sum over all shapes and over all pairs of them.
struct CellWeight {
  int to_move = 0;
  int waiting = 0;
};
CellWeight weight_of(const std::array<Shape, 4>& shapes);

/// What a side could make with one mark anywhere on the board.
struct Threats {
  bool four_three = false;
  bool three_three = false;
  bool four = false;
  bool three = false;
};
/// The worth to the side to move of its own threats and of those of the other side, together with
/// that of the move. The other side's threes don't count. O(1).
int weight_of(const Threats& own, const Threats& other);

}  // namespace tictactoe::ai
