// The levels of AIs by the names that players use.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/ai/player.hpp"
#include "server/base/thought.hpp"
#include "server/limits/config.hpp"
#include "server/limits/parse.hpp"

namespace tictactoe::server {

/// Newcomers beat it now and then.
inline constexpr ai::Level default_ai_level = ai::Level::level_3;

/// Plays for an absent player. Strong enough to keep what the player had, at 4 ms of CPU per move.
inline constexpr ai::Level stand_in_level = ai::Level::level_6;

/// The name of an AI's player: `AI (3, casual)`, `AI (strong)`.
std::string ai_player_name(const AiLevel& level);

/// Why an AI that sits down after this many moves is not certain not to lose, as a sentence.
/// Nothing if it is certain, in this game and the next ones in the room. See ai::why_not_perfect().
std::optional<std::string> why_not_perfect(const rules::Rules& rules, int plies);

/// Parses the level of an AI that sits down after this many moves. An empty name is the default
/// level. Engines play five in a row on square boards with sides up to `max_engine_side`.
Parsed<AiLevel> parse_ai_level(std::string_view name, const rules::Rules& rules, int plies,
                               const Config& config);
inline constexpr int max_engine_side = 100;

/// Why an engine can't have this name, as a sentence; nothing if it can. Allowed are at most 16
/// letters, digits, `-`, `_` and `.`, but not the name of a level.
std::optional<std::string> engine_name_problem(std::string_view name);

/// The level that a journal names; nothing if it is no name of a level or engine. The engine need
/// not exist any more: then the level strong replaces it.
std::optional<AiLevel> parse_saved_ai_level(std::string_view name);

}  // namespace tictactoe::server
