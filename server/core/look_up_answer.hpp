// The answer to a LookUp, encoded beside the event loop.
#pragma once

#include <memory>
#include <string>

#include "server/core/config.hpp"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::core {

/// The record of a long game has megabytes: it is encoded where it is read, and not copied after
/// that.
struct LookUpAnswer {
  std::shared_ptr<const std::string> message;  ///< a ServerMessage without a request id; never null
  int moves = 0;                               ///< in it, which the client pays for
};

/// `message` is a GameList, a GameFound or an Error. If it is longer than a frame may be, the times
/// of the moves are left out: the moves of the longest game fit. Uses no state, so that any thread
/// may call it.
LookUpAnswer encode_answer(v1::ServerMessage message, const Limits& limits);

/// Instead of an answer for which there is no space in the connection's outbox.
LookUpAnswer no_space_for_answer();

}  // namespace tictactoe::core
