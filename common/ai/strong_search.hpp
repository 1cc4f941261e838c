// Search for the best move if no certificate is known, as in gomoku.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/ai/player.hpp"
#include "common/rules/game.hpp"

namespace tictactoe::ai {

/// How a move was chosen.
struct StrongMove {
  enum class Reason : std::uint8_t {
    win,      ///< wins at once
    block,    ///< keeps the other side from winning at once
    fours,    ///< begins a win by continuous fours
    threats,  ///< begins a win by fours and open threes, see ThreatSpace
    opening,  ///< the first mark of a side
    search    ///< the best that was found
  };
  rules::Cell cell;
  Reason reason = Reason::search;
  std::uint64_t nodes = 0;  ///< spent
  /// With Reason::fours: ThreatSpace::Win::line; otherwise empty.
  // NOLINTNEXTLINE(readability-redundant-member-init): so that callers can leave it out
  std::vector<rules::Cell> line = {};
};

/// Whether strong_move() supports these rules.
bool plays_strong(const rules::Rules& rules);

/// The maximum memory of strong_move(), in bytes.
inline constexpr std::size_t max_search_memory = std::size_t{6} << 20;

/// In this order: a win in one; the block of one; a win by continuous fours or by open threes;
/// otherwise an alpha-beta search (alpha_beta.hpp) of the moves after which the opponent has no
/// such win. If the opponent would win by threats after a pass, these moves are the cells of that
/// win and own threats. A first mark goes to the middle, and the answer to it beside it.
///
/// Requires an ongoing game and plays_strong(). Nothing if no free cell is in sight. On boards with
/// a side over 48 it sees a part of 48 cells around the marks, or around the last one if they are
/// far apart, and takes its border for the border of the board. `budget` is spent in plies; with
/// neither a number of nodes nor a stop token it is 4 million. Deterministic for a given number of
/// nodes.
std::optional<StrongMove> strong_move(const rules::Game& game, const Budget& budget);

}  // namespace tictactoe::ai
