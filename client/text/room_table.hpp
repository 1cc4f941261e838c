// The list of rooms as a table.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "client/model/lists.hpp"

namespace tictactoe::client {

/// Lines of a table of rooms or games; of more than these it says how many there are.
inline constexpr std::size_t max_table_rows = 200;
/// Longest name that a table shows whole, so that a line stays within 80 columns.
inline constexpr std::size_t max_table_name = 16;

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
