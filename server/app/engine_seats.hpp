// Engines as further levels of AI.
#pragma once

#include "server/app/options.hpp"
#include "server/thinking/ai_pool.hpp"

namespace tictactoe::app {

/// Players of our levels and, if the options name any, of engines. Warns in the log if this system
/// can't confine engines; what an engine answers instead of a move is logged, not told to rooms.
server::MakePlayer player_maker(const ServerOptions& options);

}  // namespace tictactoe::app
