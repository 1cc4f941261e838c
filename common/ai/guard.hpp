// Moves after which the side to move still cannot lose, the most promising first.
#pragma once

#include <vector>

#include "common/ai/position.hpp"

namespace tictactoe::ai {

/// Boards of any shape with at most this many cells are examined cell by cell.
inline constexpr int max_weighed_cells = 256;

/// How cells of equal promise are ordered: by reading order, mirrored top to bottom (1), left to
/// right (2) and transposed (4).
using Orientation = int;

/// The first `max` moves that keep a certificate that the side to move cannot lose; empty if
/// no certificate is found. Two certificates are known:
///  - the weights: the opponent's potential F is below one on that side's turn (Erdos and
///    Selfridge). Then the cell with the largest weight keeps it so, and so does any cell after
///    which F and the largest weight left stay below one together: that is the freedom to set
///    traps;
///  - the pairing (see pairing.hpp) on square boards with n >= 5.
/// A win in one comes first, then whatever is forced, then the cells ordered by promise: a fork
/// (two lines brought to one missing mark), then the sum over the own live lines of the cube of
/// their marks. A line that lacks two marks counts for nothing by itself, as the threat would only
/// be blocked and the line lost; it is kept for a fork.
/// O(n) on square boards beyond 16 x 16; O(cells) on all boards up to 256 cells. On other, larger
/// boards the answer is empty.
std::vector<rules::Cell> safe_moves(Position& position, Orientation orientation, std::size_t max);

}  // namespace tictactoe::ai
