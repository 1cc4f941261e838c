// The services that the surrounding program offers a front end during a session.
#pragma once

#include <functional>
#include <memory>

#include "client/model/decision.hpp"
#include "client/net/invitation.hpp"

namespace tictactoe::client {

/// Each may be null. Callbacks are made once, later, in the thread of the front end. Releasing the
/// result cancels the work; no callback is made after that.
struct Services {
  /// Finds out how others join the session's server.
  std::function<std::shared_ptr<void>(std::function<void(const Invitation&)> done)> find_invitation;
  /// Finds out where a game was decided.
  Analyse analyse;
};

}  // namespace tictactoe::client
