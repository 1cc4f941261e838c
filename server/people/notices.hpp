// Notices to every player.
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "server/base/deadlines.hpp"
#include "server/base/effects.hpp"
#include "server/people/connections.hpp"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::server {

/// Sends notices to every player, to a bounded number of them in each slice. The next slice is a
/// deadline that is due at once, so everything else goes on between two slices.
class Notices {
 public:
  /// Both must outlive it.
  Notices(const Connections& connections, Deadlines& deadlines)
      : connections_(connections), deadlines_(deadlines) {}

  /// So many wait for their slices that the owner should not add another one.
  bool is_full() const { return waiting_.size() >= 8; }
  /// Sends the first slice. Players who come later may get the notice, too.
  void send(v1::Notice::Kind kind, const std::string& text, std::uint32_t within_ms, Time now,
            Effects& effects);
  /// Sends the next slice.
  void deadline_reached(Time now, Effects& effects);

 private:
  struct Waiting {
    std::string message;          // encoded
    std::uint32_t next_slot = 0;  // of a connection that it has not been sent to
  };

  const Connections& connections_;
  Deadlines& deadlines_;
  std::deque<Waiting> waiting_;
  Deadlines::Place deadline_;
};

}  // namespace tictactoe::server
