// Time as the client's parts get it. Only the driver of a session, or a test, reads a clock.
#pragma once

#include <chrono>

namespace tictactoe::client {

using Clock = std::chrono::steady_clock;
using Time = Clock::time_point;
using std::chrono::milliseconds;

}  // namespace tictactoe::client
