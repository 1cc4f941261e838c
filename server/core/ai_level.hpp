// What chooses the moves of an AI.
#pragma once

#include <compare>
#include <string>
#include <utility>

#include "common/ai/player.hpp"

namespace tictactoe::core {

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

}  // namespace tictactoe::core
