// Lines in the log about what may happen thousands of times a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <utility>

#include "server/core/token_bucket.hpp"

namespace tictactoe::net {

/// Lets at most one line a second through, with the number of times since the last line.
class LimitedLog {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// It has happened once more. Calls `write(times)` if a line is due.
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

/// Lets every line through as long as there are few: 100 at once, and 10 more each second. What
/// clients do thousands of times a second can't fill a disk.
class LimitedLines {
 public:
  using Time = std::chrono::steady_clock::time_point;

  static constexpr int per_second = 10;
  static constexpr int burst = 100;

  /// Calls `write(left_out)` if this line may be written, with the number of lines that were left
  /// out since the last one.
  template <class Write>
  void note(Time now, Write write) {
    if (bucket_.take(1, now)) {
      write(std::exchange(left_out_, 0));
    } else {
      ++left_out_;
    }
  }

 private:
  core::TokenBucket bucket_{per_second, burst, Time{}};
  std::uint64_t left_out_ = 0;
};

}  // namespace tictactoe::net
