// The server as a process: connects the parts, and runs them until a signal ends it.
#pragma once

#include <string>
#include <vector>

#include "server/app/reload.hpp"

namespace tictactoe::app {

/// `arguments`: from which the options were parsed, without the name of the program. Serves until
/// SIGINT or SIGTERM. Prints a line for each address on which it listens. Returns the exit status:
/// 1, after a message, if the server can't start, or if changes could not be recorded.
///
/// A server that shares its lobby and has lost its lease starts again by itself, as soon as the
/// database can be reached, with another stream and at the same port. If a service manager has
/// passed its sockets, it ends with status 1 instead, and that starts it again.
int serve(ParsedOptions& parsed, const std::vector<std::string>& arguments);

}  // namespace tictactoe::app
