// Histograms of durations.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tictactoe::figures {

/// Between 50 us and 5 s, for people and alarms.
inline constexpr std::array<std::chrono::microseconds, 16> coarse_bounds{
    std::chrono::microseconds(50),        std::chrono::microseconds(100),
    std::chrono::microseconds(250),       std::chrono::microseconds(500),
    std::chrono::microseconds(1'000),     std::chrono::microseconds(2'500),
    std::chrono::microseconds(5'000),     std::chrono::microseconds(10'000),
    std::chrono::microseconds(25'000),    std::chrono::microseconds(50'000),
    std::chrono::microseconds(100'000),   std::chrono::microseconds(250'000),
    std::chrono::microseconds(500'000),   std::chrono::microseconds(1'000'000),
    std::chrono::microseconds(2'500'000), std::chrono::microseconds(5'000'000)};

/// Between 8 us and 8 s, for benchmarks: four buckets of equal width for each power of two, so that
/// an upper bound exceeds what its bucket counts by at most a quarter.
inline constexpr std::array<std::chrono::microseconds, 81> fine_bounds = [] {
  constexpr std::size_t parts = 4;
  std::array<std::chrono::microseconds, 81> bounds{};
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const auto power = std::chrono::microseconds(8LL << (i / parts));
    bounds.at(i) = power + power / static_cast<int>(parts) * static_cast<int>(i % parts);
  }
  return bounds;
}();

/// A histogram with fixed buckets. A plain value; not thread-safe.
template <const auto& Bounds>
class Histogram {
 public:
  using Microseconds = std::chrono::microseconds;
  /// Upper bounds of the buckets, inclusive. One more bucket counts longer durations.
  static constexpr const auto& bounds = Bounds;

  /// O(log buckets).
  void add(std::chrono::nanoseconds duration) {
    const auto bucket = std::lower_bound(bounds.begin(), bounds.end(), duration);
    ++counts_[static_cast<std::size_t>(bucket - bounds.begin())];
    sum_ += duration;
  }

  /// The number of durations in each bucket, in the order of `bounds`.
  const std::array<std::uint64_t, bounds.size() + 1>& counts() const { return counts_; }
  std::chrono::nanoseconds sum() const { return sum_; }

 private:
  std::array<std::uint64_t, bounds.size() + 1> counts_{};
  std::chrono::nanoseconds sum_{0};
};

using Durations = Histogram<coarse_bounds>;
using FineDurations = Histogram<fine_bounds>;

}  // namespace tictactoe::figures
