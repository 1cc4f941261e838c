// What became of requests whose answers were lost with a connection.
//
// When the client comes back, the server sends what it has missed. Nothing of the former connection
// is carried out after that, so a request whose effect can't be seen was not done, and can be sent
// again. If the server sends a snapshot instead of the updates, some requests leave no trace. Only
// then is their fate unknown.
#pragma once

#include <cstdint>
#include <string>

#include "client/model/room.hpp"
#include "tictactoe/v1/client.pb.h"

namespace tictactoe::client {

/// Whether this update, of those that were missed, is what `asked` was to bring about. `room` is
/// the mirror with the update applied, `me` the own name as shown.
bool is_result_of(const v1::RoomUpdate& update, const v1::ClientMessage& asked, const Room& room,
                  const std::string& me);

/// Whether `line`, first seen after coming back, is what `asked` was to say.
bool said_by(const ChatLine& line, const v1::ClientMessage& asked, const std::string& me);

enum class Fate : std::uint8_t {
  done,
  not_done,  ///< to be sent again
  unknown,
  obsolete,  ///< its purpose is gone, and the person knows
};

/// What became of a request that no update was found for. `room` is the mirror after coming back,
/// null for none; `by_snapshot` if the server sent a snapshot instead of the updates.
Fate fate_of(const v1::ClientMessage& asked, const Room* room, bool by_snapshot);

}  // namespace tictactoe::client
