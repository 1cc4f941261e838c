// What became of requests whose answers were lost with a connection.
//
// After coming back the server tells what happened meanwhile. Nothing of the former connection is
// carried out after that, so a request whose effect can't be seen was not done, and can be sent
// again. Only where the server sent a snapshot instead of all the updates is there something that
// leaves no trace: then, and only then, it is not known.
#pragma once

#include <cstdint>
#include <string>

#include "client/model/room.hpp"
#include "tictactoe/v1/client.pb.h"

namespace tictactoe::client {

/// Whether this update, of those that were missed, is what `asked` was to bring about. `room` is
/// the mirror with the update applied, `me` the own name as shown.
bool brought_about(const v1::RoomUpdate& update, const v1::ClientMessage& asked, const Room& room,
                   const std::string& me);

/// Whether `line`, first seen after coming back, is what `asked` was to say.
bool said_by(const ChatLine& line, const v1::ClientMessage& asked, const std::string& me);

enum class Fate : std::uint8_t {
  done,
  not_done,  ///< to be sent again
  unknown,
  obsolete,  ///< what it was meant for is gone; that was told already
};

/// What became of a request that no update was found for. `room` is the mirror after coming back,
/// null for none; `by_snapshot` where it was told at once and not by every update.
Fate fate_of(const v1::ClientMessage& asked, const Room* room, bool by_snapshot);

}  // namespace tictactoe::client
