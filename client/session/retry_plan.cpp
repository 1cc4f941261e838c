#include "client/session/retry_plan.hpp"

#include <algorithm>
#include <utility>

namespace tictactoe::client {

RetryPlan::RetryPlan(std::chrono::seconds patience, std::uint64_t seed)
    : patience_(patience), random_(static_cast<std::mt19937::result_type>(seed)) {}

std::optional<milliseconds> RetryPlan::next(Time now, bool has_others) {
  const std::optional<Time> welcomed = std::exchange(welcomed_, {});
  if (!since_ || (welcomed && now - *welcomed >= settled_after)) {
    since_ = now;
    wait_ = first_wait;
  }
  const auto left = std::chrono::ceil<milliseconds>(*since_ + patience_ - now);
  if (left <= milliseconds(0)) return std::nullopt;
  if (has_others && now < *since_ + takeover_time) {
    wait_ = std::min(wait_, longest_wait_for_takeover);
  }
  const auto quarter = wait_.count() / 4;
  std::uniform_int_distribution<milliseconds::rep> jitter(-quarter, quarter);
  const milliseconds wait = wait_ + milliseconds(jitter(random_));
  wait_ = std::min(wait_ * 2, longest_wait);
  return std::min(wait, left);
}

}  // namespace tictactoe::client
