// A rate limit that allows bursts.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>

#include "server/core/planted.hpp"
#include "server/core/time.hpp"

namespace tictactoe::core {

/// Gains `per_second` tokens a second, up to `burst`. It starts full. A rate of 0 gains nothing,
/// and a burst of 0 is no limit.
class TokenBucket {
 public:
  TokenBucket(double per_second, double burst, Time now)
      : per_second_(per_second), burst_(burst), tokens_(burst), as_of_(now) {}

  /// Spends `cost` tokens if there are that many. A cost over the burst is the whole burst, or it
  /// could never be paid.
  bool take(double cost, Time now) {
    if (burst_ == 0) return true;
    cost = std::min(cost, burst_);
    const double tokens = tokens_at(now);
    if (tokens < cost) {  // keeps the time, so that rounding errors do not add up
      if (planted(Mistake::refilled_bucket)) tokens_ = burst_;
      return false;
    }
    tokens_ = tokens - cost;
    as_of_ = now;
    return true;
  }

  /// How long take() of this cost has to wait. The rate is not 0.
  std::chrono::milliseconds wait_for(double cost, Time now) const {
    const double missing = std::max(0.0, std::min(cost, burst_) - tokens_at(now));
    return std::chrono::milliseconds(
        static_cast<std::int64_t>(std::ceil(missing / per_second_ * 1000)));
  }

  /// Spends `cost` tokens even if that leaves a debt, which is at most the burst. Counts as of the
  /// last take() that succeeded, as an answer belongs to its request.
  void charge(double cost) { tokens_ = std::max(tokens_ - cost, -burst_); }
  /// The same as of now, for what belongs to no request.
  void charge(double cost, Time now) {
    tokens_ = tokens_at(now);
    as_of_ = now;
    charge(cost);
  }

  /// Undoes a take() of this cost.
  void give_back(double cost) { tokens_ = std::min(burst_, tokens_ + std::min(cost, burst_)); }

  /// Other numbers from now on. What is missing stays missing, up to the new burst; a bucket that
  /// had no limit starts full.
  void change(double per_second, double burst) {
    tokens_ = burst_ == 0 || burst == 0 ? burst : std::min(tokens_, burst);
    per_second_ = per_second;
    burst_ = burst;
  }

  /// Whether take() would succeed.
  bool has(double cost, Time now) const { return tokens_at(now) >= std::min(cost, burst_); }
  bool is_full(Time now) const { return tokens_at(now) >= burst_; }

 private:
  double tokens_at(Time now) const {
    const double seconds = std::chrono::duration<double>(now - as_of_).count();
    return std::min(burst_, tokens_ + seconds * per_second_);
  }

  double per_second_;
  double burst_;
  double tokens_;
  Time as_of_;
};

}  // namespace tictactoe::core
