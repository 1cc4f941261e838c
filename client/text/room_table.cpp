#include "client/text/room_table.hpp"

#include "client/model/sanitized.hpp"
#include "client/text/narration.hpp"

namespace tictactoe::client {
namespace {

std::string state_text(const ListedRoom& room) {
  switch (room.phase) {
    case Phase::waiting:
      return "waiting";
    case Phase::playing:
      return "move " + std::to_string(std::uint64_t{room.ply} + 1);
    case Phase::finished:
      break;
  }
  return "over";
}

std::vector<std::string> table_line(const ListedRoom& room) {
  const RoomRow row = row_of(room);
  const std::string lock = room.needs_password ? ", password" : "";
  const std::string watchers =
      room.watchers > 0 ? ", " + std::to_string(room.watchers) + " watching" : "";
  return {room.name, row.board, row.x, row.o, row.state + lock + watchers};
}

}  // namespace

RoomRow row_of(const ListedRoom& room, std::size_t most_of_name) {
  return {rules_text(room.rules), sanitized(seat_text(room.x), most_of_name),
          sanitized(seat_text(room.o), most_of_name), state_text(room)};
}

std::string no_rooms_text(Controls controls) {
  return controls == Controls::lines ? "No rooms yet: `play` or `create NAME` opens one."
                                     : "No rooms yet. P opens one and waits there.";
}

std::string with_open_seat_text(std::size_t rooms) {
  return std::to_string(rooms) + " with an open seat";
}

std::string draw_room_table(std::vector<ListedRoom> rooms, bool complete) {
  if (rooms.empty()) return no_rooms_text(Controls::lines).append("\n");
  sort_rooms(rooms);
  std::vector<std::vector<std::string>> lines{{"ROOM", "BOARD", "X", "O", "STATE"}};
  for (const ListedRoom& room : rooms) {
    if (lines.size() > max_table_rows) break;
    lines.push_back(table_line(room));
  }
  std::string table = draw_table(lines);
  const std::size_t hidden = rooms.size() + 1 - lines.size();
  if (hidden > 0) table.append("... and " + std::to_string(hidden) + " more.\n");
  if (!complete) table.append("The server has more rooms than can be listed here.\n");
  return table;
}

}  // namespace tictactoe::client
