// Events for the log of a server's owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/base/origin.hpp"
#include "server/base/time.hpp"
#include "server/base/token_bucket.hpp"

namespace tictactoe::server {

/// An event with its details. The keys never change: docs/operating.md lists them.
struct LogEvent {
  std::string_view what;  ///< a constant such as "game over"
  std::vector<std::pair<std::string_view, std::string>> details;

  LogEvent& add(std::string_view key, std::string value) {
    details.emplace_back(key, std::move(value));
    return *this;
  }
  LogEvent& add(std::string_view key, std::uint64_t value) {
    return add(key, std::to_string(value));
  }
};

/// The event as one string, so that it can pass through a logging library.
std::string to_payload(const LogEvent& event);
/// Splits a payload into what happened and then each key and value. Any other text is one part.
std::vector<std::string_view> split_payload(std::string_view payload);

/// The label of a protocol enumerator: "not_your_turn" for "CODE_NOT_YOUR_TURN".
std::string label_of(std::string name, std::string_view prefix);

/// Events that wait to be logged. Keeps 20 a second, in bursts of 200, so that nobody can fill a
/// disk. One network (/24, in IPv6 /48) may cause a quarter of these; the networks share 256
/// buckets.
class EventLog {
 public:
  static constexpr int per_second = 20;
  static constexpr int burst = 200;
  static constexpr int part = 4;  ///< one network gets this fraction of both

  /// Off at the start. While it is off, events are discarded.
  void enable(bool on) { is_on_ = on; }

  /// Adds an event that `describe(LogEvent&)` fills in, if the limits allow one more from that
  /// origin.
  template <class Describe>
  void note(std::string_view what, Origin from, Time now, Describe describe) {
    if (!is_on_) return;
    if (!take(from, now)) {
      ++left_out_;
      return;
    }
    note_left_out();
    events_.push_back({what, {}});
    describe(events_.back());
  }
  /// Logs how many events were left out since the last call. Call it at the end as well.
  void note_left_out() {
    if (left_out_ == 0) return;
    events_.push_back({"events left out", {}});
    events_.back().add("events", std::exchange(left_out_, 0));
  }
  const std::vector<LogEvent>& events() const { return events_; }
  void clear() { events_.clear(); }

 private:
  static constexpr std::size_t buckets = 256;
  static constexpr Rate of_all{per_second, burst};
  static constexpr Rate of_one{double{per_second} / part, double{burst} / part};

  bool take(Origin from, Time now) {
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;  // spreads neighbours
    TokenBucket& own = of_networks_.at(from.network * golden >> 56);
    return own.take(of_one, 1, now) && all_.take(of_all, 1, now);
  }

  bool is_on_ = false;
  std::uint64_t left_out_ = 0;
  std::vector<LogEvent> events_;
  TokenBucket all_{of_all, Time{}};
  std::vector<TokenBucket> of_networks_{buckets, TokenBucket(of_one, Time{})};
};

}  // namespace tictactoe::server
