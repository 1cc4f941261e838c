// Requests of rooms to the AI pool, and its answers.
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

/// One of our levels, or an engine of Config::engines. If the engine fails, `level` takes over.
struct AiLevel {
  ai::Level level = ai::Level::suggester;
  std::string engine;  ///< the engine's name; empty: one of our levels

  // Implicit: each of our levels is an AiLevel.
  AiLevel(ai::Level own = ai::Level::suggester) : level(own) {}
  explicit AiLevel(std::string name) : level(ai::Level::strong), engine(std::move(name)) {}

  /// The name that players use.
  std::string name() const { return engine.empty() ? std::string(ai::name(level)) : engine; }

  friend auto operator<=>(const AiLevel&, const AiLevel&) = default;
};

/// Identifies one thought of one room.
struct ThoughtId {
  std::uint64_t room = 0;    ///< its serial
  std::uint64_t number = 0;  ///< counts up from 1 within the room
  friend auto operator<=>(const ThoughtId&, const ThoughtId&) = default;
};

/// Choose a move off the event loop, and pass the result to Host::thought.
struct Think {
  ThoughtId id;
  /// The network of the room's creator, see Origin. Networks are served round robin.
  std::uint64_t network = 0;
  /// What it is for. A hint for a person waits for the moves of AIs in its room. A trial gives no
  /// move: it starts an engine, and its result says only what keeps the engine from playing.
  enum class Purpose : std::uint8_t { move, hint, trial };
  Purpose purpose = Purpose::move;
  AiLevel level = {};  // NOLINT(readability-redundant-member-init)
  rules::Rules rules;
  rules::Mark starter = rules::Mark::x;
  std::uint64_t seed = 0;
  std::shared_ptr<const std::vector<rules::Cell>> moves;  ///< of the game so far
};

/// Discard this thought. Its result must not follow.
struct CancelThinking {
  ThoughtId id;
};

/// Free every AI player of this room. Its thoughts that are not cancelled continue.
struct ReleaseAi {
  std::uint64_t room = 0;
};

/// Empty if the queue of thoughts was full.
using ThoughtResult = std::optional<ai::Choice>;

}  // namespace tictactoe::server
