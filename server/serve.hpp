// The server as a process: connects the parts, and runs them until a signal ends it.
#pragma once

#include "server/logging.hpp"
#include "server/options.hpp"

namespace tictactoe {

/// Serves until SIGINT or SIGTERM. Prints a line for each address on which it listens. Returns the
/// exit status: 1, after a message, if the server can't start, or if changes could not be recorded.
int serve(const ServerOptions& options, const Logging& logging);

}  // namespace tictactoe
