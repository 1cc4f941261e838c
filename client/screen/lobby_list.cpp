#include "client/screen/lobby_list.hpp"

#include <algorithm>
#include <utility>

#include "client/words/lists.hpp"
#include "common/unicode/letters.hpp"

namespace tictactoe::screen {
namespace {

std::string folded_text(const client::ListedRoom& room) {
  const client::RoomRow row = client::row_of(room);
  return unicode::folded(room.name + "\n" + row.board + "\n" + row.x + "\n" + row.o + "\n" +
                         row.state);
}

}  // namespace

void LobbyList::set_rooms(std::vector<client::ListedRoom> rooms) {
  all_ = std::move(rooms);
  client::sort_rooms(all_);
  refilter();
}

void LobbyList::refilter() {
  const client::ListedRoom* const selected = selected_room();
  const std::string chosen = selected == nullptr ? "" : selected->wire_name;
  shown_ = all_;
  if (const std::string wanted = unicode::folded(filter_.text()); !wanted.empty()) {
    std::erase_if(shown_, [&](const auto& room) {
      return folded_text(room).find(wanted) == std::string::npos;
    });
  }
  const auto again = std::ranges::find(shown_, chosen, &client::ListedRoom::wire_name);
  if (!chosen.empty() && again != shown_.end()) {
    selected_ = static_cast<std::size_t>(again - shown_.begin());
  }
  if (selected_ >= shown_.size()) selected_ = shown_.empty() ? 0 : shown_.size() - 1;
}

}  // namespace tictactoe::screen
