// How soon either end of a connection notices that the other machine has vanished.
#pragma once

#include <system_error>

namespace tictactoe::wire {

/// Configures a connected TCP socket: small frames are sent at once, and the connection breaks
/// within a minute if the peer stops answering because its machine, its network or its window is
/// gone. The kernel's default is a quarter of an hour with data in flight, and hours without.
/// Returns the first error.
std::error_code watch_peer(int socket);

}  // namespace tictactoe::wire
