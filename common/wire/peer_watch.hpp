// How soon a machine that vanished is missed, on both ends of a connection.
#pragma once

#include <system_error>

namespace tictactoe::wire {

/// Sets a connected TCP socket up: small frames go out at once, and a peer that does not answer any
/// more (its machine is off, its network gone, its window closed) breaks the connection within a
/// minute. By default the kernel takes a quarter of an hour where data is under way, and hours
/// where none is. Returns the first error.
std::error_code watch_peer(int socket);

}  // namespace tictactoe::wire
