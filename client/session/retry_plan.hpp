// When to try to reach a lost server again.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <random>

#include "client/model/time.hpp"

namespace tictactoe::client {

/// The first wait before a try, and the longest; each is about twice the one before.
inline constexpr milliseconds first_wait{500};
inline constexpr milliseconds longest_wait{15'000};
/// The longest wait for one of several servers, and how long after the loss: another server takes
/// over what the lost one had, within ten seconds.
inline constexpr milliseconds longest_wait_for_takeover{1'000};
inline constexpr milliseconds takeover_time{20'000};
/// A connection that lasts this long ends a series of tries. Shorter ones don't: a client of a
/// server that keeps crashing waits longer each time.
inline constexpr milliseconds settled_after{3'000};

/// Growing waits, each varied by up to a quarter at random, so that a thousand clients of a
/// restarted server do not all return at the same moment.
class RetryPlan {
 public:
  /// Gives up `patience` after the connection was lost; 0 disables reconnecting.
  RetryPlan(std::chrono::seconds patience, std::uint64_t seed);

  /// How long to wait before the next try; nothing if it is time to give up. Call when the
  /// connection is lost and when a try fails. The last try falls at the end of `patience`.
  /// `has_others`: there are several servers.
  std::optional<milliseconds> next(Time now, bool has_others = false);
  /// Whether it is time to give up.
  bool is_over(Time now) const { return since_ && now >= *since_ + patience_; }
  /// The server has welcomed us, and everything missed has arrived.
  void welcomed(Time now) { welcomed_ = now; }
  std::chrono::seconds patience() const { return patience_; }

 private:
  std::chrono::seconds patience_;
  std::mt19937 random_;
  milliseconds wait_ = first_wait;
  std::optional<Time> since_;  // when the series of tries began
  std::optional<Time> welcomed_;
};

}  // namespace tictactoe::client
