// Engines as further levels of AI.
#pragma once

#include "server/core/ai_pool.hpp"
#include "server/options.hpp"

namespace tictactoe {

/// Players of our levels and, if the options name any, of engines. Warns in the log if this system
/// can't confine engines; what an engine answers instead of a move is logged, not told to rooms.
core::MakePlayer player_maker(const ServerOptions& options);

}  // namespace tictactoe
