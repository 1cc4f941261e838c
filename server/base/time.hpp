#pragma once

#include <chrono>

namespace tictactoe::server {

/// A point in time as the shell measures it. The host compares and adds; it never asks a clock.
using Time = std::chrono::steady_clock::time_point;

}  // namespace tictactoe::server
