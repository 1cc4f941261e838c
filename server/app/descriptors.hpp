// File descriptors of the server's process.
#pragma once

#include "server/app/options.hpp"

namespace tictactoe::app {

/// Every connection needs a file descriptor. The default limit is usually 1,024. Warns if the
/// system allows too few.
void raise_descriptor_limit(const ServerOptions& options);

}  // namespace tictactoe::app
