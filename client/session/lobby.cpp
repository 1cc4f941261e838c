#include "client/session/lobby.hpp"

#include <utility>

#include "client/session/listings.hpp"

namespace tictactoe::client {

// Whether the list of rooms has changed.
bool Lobby::change_rooms(const v1::LobbyUpdate& update) {
  if (update.reset()) {
    rooms_.clear();
    is_complete_ = false;
  }
  for (const std::string& name : update.closed()) rooms_.erase(name);
  for (const v1::RoomInfo& info : update.rooms()) {
    if (rooms_.size() < max_listed_rooms || rooms_.contains(info.name())) {
      rooms_.insert_or_assign(info.name(), read_room_info(info));
    }
  }
  const bool is_first = update.complete() && !std::exchange(is_complete_, true);
  return is_first || update.rooms_size() > 0 || update.closed_size() > 0;
}

// After a reset the server sends the latest lines again. Drops those that are known.
void Lobby::add_chat(const v1::LobbyUpdate& update, std::deque<ChatLine>& said) {
  for (const v1::ChatSaid& line : update.chat()) said.push_back(read_chat(line));
  muted_.leave_out_of(said);
  if (update.reset()) {
    said.erase(said.begin(), said.begin() + static_cast<std::ptrdiff_t>(lines_known(chat_, said)));
  }
  chat_.insert(chat_.end(), said.begin(), said.end());
  while (chat_.size() > max_kept_chat) chat_.pop_front();
}

Lobby::News Lobby::apply(const v1::LobbyUpdate& update) {
  News news;
  const bool rooms = change_rooms(update);
  const bool players = std::exchange(players_, update.players()) != update.players();
  news.rooms = is_complete_ && rooms;
  news.players = is_complete_ && players;
  add_chat(update, news.said);
  return news;
}

bool Lobby::mute(const std::string& player) {
  if (!muted_.add(player)) return false;
  muted_.leave_out_of(chat_);
  return true;
}

std::vector<ListedRoom> Lobby::rooms() const {
  std::vector<ListedRoom> rooms;
  rooms.reserve(rooms_.size());
  for (const auto& [name, room] : rooms_) rooms.push_back(room);
  return rooms;
}

}  // namespace tictactoe::client
