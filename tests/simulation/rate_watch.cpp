#include "tests/simulation/rate_watch.hpp"

#include <algorithm>
#include <chrono>

namespace tictactoe::simulation {

void RateWatch::set_limits(const v1::Limits& limits) {
  rate_ = limits.requests_per_second();
  burst_ = limits.request_burst();
  tokens_ = burst_;
  for (const v1::RequestCost& cost : limits.costs()) costs_[cost.request()] = cost.tokens();
}

void RateWatch::granted(v1::ClientMessage::RequestCase request, Time now) {
  using Case = v1::ClientMessage::RequestCase;
  // These are answered later than they are paid for; those with a password after its key is there.
  switch (request) {
    case Case::kListGames:
    case Case::kGetGame:
    case Case::kHint:
    case Case::kCreateRoom:
    case Case::kJoinRoom:
    case Case::kWatchRoom:
      return;
    default:
      break;
  }
  if (rate_ == 0) return;
  const double gained = rate_ * std::chrono::duration<double>(now - at_).count();
  at_ = now;
  tokens_ = std::min(burst_, tokens_ + gained);
  const auto cost = costs_.find(static_cast<std::uint32_t>(request));
  tokens_ -= std::min(burst_, cost == costs_.end() ? 1.0 : cost->second);
  constexpr double tolerance = 0.01;  // of rounding
  require(tokens_ >= -tolerance, Checker::rates,
          "a connection was granted more requests than it has tokens for");
}

}  // namespace tictactoe::simulation
