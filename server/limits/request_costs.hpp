// The costs of requests, in tokens.
#pragma once

#include <cstddef>

#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/types.pb.h"

namespace tictactoe::server {

/// An announcement costs one more token for each group of this many receivers. The player who
/// caused it is charged when it is sent.
inline constexpr std::size_t receivers_per_token = 20;

/// A request in JSON takes longer to read, so it costs one more token per group of this many bytes.
inline constexpr std::size_t text_bytes_per_token = 256;

/// A room that begins with moves costs one more token for each group of this many moves, because
/// they are recorded again. Charged when the room is created, so it may leave a debt.
inline constexpr int recorded_moves_per_token = 50;

/// The cost of one kind of request, charged before the request is handled. O(1).
int cost_of(v1::ClientMessage::RequestCase request);

/// Whether a request of this kind changes something that must be recorded. O(1).
bool changes_something(v1::ClientMessage::RequestCase request);

/// Lists the costs for clients: every kind of request whose cost is not 1.
void describe_costs(v1::Limits& out);

}  // namespace tictactoe::server
