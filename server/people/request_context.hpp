// The context of an event: when it happens, who caused it, and where its effects go.
#pragma once

#include <cstdint>

#include "server/base/effects.hpp"
#include "server/people/players.hpp"

namespace tictactoe::server {

struct Peer;

/// Passed down with every event that the host handles. Lives for one call.
struct RequestContext {
  Time now;
  Effects& effects;
  /// Who sent the request; null before the hello, and without a request, as at a deadline.
  const Player* player = nullptr;
  /// Where the answer goes.
  ConnectionId connection = {};  // NOLINT(readability-redundant-member-init)
  std::uint64_t request_id = 0;  ///< 0 if there is no request
  /// The open connection of the request; null if there is none.
  Peer* peer = nullptr;

  /// The same event, for a change that is not the answer to the request.
  RequestContext without_request() const { return {now, effects}; }

  /// An empty record that names the request that caused it, if any.
  journal::v1::Record& draft_record() const {
    auto& record = effects.draft<journal::v1::Record>();
    if (player != nullptr && request_id != 0) {
      record.set_requester(player->id);
      record.set_request_done(request_id);
    }
    return record;
  }
};

}  // namespace tictactoe::server
