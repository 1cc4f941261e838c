// The clocks of one game: the time left for each side, and the time spent on the current move.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

#include "common/rules/types.hpp"
#include "server/base/effects.hpp"
#include "server/base/planted.hpp"
#include "server/limits/parse.hpp"

namespace tictactoe::server {

/// Whole milliseconds as in messages and the journal: clamped to 0 and what fits in 32 bits, 49
/// days.
inline std::uint32_t in_32_bits(std::chrono::milliseconds time) {
  constexpr std::int64_t max = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(time.count(), 0, max));
}
inline std::uint32_t milliseconds(Time::duration time) {
  return in_32_bits(std::chrono::floor<std::chrono::milliseconds>(time));
}
inline std::uint32_t milliseconds_rounded_up(Time::duration time) {
  return in_32_bits(std::chrono::ceil<std::chrono::milliseconds>(time));
}

/// Measures the time of each move, and deducts it from the side's time if there is a time control.
/// Stands still until run() is called. Knows no rules: the caller says which side moves.
class GameClock {
 public:
  using Duration = Time::duration;

  explicit GameClock(TimeControl control) : control_(control) { reset(); }

  bool counts() const { return !control_.none(); }

  /// Starts a new game: full time for both sides, and no clock runs.
  void reset() {
    left_.fill(control_.move.count() > 0 ? control_.move : control_.game);
    side_ = rules::Mark::none;
    since_.reset();
    spent_ = {};
    grace_.reset();
  }

  /// From `now` on `side` is to move, or nobody. `free`: an AI plays, and its time does not count.
  /// If it is the same side as before, its move continues. The first `grace` of the time is not
  /// deducted. Repeated calls do not extend it; a call without a grace ends it.
  void run(rules::Mark side, bool free, Time now, Duration grace = {}) {
    count_until(now);
    if (grace == Duration{}) {
      grace_.reset();
    } else if (!grace_) {
      grace_ = grace;
    }
    if (side != side_ && side != rules::Mark::none) spent_ = side == last_ ? spent_ : Duration{};
    if (side != rules::Mark::none) last_ = side;
    side_ = side;
    free_ = free;
    if (side_ != rules::Mark::none && !paused_) {
      since_ = now;
    } else {
      since_.reset();
    }
  }

  /// The side to move has moved. Returns the time of the move. Adds the increment to its clock.
  Duration moved(Time now) {
    count_until(now);
    const Duration spent = spent_;
    spent_ = {};
    if (side_ != rules::Mark::none) {
      left(side_) = control_.move.count() > 0
                        ? control_.move
                        : std::min<Duration>(left(side_) + control_.increment, max);
    }
    last_ = rules::Mark::none;
    return spent;
  }

  /// A move was taken back. With a time limit per move, both sides get their full time again.
  void taken_back() {
    if (control_.move.count() > 0) left_.fill(control_.move);
  }

  /// Stops all clocks until resume(), whatever happens in between.
  void pause(Time now) {
    count_until(now);
    paused_ = true;
    since_.reset();
  }
  void resume(Time now) {
    paused_ = false;
    if (side_ != rules::Mark::none) since_ = now;
  }

  /// The time left for `side` at `now`; never negative.
  Duration left(rules::Mark side, Time now) const {
    Duration left = left_[index(side)];
    if (side == side_ && since_ && !free_) left -= beyond_grace(now - *since_);
    return std::max(left, Duration{});
  }
  /// Time until time is deducted from the side to move.
  Duration grace_left(Time now) const {
    const Duration passed = since_ && !free_ ? now - *since_ : Duration{};
    return std::max(grace_.value_or(Duration{}) - passed, Duration{});
  }
  void set_left(rules::Mark side, Duration left) { left_[index(side)] = left; }

  /// When the side to move runs out of time; nothing if it can't.
  std::optional<Time> due() const {
    if (!counts() || !since_ || free_) return std::nullopt;
    return *since_ + grace_.value_or(Duration{}) + left_[index(side_)];
  }

 private:
  static std::size_t index(rules::Mark side) { return side == rules::Mark::x ? 0 : 1; }
  Duration& left(rules::Mark side) { return left_[index(side)]; }
  Duration beyond_grace(Duration passed) const {
    return std::max(passed - grace_.value_or(Duration{}), Duration{});
  }

  // Counts the time since the last call.
  void count_until(Time now) {
    if (!since_) return;
    Duration passed = now - *since_;
    if (planted(Mistake::double_charge)) passed *= 2;
    spent_ += passed;
    if (counts() && !free_) left(side_) = std::max(left(side_) - beyond_grace(passed), Duration{});
    if (grace_) grace_ = grace_left(now);
    since_ = now;
  }

  // The maximum on a clock, whatever the game time and the increment: it must fit in the 32 bits of
  // milliseconds in messages.
  static constexpr std::chrono::hours max{24 * 30};

  TimeControl control_;
  std::array<Duration, 2> left_{};
  rules::Mark side_ = rules::Mark::none;  // whose time is measured
  rules::Mark last_ =
      rules::Mark::none;  // whose move `spent_` belongs to, even while no clock runs
  bool free_ = false;
  bool paused_ = false;
  std::optional<Time> since_;
  Duration spent_{};
  std::optional<Duration> grace_;  // what is left of it
};

}  // namespace tictactoe::server
