// Perfect play on 3x3, with traps, from a table of all positions.
#pragma once

#include <array>
#include <cstdint>

#include "common/ai/player.hpp"
#include "common/ai/position.hpp"

namespace tictactoe::ai {

/// Has the move for each of the 4,520 unfinished positions. Of the moves that keep the best score
/// it prefers one that wins against the suggester, and then the one that wins most often against a
/// random player. It distinguishes own and other marks, so it serves both sides.
class PerfectThree {
 public:
  /// The one table of the process, built at the first call (a few milliseconds). Thread-safe.
  static const PerfectThree& instance();

  /// Requires an ongoing 3x3 game, of either starter. O(1).
  Choice choose(const rules::Game& game) const;

 private:
  struct Entry {
    bool known = false;
    std::int8_t score = 0;      ///< with best play
    std::int8_t suggester = 0;  ///< against the suggester
    double random = 0;          ///< expected, against a random player
    std::int8_t cell = 0;
  };

  PerfectThree();
  /// Fills in the entries of a position and of all that follow from it.
  const Entry& work_out(Position& position);
  /// The value of this move to the side to move, as an entry of the position before it.
  Entry value_of(Position& position, rules::Cell cell);

  /// By the position in base 3: 1 for an own mark, 2 for the other side's.
  std::array<Entry, 19'683> entries_{};
};

}  // namespace tictactoe::ai
