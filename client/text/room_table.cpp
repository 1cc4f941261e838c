#include "client/text/room_table.hpp"

#include <algorithm>
#include <utility>

#include "client/model/sanitized.hpp"
#include "client/text/narration.hpp"
#include "client/text/table.hpp"

namespace tictactoe::client {
namespace {

// Longest name that a table shows whole, so that a line stays within 80 columns.
constexpr std::size_t max_cell_name = 16;

std::string seat_text(const Occupant& occupant) {
  if (occupant.kind == Occupant::Kind::open) return "open";
  return sanitized(name_of(occupant), max_cell_name);
}

// 0 can be joined as it is, 1 with a password, 2 only watched.
int rank(const ListedRoom& room) {
  if (!room.open) return 2;
  return room.needs_password ? 1 : 0;
}

std::vector<std::string> table_line(const ListedRoom& room) {
  const std::string lock = room.needs_password ? ", password" : "";
  const std::string watchers =
      room.watchers > 0 ? ", " + std::to_string(room.watchers) + " watching" : "";
  return {room.name, room.board, room.x, room.o, room.state + lock + watchers};
}

}  // namespace

ListedRoom read_room_info(const v1::RoomInfo& info) {
  ListedRoom room;
  room.name = sanitized(info.name(), max_cell_name * 2);
  if (info.name().size() <= 4 * max_shown_name) room.wire_name = info.name();
  room.board =
      rules_text(info.rules().rows(), info.rules().cols(), info.rules().k(), info.rules().exact());
  const Occupant x = read_occupant(info.x());
  const Occupant o = read_occupant(info.o());
  room.x = seat_text(x);
  room.o = seat_text(o);
  room.open = x.kind == Occupant::Kind::open || o.kind == Occupant::Kind::open;
  room.needs_password = info.needs_password();
  room.watchers = info.watchers();
  switch (read_phase(info.phase())) {
    case Phase::waiting:
      room.state = "waiting";
      break;
    case Phase::playing:
      room.state = "move " + std::to_string(std::uint64_t{info.ply()} + 1);
      break;
    case Phase::finished:
      room.state = "over";
      break;
  }
  return room;
}

void sort_rooms(std::vector<ListedRoom>& rooms) {
  std::sort(rooms.begin(), rooms.end(), [](const ListedRoom& a, const ListedRoom& b) {
    return std::pair(rank(a), a.name) < std::pair(rank(b), b.name);
  });
}

std::string draw_room_table(std::vector<ListedRoom> rooms, bool complete) {
  if (rooms.empty()) return "No rooms yet: `play` or `create NAME` opens one.\n";
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
