// Requests with several fields. Session sends them; dialogs and commands build them in advance.
#pragma once

#include <string>

#include "client/model/room.hpp"
#include "tictactoe/v1/client.pb.h"

namespace tictactoe::client {

/// Takes a seat of a room; Mark::none stands for any open one.
inline v1::ClientMessage join_room(const std::string& name, Mark seat = Mark::none,
                                   const std::string& password = {}) {
  v1::ClientMessage message;
  v1::JoinRoom& join = *message.mutable_join_room();
  join.set_name(name);
  join.set_seat(write_mark(seat));
  join.set_password(password);
  return message;
}

inline v1::ClientMessage watch_room(const std::string& name, const std::string& password = {}) {
  v1::ClientMessage message;
  message.mutable_watch_room()->set_name(name);
  message.mutable_watch_room()->set_password(password);
  return message;
}

/// Invites a player to the room that the session is in.
inline v1::ClientMessage invite(const std::string& player) {
  v1::ClientMessage message;
  message.mutable_invite()->set_player(player);
  return message;
}

/// Whether the request enters a room, so that its answer is a snapshot.
inline bool enters_room(const v1::ClientMessage& message) {
  return message.has_create_room() || message.has_join_room() || message.has_watch_room() ||
         message.has_play();
}

/// Whether it only reads, and can be sent again at any time. A repeated hint may be announced
/// twice.
inline bool only_asks(const v1::ClientMessage& message) {
  return message.has_list_rooms() || message.has_list_players() || message.has_list_members() ||
         message.has_list_games() || message.has_get_game() || message.has_hint();
}

/// Whether a new connection takes its place.
inline bool is_for_connection(const v1::ClientMessage& message) {
  return message.has_ping() || message.has_get_snapshot() || message.has_watch_lobby();
}

/// Whether Welcome.last_request_done does not cover the request, so that after a lost connection
/// its fate is unknown.
inline bool is_uncounted(const v1::ClientMessage& message) {
  return message.has_say_in_lobby() || message.has_invite();
}

/// Puts an AI on a seat of the room; Mark::none stands for any open one, and an empty level for the
/// server's default.
inline v1::ClientMessage add_ai(Mark seat, const std::string& level) {
  v1::ClientMessage message;
  message.mutable_add_ai()->set_seat(write_mark(seat));
  message.mutable_add_ai()->set_level(level);
  return message;
}

}  // namespace tictactoe::client
