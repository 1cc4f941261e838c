// The list of rooms as a table.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "client/model/lists.hpp"
#include "client/text/controls.hpp"
#include "client/text/table.hpp"

namespace tictactoe::client {

/// What a list shows of a room, besides its name.
struct RoomRow {
  std::string board;
  std::string x;
  std::string o;
  std::string state;
};
/// Names of people have at most so many characters.
RoomRow row_of(const ListedRoom& room, std::size_t most_of_name = max_table_name);

/// What an empty list says.
std::string no_rooms_text(Controls controls);

/// "2 with an open seat".
std::string with_open_seat_text(std::size_t rooms);

/// The table, sorted; each line ended by a newline. `complete` is false if the server has more.
std::string draw_room_table(std::vector<ListedRoom> rooms, bool complete);

}  // namespace tictactoe::client
