// Log lines about events that may happen thousands of times a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <utility>

namespace tictactoe::transport {

/// Writes at most one line a second, with the number of events since the last line.
class LimitedLog {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Counts an event. Calls `write(times)` if a line is due.
  template <class Write>
  void note(Time now, Write write) {
    ++times_;
    if (next_ > now) return;
    next_ = now + std::chrono::seconds(1);
    write(std::exchange(times_, 0));
  }

 private:
  std::uint64_t times_ = 0;
  Time next_;
};

}  // namespace tictactoe::transport
