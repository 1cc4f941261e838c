// What rooms ask of the AI pool, and what it answers.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/ai/player.hpp"
#include "common/rules/types.hpp"

namespace tictactoe::server {

/// One of our levels, or an engine of Config::engines. With an engine the level is what stands in
/// for it if it fails.
struct AiLevel {
  ai::Level level = ai::Level::suggester;
  std::string engine;  ///< its name; empty: none

  // Our levels are levels.
  // NOLINTNEXTLINE(google-explicit-constructor)
  AiLevel(ai::Level own = ai::Level::suggester) : level(own) {}
  explicit AiLevel(std::string name) : level(ai::Level::strong), engine(std::move(name)) {}

  /// As players write it.
  std::string name() const { return engine.empty() ? std::string(ai::name(level)) : engine; }

  friend auto operator<=>(const AiLevel&, const AiLevel&) = default;
};

/// Names one thought of one room.
struct ThoughtId {
  std::uint64_t room = 0;    ///< its serial
  std::uint64_t number = 0;  ///< from 1; counts up in the room
  friend auto operator<=>(const ThoughtId&, const ThoughtId&) = default;
};

/// Choose a move beside the event loop, and pass the result to Host::thought.
struct Think {
  ThoughtId id;
  /// The network of the player who created the room, see Origin: networks take turns. All thoughts
  /// of a room have the same one.
  std::uint64_t network = 0;
  /// For a person. Otherwise it is the move of an AI, which comes before hints in its room.
  bool is_hint = false;
  AiLevel level = {};  // NOLINT(readability-redundant-member-init)
  rules::Rules rules;
  rules::Mark starter = rules::Mark::x;
  std::uint64_t seed = 0;
  std::shared_ptr<const std::vector<rules::Cell>> moves;  ///< of the game so far
};

/// Discard that thought. No result of it may follow.
struct CancelThinking {
  ThoughtId id;
};

/// Free every AI player of that room. Thoughts of the room that are not cancelled go on.
struct ReleaseAi {
  std::uint64_t room = 0;
};

/// Nothing if too many thoughts wait already.
using ThoughtResult = std::optional<ai::Choice>;

}  // namespace tictactoe::server
