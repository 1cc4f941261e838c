// A connection that has nothing to do with the load, and notices what the load does to others.
#pragma once

#include <deque>

#include "tests/bench/load/fleet.hpp"

namespace tictactoe::load {

/// Sends pings at fixed times, whether or not earlier ones are answered. The latency of a ping
/// begins when it should have been sent.
class Stranger {
 public:
  Stranger(Fleet& fleet, Protocol& protocol, Clock::duration interval)
      : fleet_(fleet), protocol_(protocol), interval_(interval), connection_(fleet.open()) {}

  const Connection& connection() const { return connection_; }
  /// From the next ping on, latencies are added to `times`, and how late the pings were sent to
  /// `delays`.
  void measure(Histogram& times, Histogram& delays);
  /// Sends no more pings.
  void stop() { measures_ = false; }
  /// Sends the pings that are due.
  void send_due(Clock::time_point now);
  /// How long nothing is due; at least 0.
  Clock::duration until_due(Clock::time_point now) const;
  /// Takes an answer. Throws Failure if it is none.
  void received(std::string_view body, Clock::time_point now);
  bool awaits_answers() const { return !sent_.empty(); }

 private:
  struct Sent {
    std::uint64_t request_id;
    Clock::time_point due;
    Histogram* times;
  };

  Fleet& fleet_;
  Protocol& protocol_;
  Clock::duration interval_;
  Connection& connection_;
  bool measures_ = false;
  Clock::time_point due_;
  Histogram* times_ = nullptr;
  Histogram* delays_ = nullptr;
  std::deque<Sent> sent_;
  Exchange exchange_;  // reused
};

}  // namespace tictactoe::load
