// File descriptors of the server's process.
#pragma once

#include "server/app/options.hpp"

namespace tictactoe::app {

/// Raises the limit on file descriptors, usually 1,024, because every connection needs one. Warns
/// if the system allows too few.
void raise_descriptor_limit(const ServerOptions& options);

}  // namespace tictactoe::app
