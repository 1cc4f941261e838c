// Where a finished game was decided.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "client/model/room.hpp"
#include "tictactoe/v1/types.pb.h"

namespace tictactoe::client {

/// From `moves` moves on, all positions have one result if both sides play their best.
struct Decision {
  Mark result = Mark::none;  ///< the side that wins; none: a draw
  std::size_t moves = 0;
  /// The result before the last of these moves, which was the last mistake. Nothing if there are
  /// none, or if it could not be worked out.
  std::optional<Mark> before;
};

/// Works out where a game was decided, on a thread of its own. `done` is called there, once, with
/// nothing if the board is too large; never after the result of this function is gone, which ends
/// the work.
using Analyse = std::function<std::shared_ptr<void>(
    const v1::GameRecord& game, std::function<void(std::optional<Decision>)> done)>;

}  // namespace tictactoe::client
