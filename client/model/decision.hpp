// Where a finished game was decided.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "client/model/room.hpp"
#include "tictactoe/v1/types.pb.h"

namespace tictactoe::client {

/// After `moves` moves, all further positions of the game have the same result with best play.
struct Decision {
  Mark result = Mark::none;  ///< the side that wins; none: a draw
  std::size_t moves = 0;
  /// The result before the last of these moves, which was the last mistake. Nothing if there are no
  /// such moves, or if the result is unknown.
  std::optional<Mark> before;
};

/// Finds out where a game was decided, on a thread of its own. Calls `done` once, with nothing if
/// the board is too large; in that thread unless the maker says otherwise. Releasing the result
/// cancels the work; `done` is not called after that.
using Analyse = std::function<std::shared_ptr<void>(
    const v1::GameRecord& game, std::function<void(std::optional<Decision>)> done)>;

}  // namespace tictactoe::client
