// The list of rooms as a table.
#pragma once

#include <string>
#include <vector>

#include "client/model/lists.hpp"

namespace tictactoe::client {

/// What a list shows of a room, beside its name.
struct RoomRow {
  std::string board;
  std::string x;
  std::string o;
  std::string state;
};
RoomRow row_of(const ListedRoom& room);

/// The table, sorted; each line ended by a newline. `complete` is false if the server has more.
std::string draw_room_table(std::vector<ListedRoom> rooms, bool complete);

}  // namespace tictactoe::client
