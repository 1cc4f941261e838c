// The levels that an AI on a seat can have, by the names that players use.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/ai/player.hpp"
#include "server/base/thought.hpp"
#include "server/limits/config.hpp"
#include "server/limits/parse.hpp"

namespace tictactoe::server {

/// Our own. The first is the default.
inline constexpr ai::Level ai_levels[] = {ai::Level::suggester, ai::Level::random,
                                          ai::Level::strong, ai::Level::perfect};

/// Why an AI that sits down after so many moves is not certain not to lose, as a sentence; nothing
/// if it is, in this game and in those that follow in the room. See ai::why_not_perfect().
std::optional<std::string> why_not_perfect(const rules::Rules& rules, int plies);

/// The level of an AI that sits down after so many moves of a game. An empty name is the default
/// level, and `unbeatable` is perfect if that is offered, otherwise strong. Engines play five in a
/// row on square boards with sides up to `largest_engine_side`.
Parsed<AiLevel> parse_ai_level(std::string_view name, const rules::Rules& rules, int plies,
                               const Config& config);
inline constexpr int largest_engine_side = 100;

/// Why an engine cannot have that name, as a sentence; nothing if it can: letters, digits, `-`, `_`
/// and `.`, at most 16, and not the name of a level.
std::optional<std::string> engine_name_problem(std::string_view name);

/// The level that a journal names. An engine need not be there any more: the level strong then
/// stands in for it. Nothing if it is no name of either.
std::optional<AiLevel> parse_saved_ai_level(std::string_view name);

}  // namespace tictactoe::server
