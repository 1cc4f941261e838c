#include "client/model/lists.hpp"

#include <algorithm>
#include <utility>

#include "client/model/sanitized.hpp"

namespace tictactoe::client {
namespace {

// 0 can be joined as it is, 1 with a password, 2 only watched.
int rank(const ListedRoom& room) {
  if (!room.has_open_seat()) return 2;
  return room.needs_password ? 1 : 0;
}

}  // namespace

ListedRoom read_room_info(const v1::RoomInfo& info) {
  ListedRoom room;
  constexpr std::size_t max_name = 32;
  room.name = sanitized(info.name(), max_name);
  if (info.name().size() <= 4 * max_shown_name) room.wire_name = info.name();
  room.rules = info.rules();
  room.x = read_occupant(info.x());
  room.o = read_occupant(info.o());
  room.phase = read_phase(info.phase());
  room.ply = info.ply();
  room.watchers = info.watchers();
  room.needs_password = info.needs_password();
  room.open_ai_seats = info.options().open_ai_seats();
  return room;
}

void sort_rooms(std::vector<ListedRoom>& rooms) {
  std::sort(rooms.begin(), rooms.end(), [](const ListedRoom& a, const ListedRoom& b) {
    return std::pair(rank(a), a.name) < std::pair(rank(b), b.name);
  });
}

ListedGame read_game(const v1::GameRecord& game) {
  return {game.id(),
          game.ended_unix_ms(),
          sanitized(game.room()),
          game.rules(),
          read_occupant(game.x()),
          read_occupant(game.o()),
          read_mark(game.outcome().winner()),
          game.outcome().reason()};
}

ListedPlayer read_player(const v1::PlayerInfo& info) {
  ListedPlayer player{sanitized(info.name()), {}, sanitized(info.room())};
  if (info.name().size() <= 4 * max_shown_name) player.wire_name = info.name();
  return player;
}

void add_members(Members& members, const v1::MemberList& page, std::size_t max_watchers) {
  if (page.has_x()) members.x = read_occupant(page.x());
  if (page.has_o()) members.o = read_occupant(page.o());
  for (const std::string& watcher : page.watchers()) {
    if (members.watchers.size() < max_watchers) members.watchers.push_back(sanitized(watcher));
  }
}

}  // namespace tictactoe::client
