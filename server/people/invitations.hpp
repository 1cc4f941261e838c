// How many invitations a player gets, and from whom.
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

/// Remembers the invitations of the latest time, in which as many come back as a player gets at
/// once: Limits::invitation_burst of them, with the default limits those of the last minute. Of
/// these, one sender, address or network has only a part, see shares.hpp. What it remembers is at
/// most `invitation_burst` for each player who is invited. O(invitation_burst).
class Invitations {
 public:
  /// `limits` must outlive it.
  explicit Invitations(const Limits& limits) : limits_(limits) {}

  /// Counts an invitation from `sender`, who is at `origin`. If the guest has had too many, it is
  /// not counted, and the time until the next one is returned.
  std::optional<std::chrono::milliseconds> send(PlayerId guest, PlayerId sender, Origin origin,
                                                Time now);
  /// Players with invitations that are remembered.
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
  std::deque<std::pair<Time, PlayerId>> all_;                       // by guest; oldest first
};

}  // namespace tictactoe::server
