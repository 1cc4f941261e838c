// Limits the invitations that a player receives, in total and from one source.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "server/base/effects.hpp"
#include "server/base/origin.hpp"
#include "server/limits/config.hpp"
#include "server/people/players.hpp"

namespace tictactoe::server {

/// Remembers the invitations that each player received within the time in which
/// Limits::invitation_burst are regained: with the defaults, the last minute. One sender, address
/// or network may send only a share of these, see shares.hpp. Remembers at most `invitation_burst`
/// per invited player. O(invitation_burst).
class Invitations {
 public:
  /// `limits` must outlive it.
  explicit Invitations(const Limits& limits) : limits_(limits) {}

  /// Counts an invitation from `sender`, who is at `origin`. If the guest has received too many,
  /// does not count it and returns how long until the next one.
  std::optional<std::chrono::milliseconds> send(PlayerId guest, PlayerId sender, Origin origin,
                                                Time now);
  /// Players with remembered invitations.
  std::size_t guests() const { return by_guest_.size(); }

 private:
  struct Invitation {
    Time sent;
    PlayerId sender = 0;
    Origin origin;
  };

  bool is_limited() const {
    return limits_.requests_per_second > 0 && limits_.invitations_per_minute > 0 &&
           limits_.invitation_burst > 0;
  }
  /// How long an invitation is remembered.
  Time::duration memory() const;
  void forget(Time now);

  const Limits& limits_;
  std::unordered_map<PlayerId, std::vector<Invitation>> by_guest_;  // oldest first; none is empty
  std::deque<std::pair<Time, PlayerId>> all_;                       // guests; oldest first
};

}  // namespace tictactoe::server
