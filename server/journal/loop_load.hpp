// Whether the event loop leaves time for work that can wait.
#pragma once

#include <chrono>

namespace tictactoe::records {

/// Compares the CPU time that threads have used with the time that has passed. Knows no clock.
class LoopLoad {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Whether is_busy() should be called: every 20 ms, because less says nothing about threads that
  /// take turns on a processor.
  bool is_due(Time now) const { return now - measured_at_ >= interval; }

  /// `used`: the CPU time of all these threads so far. Returns whether they have used more than
  /// 80 % of one processor since the last call; false at the first call.
  bool is_busy(Time now, std::chrono::nanoseconds used) {
    const bool is_first = measured_at_ == Time{};
    const bool is_busy = (used - used_) * 10 > (now - measured_at_) * 8;
    measured_at_ = now;
    used_ = used;
    return is_busy && !is_first;
  }

 private:
  static constexpr std::chrono::milliseconds interval{20};

  Time measured_at_;
  std::chrono::nanoseconds used_{0};
};

}  // namespace tictactoe::records
