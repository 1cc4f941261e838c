// Engines as additional levels of AI.
#pragma once

#include "server/app/options.hpp"
#include "server/thinking/ai_pool.hpp"

namespace tictactoe::app {

/// Makes players of our levels and of the engines in the options. Logs a warning if this system
/// can't confine engines. Logs what is wrong with an engine. Their processes have the priority of
/// this thread.
thinking::MakePlayer player_maker(const ServerOptions& options);

}  // namespace tictactoe::app
