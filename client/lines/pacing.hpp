// When a script's next line is due. A person sees whose turn it is; a script can't, so its lines
// wait here for the moment they were written for.
#pragma once

#include <cstdint>
#include <string>

#include "client/model/room.hpp"
#include "client/words/command.hpp"

namespace tictactoe::client {

struct Readiness {
  enum class State : std::uint8_t {
    go,      ///< send it now
    wait,    ///< look again when something has happened in the room; `reason` says what for, if
             ///< it may never happen
    refuse,  ///< its moment has passed; `reason` says why
  };
  State state = State::go;
  std::string reason;
};

/// A move and a hint wait for the own turn, a rematch and `wait` for the end of the game;
/// everything else goes at once. `room` is null outside of rooms. After a request for a rematch the
/// next game counts as one that has yet to begin. All requests before it must have been answered.
Readiness readiness(const Command& command, const Room* room);

}  // namespace tictactoe::client
