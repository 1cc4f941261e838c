// The levels of our AIs as people choose from them.
#pragma once

#include <array>

#include "common/ai/player.hpp"

namespace tictactoe::ai {

/// The weakest first: see docs/engine.md.
inline constexpr std::array levels{Level::random,  Level::level_1,   Level::level_2,
                                   Level::level_3, Level::suggester, Level::level_4,
                                   Level::level_5, Level::level_6,   Level::level_7,
                                   Level::level_8, Level::strong,    Level::perfect};
static_assert(levels.size() == level_count);

}  // namespace tictactoe::ai
