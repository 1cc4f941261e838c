// A rate limit that allows bursts.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "server/base/planted.hpp"
#include "server/base/time.hpp"

namespace tictactoe::server {

/// Tokens that come back each second, and the most that there are. A burst of 0 is no limit.
struct Rate {
  double per_second = 0;
  double burst = 0;

  double most() const { return burst == 0 ? std::numeric_limits<double>::infinity() : burst; }
};

/// What is left of a rate: it gains Rate::per_second tokens a second, up to Rate::burst. It starts
/// full. The caller keeps the rate, which many buckets share, and passes it to each call.
class TokenBucket {
 public:
  TokenBucket(const Rate& rate, Time now) : tokens_(rate.most()), as_of_(now) {}

  /// Spends `cost` tokens if there are that many. A cost over the burst is the whole burst, or it
  /// could never be paid.
  bool take(const Rate& rate, double cost, Time now) {
    if (rate.burst == 0) return true;
    cost = std::min(cost, rate.burst);
    const double tokens = tokens_at(rate, now);
    if (tokens < cost) {  // keeps the time, so that rounding errors do not add up
      if (planted(Mistake::refilled_bucket)) tokens_ = rate.burst;
      return false;
    }
    tokens_ = tokens - cost;
    as_of_ = now;
    return true;
  }

  /// How long take() of this cost has to wait. The rate is not 0.
  std::chrono::milliseconds wait_for(const Rate& rate, double cost, Time now) const {
    const double missing = std::max(0.0, std::min(cost, rate.burst) - tokens_at(rate, now));
    return std::chrono::milliseconds(
        static_cast<std::int64_t>(std::ceil(missing / rate.per_second * 1000)));
  }

  /// Spends `cost` tokens even if that leaves a debt, which is at most the burst.
  void charge(const Rate& rate, double cost, Time now) {
    tokens_ = std::max(tokens_at(rate, now) - cost, -rate.most());
    as_of_ = now;
  }

  /// Undoes a take() of this cost.
  void give_back(const Rate& rate, double cost) {
    tokens_ = std::min(rate.most(), tokens_ + std::min(cost, rate.most()));
  }

  /// Has this rate from now on. What is missing stays missing, up to the new burst; a bucket that
  /// had no limit starts full.
  void change(const Rate& rate) {
    tokens_ = rate.burst == 0 ? rate.most() : std::min(tokens_, rate.burst);
  }

  /// Whether take() would succeed.
  bool has(const Rate& rate, double cost, Time now) const {
    return tokens_at(rate, now) >= std::min(cost, rate.most());
  }
  bool is_full(const Rate& rate, Time now) const {
    return rate.burst == 0 || tokens_at(rate, now) >= rate.burst;
  }

 private:
  double tokens_at(const Rate& rate, Time now) const {
    const double seconds = std::chrono::duration<double>(now - as_of_).count();
    return std::min(rate.most(), tokens_ + seconds * rate.per_second);
  }

  double tokens_;  // infinitely many if there is no limit
  Time as_of_;
};

}  // namespace tictactoe::server
