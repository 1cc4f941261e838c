// Pairing: give every line two cells of its own, and whenever the opponent takes one, take the
// other. A side that can keep that up never lets a line be completed, and an extra mark never
// hurts.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "common/ai/line_table.hpp"
#include "common/ai/position.hpp"

namespace tictactoe::ai {

/// The two cells that a line of the n x n game owns; no two lines share a cell. Requires n >= 5 and
/// a line of that game. O(1).
///
/// The corners own the diagonals. With di and dj the distances of a cell to the nearest edge, the
/// cells where dj = di + 1 own their row and those where di = dj + 1 their column; the middle,
/// if that leaves too few, is paired by hand: 3 x 3 for odd n (whose middle row and column go to
/// the ends of the middle lines), 4 x 4 for even n.
std::array<rules::Cell, 2> pair_of(LineTable::Id line, int n);

/// The partner of a cell in a pairing of the whole board, of any size, of which every window of 9
/// cells in any direction holds a pair: an 8 x 8 pattern, repeated, found by search (there is none
/// for 8). Nothing if the partner would be off the board. O(1).
std::optional<rules::Cell> partner_of(rules::Cell cell, const rules::Rules& rules);
/// The smallest k for which partner_of() is a defence.
inline constexpr int min_paired_line = 9;

/// How the pairing stands for the side to move.
struct PairingState {
  /// Whether that side cannot lose if it plays `answer` now (any cell if there is none) and then
  /// follows the pairing.
  bool holds = false;
  std::optional<rules::Cell> answer;
};

/// On an n x n board, n >= 5: holds if every line without a mark of the side to move has both
/// of its cells empty, but for lines through one single empty cell. O(n).
PairingState square_pairing(const Position& position);

/// For k >= 9 on any board: holds if every window still alive for the opponent has a pair of
/// empty cells, but for windows that one answer takes care of. `broken` are the cells of the
/// opponent whose partner is not the own side's, in the order in which they were taken.
/// O(k^2) for each broken cell.
PairingState tiled_pairing(const Position& position, std::span<const rules::Cell> broken);

}  // namespace tictactoe::ai
