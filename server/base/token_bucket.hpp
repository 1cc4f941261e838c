// A rate limit that allows bursts.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "server/base/planted.hpp"
#include "server/base/time.hpp"

namespace tictactoe::server {

/// The tokens gained each second, and the maximum number of tokens. A burst of 0 means no limit.
struct Rate {
  double per_second = 0;
  double burst = 0;

  double max() const { return burst == 0 ? std::numeric_limits<double>::infinity() : burst; }
};

/// A token bucket: gains Rate::per_second tokens a second up to Rate::burst. It starts full. Many
/// buckets share a rate, so the caller keeps it and passes it to each call.
class TokenBucket {
 public:
  TokenBucket(const Rate& rate, Time now) : tokens_(rate.max()), as_of_(now) {}

  /// Spends `cost` tokens if the bucket has that many. A cost above the burst counts as the burst;
  /// otherwise it could never be paid.
  bool take(const Rate& rate, double cost, Time now) {
    if (rate.burst == 0) return true;
    cost = std::min(cost, rate.burst);
    const double tokens = tokens_at(rate, now);
    if (tokens < cost) {  // keeps the time, so that rounding errors don't add up
      if (planted(Mistake::refilled_bucket)) tokens_ = rate.burst;
      return false;
    }
    tokens_ = tokens - cost;
    as_of_ = now;
    return true;
  }

  /// How long until take() of this cost succeeds. Requires a rate above 0.
  std::chrono::milliseconds wait_for(const Rate& rate, double cost, Time now) const {
    const double missing = std::max(0.0, std::min(cost, rate.burst) - tokens_at(rate, now));
    return std::chrono::milliseconds(
        static_cast<std::int64_t>(std::ceil(missing / rate.per_second * 1000)));
  }

  /// Spends `cost` tokens even if that leaves a debt. The debt is at most the burst.
  void charge(const Rate& rate, double cost, Time now) {
    tokens_ = std::max(tokens_at(rate, now) - cost, -rate.max());
    as_of_ = now;
  }

  /// Undoes a take() of this cost.
  void give_back(const Rate& rate, double cost) {
    tokens_ = std::min(rate.max(), tokens_ + std::min(cost, rate.max()));
  }

  /// Switches to this rate. Keeps the tokens, up to the new burst. A bucket that had no limit
  /// becomes full.
  void change(const Rate& rate) {
    tokens_ = rate.burst == 0 ? rate.max() : std::min(tokens_, rate.burst);
  }

  /// Whether take() would succeed.
  bool has(const Rate& rate, double cost, Time now) const {
    return tokens_at(rate, now) >= std::min(cost, rate.max());
  }
  bool is_full(const Rate& rate, Time now) const {
    return rate.burst == 0 || tokens_at(rate, now) >= rate.burst;
  }

 private:
  double tokens_at(const Rate& rate, Time now) const {
    const double seconds = std::chrono::duration<double>(now - as_of_).count();
    return std::min(rate.max(), tokens_ + seconds * rate.per_second);
  }

  double tokens_;  // infinity if there is no limit
  Time as_of_;
};

}  // namespace tictactoe::server
