// Keep-alives: when to send one, and when the server has been silent for too long.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "client/model/time.hpp"

namespace tictactoe::client {

/// Pings are never sent more often than this, whatever the server's limit.
inline constexpr milliseconds shortest_ping_interval{500};

/// A server drops peers that are silent for its timeout, so something is sent at least every third
/// of it. A server that sends nothing for two thirds of it after a ping counts as lost.
class Heartbeat {
 public:
  enum class Due : std::uint8_t { nothing, ping, lost };

  /// Starts for a new connection. A timeout of 0 disables it.
  void start(milliseconds silence_timeout, Time now) {
    *this = {};
    if (silence_timeout <= milliseconds(0)) return;
    third_ = std::max(silence_timeout / 3, shortest_ping_interval);
    sent_ = now;
  }
  void stop() { *this = {}; }

  void sent(Time now) { sent_ = now; }
  void received() { pinged_.reset(); }
  /// A ping was sent. The oldest one without an answer counts.
  void pinged(Time now) {
    sent_ = now;
    if (!pinged_) pinged_ = now;
  }

  Due due(Time now) const {
    if (third_ == milliseconds(0)) return Due::nothing;
    if (pinged_ && now >= *pinged_ + 2 * third_) return Due::lost;
    return now >= sent_ + third_ ? Due::ping : Due::nothing;
  }
  std::optional<Time> next_deadline() const {
    if (third_ == milliseconds(0)) return std::nullopt;
    const Time ping = sent_ + third_;
    return pinged_ ? std::min(ping, *pinged_ + 2 * third_) : ping;
  }

 private:
  milliseconds third_{0};  // of the silence timeout; 0 while there is nothing to be done
  Time sent_;
  std::optional<Time> pinged_;  // since when a ping waits for any sign of life
};

}  // namespace tictactoe::client
