// What the kernel knows of a TCP connection.
#pragma once

#include <cstdint>

namespace tictactoe::load {

/// TCP segments with data that have come; 0 if the kernel does not say.
std::uint64_t data_segments_in(int socket);

}  // namespace tictactoe::load
