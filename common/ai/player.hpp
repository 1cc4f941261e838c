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

#include "common/rules/game.hpp"

namespace tictactoe::ai {

enum class Level : std::uint8_t {
  random,     ///< any free cell, each as likely
  suggester,  ///< the heuristic of a beginner who looks one move ahead; can be beaten
  strong,     ///< search, and all that theory offers; can be beaten in some games
  perfect,    ///< plays as strong does, in games that strong provably never loses: see perfect.hpp
};

std::string_view name(Level level);
/// The level of that name; nothing if there is none. `unbeatable` is another name of `best`.
std::optional<Level> parse_level(std::string_view name, Level best = Level::strong);

/// How much a choice may cost. There is no clock in here: a caller with a time limit asks `stop` to
/// stop when it is over, and gets the best move found until then.
struct Budget {
  std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
  // NOLINTNEXTLINE(readability-redundant-member-init): so that callers can leave it out
  std::stop_token stop = {};
};

struct Choice {
  rules::Cell cell;
  /// Certified: the side that plays this cannot lose any more, if it goes on with this level.
  bool cannot_lose = false;
  /// If an engine was to choose and failed: why, as a sentence for people. Then this move is that
  /// of the level strong.
  // NOLINTNEXTLINE(readability-redundant-member-init): so that callers can leave it out
  std::string engine_fault = {};
  friend bool operator==(const Choice&, const Choice&) = default;
};

/// Not thread-safe, but may be handed from thread to thread between calls.
class Player {
 public:
  virtual ~Player() = default;
  /// The game went on by this legal ply of either side. At most O(n) amortised.
  virtual void played(rules::Cell cell) = 0;
  /// The last ply was taken back. The player then chooses as well as one that never saw that ply.
  virtual void undone() = 0;
  /// Whether choose() takes at most O(n) in the position as it is, so that an event loop can call
  /// it; otherwise it belongs on a thread of its own, under a budget.
  virtual bool quick() const = 0;
  /// Whether choose() can begin. False while the player still loads: ask again, until it is true.
  /// Waits for a moment, so that asking again and again costs nothing.
  virtual bool is_ready() { return true; }
  /// A legal move for the side to move. Requires an ongoing game. The same seed, moves and node
  /// budget give the same choice.
  virtual Choice choose(const Budget& budget) = 0;
  /// Bytes that the player holds between two calls, without what the allocator adds.
  virtual std::size_t memory() const = 0;
};

/// An upper bound of Player::memory() after that many plies, taken back or not.
std::size_t max_memory(Level level, const rules::Rules& rules, std::size_t plies);
/// An upper bound of what a choice takes besides while it is made: up to 17 MiB, for the tables of
/// searches.
std::size_t max_choice_memory(Level level, const rules::Rules& rules);

/// A player that has followed `so_far` up to now. O(plies) at the most. Keeps no reference to it.
std::unique_ptr<Player> make_player(Level level, const rules::Game& so_far, std::uint64_t seed);

}  // namespace tictactoe::ai
