// Durations, counted by their length.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tictactoe::figures {

/// A histogram with fixed buckets between 50 us and 5 s. A plain value; not thread-safe.
class Durations {
 public:
  using Microseconds = std::chrono::microseconds;
  /// Upper bounds of the buckets, inclusive. One more bucket has what is longer.
  static constexpr std::array<Microseconds, 16> bounds{
      Microseconds(50),       Microseconds(100),       Microseconds(250),
      Microseconds(500),      Microseconds(1'000),     Microseconds(2'500),
      Microseconds(5'000),    Microseconds(10'000),    Microseconds(25'000),
      Microseconds(50'000),   Microseconds(100'000),   Microseconds(250'000),
      Microseconds(500'000),  Microseconds(1'000'000), Microseconds(2'500'000),
      Microseconds(5'000'000)};

  /// O(log buckets).
  void add(std::chrono::nanoseconds duration) {
    const auto bucket = std::lower_bound(bounds.begin(), bounds.end(), duration);
    ++counts_[static_cast<std::size_t>(bucket - bounds.begin())];
    sum_ += duration;
  }

  /// How many durations each bucket has, in the order of `bounds`.
  const std::array<std::uint64_t, bounds.size() + 1>& counts() const { return counts_; }
  std::chrono::nanoseconds sum() const { return sum_; }

 private:
  std::array<std::uint64_t, bounds.size() + 1> counts_{};
  std::chrono::nanoseconds sum_{0};
};

}  // namespace tictactoe::figures
