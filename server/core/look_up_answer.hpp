// The answer to a LookUp, encoded beside the event loop.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "tictactoe/v1/server.pb.h"

namespace tictactoe::core {

/// The record of a long game takes megabytes. It is encoded on the thread that reads it, and not
/// copied after that.
struct LookUpAnswer {
  std::shared_ptr<const std::string> message;  ///< a ServerMessage without a request id; never null
  int moves = 0;                               ///< in it, which the client pays for
};

/// `message` is a GameList, a GameFound or an Error. If it is longer than `longest` bytes (see
/// Limits::server_frame_bytes), the times of the moves are left out: the moves of the longest game
/// fit. Uses no state, so that any thread may call it.
LookUpAnswer encode_answer(v1::ServerMessage message, std::size_t longest);

/// Instead of an answer for which there is no space in the connection's outbox.
LookUpAnswer no_space_for_answer();

}  // namespace tictactoe::core
