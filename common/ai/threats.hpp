// Winning by continuous fours: a chain of moves each of which threatens to win at once, so that
// the opponent's replies are forced.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/ai/player.hpp"
#include "common/ai/position.hpp"

namespace tictactoe::ai {

/// A "four" is a line that lacks one mark, whatever k is.
struct ThreatSearch {
  /// The first move of a win by continuous fours for the side to move.
  std::optional<rules::Cell> move;
  /// The moves of that win and the replies that they force, `move` first, until two cells win at
  /// once, or one does.
  // NOLINTNEXTLINE(readability-redundant-member-init): so that callers can leave it out
  std::vector<rules::Cell> line = {};
  /// Whether all chains of that length were tried: with no move, there is none.
  bool complete = true;
};

/// Searches all chains of at most `plies` moves, both sides' counted, the winning one included;
/// short ones first. Costs at most `nodes` plies played on the position, which is left as it was,
/// and polls `stop` at each of them and at each line that lacks two marks. (Allis, van den Herik,
/// Huntjens 1993, "Go-Moku and threat-space search", without its ordering by space: depth 9 is
/// small.)
ThreatSearch continuous_fours(Position& position, int plies, std::uint64_t nodes,
                              const std::stop_token& stop);

}  // namespace tictactoe::ai
