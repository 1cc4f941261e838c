// The room that a player is in, and the state that goes with it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "client/model/room.hpp"
#include "client/model/time.hpp"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::client {

/// A good move, for the position of `game` with `ply` marks and after `takebacks` takebacks.
struct HintedCell {
  Cell cell;
  Mark mark = Mark::none;
  std::uint32_t game = 0;
  std::uint32_t ply = 0;
  std::uint32_t takebacks = 0;
  bool cannot_lose = false;  ///< proven; otherwise a suggestion
};

struct OwnRoom {
  std::optional<Room> room;  ///< nothing outside of rooms
  std::string password;
  Time clocks_from;           ///< when the server sent the clocks
  int resyncs = 0;            ///< snapshots requested since the last consistent update
  bool is_resyncing = false;  ///< a snapshot is asked for
  std::optional<HintedCell> last_hint;

  /// The last hint, if the position has not changed since.
  const HintedCell* hint() const {
    const bool stands = last_hint && room && room->phase == Phase::playing &&
                        last_hint->game == room->game && last_hint->ply == room->board.count() &&
                        last_hint->takebacks == room->takebacks;
    return stands ? &*last_hint : nullptr;
  }
  void note_hint(const v1::Hinted& hinted) {
    last_hint = HintedCell{{hinted.cell().row(), hinted.cell().col()},
                           read_mark(hinted.mark()),
                           hinted.game(),
                           hinted.ply(),
                           hinted.takebacks(),
                           hinted.cannot_lose()};
  }
  void forget() {
    room.reset();
    last_hint.reset();
    is_resyncing = false;
    password.clear();
  }
};

}  // namespace tictactoe::client
