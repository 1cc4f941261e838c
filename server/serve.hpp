// The server as a process: connects the parts, and runs them until a signal ends it.
#pragma once

#include <string>
#include <vector>

#include "server/logging.hpp"
#include "server/reload.hpp"

namespace tictactoe {

/// `arguments`: from which the options were parsed, without the name of the program. Serves until
/// SIGINT or SIGTERM. Prints a line for each address on which it listens. Returns the exit status:
/// 1, after a message, if the server can't start, or if changes could not be recorded.
int serve(const ParsedOptions& parsed, const std::vector<std::string>& arguments,
          const Logging& logging);

}  // namespace tictactoe
