// Counts of durations, exact to 1 in 128 at any length, in 58 KB.
#pragma once

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <vector>

namespace tictactoe::load {

/// Buckets as in HdrHistogram: 128 of equal width for each power of two. O(1) to add to.
class Histogram {
 public:
  void add(std::chrono::nanoseconds duration) {
    const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(duration.count(), 0));
    ++counts_[bucket_of(value)];
    ++count_;
    max_ = std::max(max_, value);
  }

  std::uint64_t count() const { return count_; }

  /// The shortest duration that at least this share (0 to 1) of all does not exceed; 0 if there
  /// is none.
  std::chrono::nanoseconds quantile(double share) const {
    const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_)));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      seen += counts_[i];
      if (seen > 0 && seen >= wanted) return nanoseconds(std::min(last_of(i), max_));
    }
    return nanoseconds(0);
  }

  std::chrono::nanoseconds max() const { return nanoseconds(max_); }

  void clear() { *this = {}; }

 private:
  static constexpr unsigned width_bits = 7;
  static constexpr std::size_t width = std::size_t{1} << width_bits;

  static std::chrono::nanoseconds nanoseconds(std::uint64_t count) {
    return std::chrono::nanoseconds(static_cast<std::int64_t>(count));
  }
  // Values below 2 * width have a bucket each; beyond, the upper width_bits + 1 bits tell.
  static std::size_t bucket_of(std::uint64_t value) {
    if (value < 2 * width) return value;
    const auto shift = static_cast<unsigned>(std::bit_width(value)) - width_bits - 1;
    return shift * width + (value >> shift);
  }
  static std::uint64_t last_of(std::size_t bucket) {
    if (bucket < 2 * width) return bucket;
    const std::size_t shift = bucket / width - 1;
    return ((bucket - shift * width + 1) << shift) - 1;
  }

  std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>((65 - width_bits) * width);
  std::uint64_t count_ = 0;
  std::uint64_t max_ = 0;
};

}  // namespace tictactoe::load
