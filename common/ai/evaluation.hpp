// The evaluation of positions, by weights of patterns.
#pragma once

#include <array>

#include "common/ai/shapes.hpp"

namespace tictactoe::ai {

// All weights are in 1/1600 of a logit: a side with 1600 wins e times as often as it loses. They
// were fitted by logistic regression to the results of 8,500 games of 15 x 15 x 5 between versions
// of this search at 4,000 to 6,500 nodes a move, from openings of three to seven random marks:
// 122,775 positions in which no side wins by fours at once.

/// The weights of a free cell, by its four shapes, for their side if it is to move and if it is
/// not.
struct CellWeight {
  int to_move = 0;
  int waiting = 0;
};
/// The sum over all shapes and over all pairs of them.
CellWeight weight_of(const std::array<Shape, 4>& shapes);

/// The threats that a side could make with its next mark, anywhere on the board.
struct Threats {
  bool four_three = false;
  bool three_three = false;
  bool four = false;
  bool three = false;
};
/// The score of the threats of both sides for the side to move, including that of the move itself.
/// Threes of the other side don't count. O(1).
int weight_of(const Threats& own, const Threats& other);

}  // namespace tictactoe::ai
