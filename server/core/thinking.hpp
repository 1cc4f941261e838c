// What rooms ask of the AI pool, and what it answers.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/ai/player.hpp"
#include "common/rules/types.hpp"
#include "server/core/ai_level.hpp"

namespace tictactoe::core {

/// Names one thought of one room.
struct ThoughtId {
  std::uint64_t room = 0;    ///< its serial
  std::uint64_t number = 0;  ///< from 1; counts up in the room
  friend auto operator<=>(const ThoughtId&, const ThoughtId&) = default;
};

/// Choose a move beside the event loop, and hand the result to Host::thought. The position is the
/// first `keep` plies of the position of the earlier thought `base`, of the same room and level,
/// and then `moves`. With `keep` 0 `moves` is the whole game. With `base` 0 and a `keep`, the
/// answer is needs_whole_game, at a time when the thought could begin.
struct Think {
  ThoughtId id;
  /// The network of the player who has created the room, see Origin: networks take turns. The same
  /// in all thoughts of a room.
  std::uint64_t network = 0;
  /// For a person. Otherwise it is the move of an AI, which comes before hints in its room.
  bool is_hint = false;
  AiLevel level = {};  // NOLINT(readability-redundant-member-init)
  rules::Rules rules;
  rules::Mark starter = rules::Mark::x;
  std::uint64_t seed = 0;
  std::uint64_t base = 0;
  std::size_t keep = 0;
  std::shared_ptr<const std::vector<rules::Cell>> moves;
};

/// The result of that thought is not needed any more. None is handed over after this.
struct CancelThinking {
  ThoughtId id;
};

/// Free every AI player of that room. Thoughts of the room that are not cancelled go on.
struct ReleaseAi {
  std::uint64_t room = 0;
};

struct ThoughtResult {
  enum class Kind : std::uint8_t {
    choice,
    needs_whole_game,  ///< the pool does not have the position of `base` any more
    busy,              ///< the queue is full
    too_large,         ///< no player for this board fits into the memory limits
  };
  Kind kind = Kind::choice;
  ai::Choice choice = {};  // NOLINT(readability-redundant-member-init)
};

}  // namespace tictactoe::core
