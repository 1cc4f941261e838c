// The answer to a LookUp, encoded off the event loop.
#pragma once

#include <cstddef>
#include <string>

#include "tictactoe/v1/server.pb.h"

namespace tictactoe::server {

/// An encoded ServerMessage without a request id: a GameList, a GameFound or an Error.
using LookUpAnswer = std::string;

/// Encodes an answer. Leaves out the times of the moves if a frame with a request id would exceed
/// `max_bytes` (see Limits::server_frame_bytes); the longest game then fits. Thread-safe.
LookUpAnswer encode_answer(v1::ServerMessage message, std::size_t max_bytes);

/// The answer for a connection whose outbox has no space.
LookUpAnswer no_space_for_answer();

}  // namespace tictactoe::server
