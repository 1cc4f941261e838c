// The list of rooms as a table.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "client/model/room.hpp"

namespace tictactoe::client {

/// Rooms that a table shows; of more than these it says how many there are.
inline constexpr std::size_t max_table_rows = 200;

/// One room of the list. The texts are fit for a screen.
struct ListedRoom {
  std::string name;
  /// As the server wrote it, to ask for the room; not for a screen. Empty where no server would
  /// take it.
  std::string wire_name;
  std::string board;
  std::string x;
  std::string o;
  std::string state;
  std::uint32_t watchers = 0;
  bool open = false;  ///< has a seat to take
  bool needs_password = false;
};

ListedRoom read_room_info(const v1::RoomInfo& info);

/// Rooms that can be joined first, those among them that need a password after the others.
void sort_rooms(std::vector<ListedRoom>& rooms);

/// The table, sorted; each line ended by a newline. `complete` is false where the server has more.
std::string draw_room_table(std::vector<ListedRoom> rooms, bool complete);

}  // namespace tictactoe::client
