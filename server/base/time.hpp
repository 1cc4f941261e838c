#pragma once

#include <chrono>

namespace tictactoe::server {

/// A point in time measured by the shell. The host only compares and adds times; it has no clock.
using Time = std::chrono::steady_clock::time_point;

}  // namespace tictactoe::server
