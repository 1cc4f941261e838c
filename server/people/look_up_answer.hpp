// The answer to a LookUp, encoded beside the event loop.
#pragma once

#include <cstddef>
#include <string>

#include "tictactoe/v1/server.pb.h"

namespace tictactoe::server {

/// An encoded ServerMessage without a request id: a GameList, a GameFound or an Error.
using LookUpAnswer = std::string;

/// If a frame of the message and a request id is longer than `max_bytes` (see
/// Limits::server_frame_bytes), leaves out the times of the moves; the moves of the longest game
/// fit. Uses no state: any thread may call it.
LookUpAnswer encode_answer(v1::ServerMessage message, std::size_t max_bytes);

/// The answer if the outbox of the connection has no space.
LookUpAnswer no_space_for_answer();

}  // namespace tictactoe::server
