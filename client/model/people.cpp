#include "client/model/people.hpp"

#include "client/model/sanitized.hpp"

namespace tictactoe::client {

ListedPlayer read_player(const v1::PlayerInfo& info) {
  ListedPlayer player{sanitized(info.name()), {}, sanitized(info.room())};
  if (info.name().size() <= 4 * max_shown_name) player.wire_name = info.name();
  return player;
}

void add_members(Members& members, const v1::MemberList& page, std::size_t most_watchers) {
  if (page.has_x()) members.x = read_occupant(page.x());
  if (page.has_o()) members.o = read_occupant(page.o());
  for (const std::string& watcher : page.watchers()) {
    if (members.watchers.size() < most_watchers) members.watchers.push_back(sanitized(watcher));
  }
}

}  // namespace tictactoe::client
