// What requests cost, in tokens of the connection's bucket.
#pragma once

#include <cstddef>

#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/types.pb.h"

namespace tictactoe::core {

/// What one kind of request costs.
struct RequestCost {
  v1::ClientMessage::RequestCase request;
  int tokens = 1;           ///< charged before the request is handled
  int moves_per_token = 0;  ///< one more for each group of this many moves; 0: none
};

/// An announcement costs one token more for each group of this many receivers, charged to the
/// player who caused it when it is sent.
inline constexpr std::size_t receivers_per_token = 20;

/// A request in JSON, which takes longer to read, costs one token more for each group of this many
/// bytes of its text.
inline constexpr std::size_t text_bytes_per_token = 256;

/// The cost of one kind of request. O(1).
const RequestCost& cost_of(v1::ClientMessage::RequestCase request);

/// What an answer with that many moves costs beside that, in whole tokens. Known only when the
/// answer is made, so it may leave a debt.
int cost_of_moves(v1::ClientMessage::RequestCase request, int moves);

/// Lists the costs for clients: every kind of request that does not cost just 1.
void describe_costs(v1::Limits& out);

}  // namespace tictactoe::core
