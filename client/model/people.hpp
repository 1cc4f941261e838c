// The people of a server, as its lists name them.
#pragma once

#include <string>
#include <vector>

#include "client/model/room.hpp"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::client {

/// One connected player. The texts are sanitized.
struct ListedPlayer {
  std::string name;
  /// As the server wrote it, to invite the player; not for a screen. Empty if no server takes it.
  std::string wire_name;
  std::string room;  ///< empty for none, and for one that is not to be known
};

ListedPlayer read_player(const v1::PlayerInfo& info);

/// The people in a room. The texts are sanitized.
struct Members {
  Occupant x;
  Occupant o;
  std::vector<std::string> watchers;
};

/// Adds a page of the list.
void add_members(Members& members, const v1::MemberList& page, std::size_t most_watchers);

}  // namespace tictactoe::client
