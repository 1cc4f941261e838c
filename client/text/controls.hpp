// How a person gives commands.
#pragma once

#include <cstdint>

namespace tictactoe::client {

/// What a sentence names that says what to do: a line to type, or a key of the full screen.
enum class Controls : std::uint8_t { lines, keys };

}  // namespace tictactoe::client
