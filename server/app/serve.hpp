// The server process: wires the parts, and runs them until a signal ends it.
#pragma once

#include <string>
#include <vector>

#include "server/app/reload.hpp"

namespace tictactoe::app {

/// Serves until SIGINT or SIGTERM. `arguments` are those from which the options were parsed,
/// without the name of the program. Prints a line for each address on which it listens. Returns the
/// exit status: 1, after a message, if the server can't start or changes could not be recorded.
///
/// A server in a shared lobby that has lost its lease restarts itself as soon as the database can
/// be reached, with another stream and on the same port. If a service manager passed its sockets,
/// it ends with status 1 instead, and the service manager restarts it.
int serve(ParsedOptions& parsed, const std::vector<std::string>& arguments);

}  // namespace tictactoe::app
