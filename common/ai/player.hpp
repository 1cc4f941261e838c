// AI players by level. A player follows one game ply by ply and, when asked, chooses a move for the
// side to move; one player can serve both sides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "common/ai/effort.hpp"
#include "common/rules/game.hpp"

namespace tictactoe::ai {

enum class Level : std::uint8_t {
  random,     ///< any free cell, each as likely
  suggester,  ///< the heuristic of a beginner who looks one move ahead; can be beaten
  strong,     ///< search, and all that theory offers; can be beaten in some games
  perfect,    ///< plays as strong does, in games that strong provably never loses: see perfect.hpp
  level_1,    ///< graded levels, each some 200 Elo above the one before: see graded_player.hpp
  level_2,
  level_3,
  level_4,
  level_5,
  level_6,
  level_7,
  level_8
};
inline constexpr std::size_t level_count = static_cast<std::size_t>(Level::level_8) + 1;

/// `random`, ..., `1`, ..., `8`.
std::string_view name(Level level);
/// What a graded level means, in a word: `beginner`, ..., `master`. Empty for other levels.
std::string_view meaning(Level level);
/// Whether the level is one of those by number. A number of nodes limits their choices, so that
/// they play as well on a slow machine, unless they are stopped.
constexpr bool is_graded(Level level) {
  return level >= Level::level_1;
}
/// The level of that name; nothing if there is none.
std::optional<Level> parse_level(std::string_view name);

/// Limits the cost of a choice. Players read no clock: a caller with a time limit requests the stop
/// when the time is over, and gets the best move found so far.
struct Budget {
  std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
  // NOLINTNEXTLINE(readability-redundant-member-init): so that callers can leave it out
  std::stop_token stop = {};
};

struct Choice {
  rules::Cell cell;
  /// Certified: the side that plays this can no longer lose if it continues with this level.
  bool cannot_lose = false;
  /// If an engine has failed to choose: why, as a sentence for people. Then the level strong has
  /// chosen this move.
  // NOLINTNEXTLINE(readability-redundant-member-init): so that callers can leave it out
  std::string engine_fault = {};
  /// What the move would cost a person. The levels random and engines always say none.
  Effort effort = Effort::none;
  friend bool operator==(const Choice&, const Choice&) = default;
};

/// Not thread-safe, but may be passed from thread to thread between calls.
class Player {
 public:
  virtual ~Player() = default;
  /// Either side has played this legal ply. At most O(n) amortised.
  virtual void played(rules::Cell cell) = 0;
  /// The last ply was taken back. The player then chooses like one that never saw it.
  virtual void undone() = 0;
  /// Whether choose() takes at most O(n) in the position as it is, so that an event loop can call
  /// it; otherwise it belongs on a thread of its own, under a budget.
  virtual bool quick() const = 0;
  /// Whether choose() can begin. False while the player still loads: ask again, until it is true.
  /// Waits for a moment, so that asking again and again costs nothing.
  virtual bool is_ready() { return true; }
  /// What keeps a player that is ready from choosing by itself, as a sentence for people. Empty:
  /// nothing.
  virtual std::string problem() const { return {}; }
  /// A legal move for the side to move. Requires an ongoing game. The same seed, moves and node
  /// budget give the same choice.
  virtual Choice choose(const Budget& budget) = 0;
  /// Bytes that the player holds between two calls, without the allocator's overhead.
  virtual std::size_t memory() const = 0;
};

/// An upper bound of Player::memory() after this many plies, including those taken back.
std::size_t max_memory(Level level, const rules::Rules& rules, std::size_t plies);
/// An upper bound of what a choice takes besides while it is made: up to 17 MiB, for the tables of
/// searches.
std::size_t max_choice_memory(Level level, const rules::Rules& rules);

/// A player that knows the game `so_far`, to which it keeps no reference. At most O(plies).
std::unique_ptr<Player> make_player(Level level, const rules::Game& so_far, std::uint64_t seed);

}  // namespace tictactoe::ai
