// Notices to all players.
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "server/base/deadlines.hpp"
#include "server/base/effects.hpp"
#include "server/people/connections.hpp"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::server {

/// Sends notices to all players, to a bounded number of them per slice. The next slice is a
/// deadline that is due at once, so other events are handled between two slices.
class Notices {
 public:
  /// Both must outlive it.
  Notices(const Connections& connections, Deadlines& deadlines)
      : connections_(connections), deadlines_(deadlines) {}

  /// Whether too many notices are waiting for the owner to add another.
  bool is_full() const { return waiting_.size() >= 8; }
  /// Sends the first slice. Players who connect later may get the notice as well.
  void send(v1::Notice::Kind kind, const std::string& text, std::uint32_t within_ms, Time now,
            Effects& effects);
  /// Sends the next slice.
  void deadline_reached(Time now, Effects& effects);

 private:
  struct QueuedNotice {
    std::string message;          // encoded
    std::uint32_t next_slot = 0;  // the first connection that still needs it
  };

  const Connections& connections_;
  Deadlines& deadlines_;
  std::deque<QueuedNotice> waiting_;
  Deadlines::Place deadline_;
};

}  // namespace tictactoe::server
