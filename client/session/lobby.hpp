// The lobby: its rooms and what is said in it, while a player follows it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "client/model/lists.hpp"
#include "client/model/room.hpp"
#include "client/session/muted.hpp"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::client {

class Lobby {
 public:
  /// What an update has changed. The rooms and players count only once all rooms have come.
  struct News {
    bool rooms = false;
    bool players = false;  ///< their number
    std::deque<ChatLine> said;
  };

  /// Whether this connection follows the lobby.
  bool is_followed() const { return is_followed_; }
  void set_followed(bool is_followed) { is_followed_ = is_followed; }

  /// The first updates are the list of rooms, the others what changes in it. At most `max_rooms`
  /// rooms are kept.
  News apply(const v1::LobbyUpdate& update, const Muted& muted, std::size_t max_rooms);
  std::vector<ListedRoom> rooms() const;
  /// The latest lines; at most max_kept_chat.
  const std::deque<ChatLine>& chat() const { return chat_; }
  void leave_out(const Muted& muted) { muted.leave_out_of(chat_); }

 private:
  bool change_rooms(const v1::LobbyUpdate& update, std::size_t max_rooms);
  void add_chat(const v1::LobbyUpdate& update, const Muted& muted, std::deque<ChatLine>& said);

  bool is_followed_ = false;
  bool is_complete_ = false;  // all rooms have come
  std::map<std::string, ListedRoom> rooms_;
  std::uint32_t players_ = 0;
  std::deque<ChatLine> chat_;
};

}  // namespace tictactoe::client
