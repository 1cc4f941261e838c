#include "client/session/listings.hpp"

#include <utility>

namespace tictactoe::client {
namespace {

// The request for the page after `last`; nothing if the list is complete.
template <auto mutable_list, class Value>
std::optional<v1::ClientMessage> next_page(PagedList<Value>& list, bool more,
                                           const std::string& last) {
  if (!list.goes_on(more, last)) return std::nullopt;
  v1::ClientMessage message;
  (message.*mutable_list)()->set_after(last);
  return message;
}

}  // namespace

bool GameList::begin(const std::string& player) {
  if (is_asking_) return false;
  player_ = player;
  games_.reset();
  has_more_ = false;
  return true;
}

v1::ClientMessage GameList::next_page() const {
  v1::ClientMessage message;
  message.mutable_list_games()->set_player(player_);
  if (games_ && !games_->empty()) message.mutable_list_games()->set_before(games_->back().id);
  return message;
}

void GameList::add(const v1::GameList& page) {
  is_asking_ = false;
  if (!games_) games_.emplace();
  bool falling = true;  // else the server leads us in circles
  for (const v1::GameRecord& game : page.games()) {
    falling = falling && (games_->empty() || game.id() < games_->back().id);
    if (falling && games_->size() < max_listed_games) games_->push_back(read_game(game));
  }
  has_more_ = page.more() && falling && !page.games().empty() && games_->size() < max_listed_games;
}

bool Listings::begin(const v1::ClientMessage& request) {
  if (request.has_list_rooms()) return rooms.begin();
  if (request.has_list_players()) return players.begin();
  return !request.has_list_members() || members.begin();
}

void Listings::give_up(const v1::ClientMessage& request) {
  if (request.has_list_rooms()) rooms.give_up();
  if (request.has_list_players()) players.give_up();
  if (request.has_list_members()) members.give_up();
  if (request.has_list_games()) games.set_asking(false);
}

std::optional<v1::ClientMessage> Listings::add(const v1::RoomList& page) {
  std::vector<ListedRoom>& listed = *rooms.coming();
  for (const v1::RoomInfo& info : page.rooms()) {
    if (listed.size() < max_listed_rooms) listed.push_back(read_room_info(info));
  }
  const std::string last = page.rooms().empty() ? "" : page.rooms().rbegin()->name();
  return next_page<&v1::ClientMessage::mutable_list_rooms>(
      rooms, page.more() && listed.size() < max_listed_rooms, last);
}

std::optional<v1::ClientMessage> Listings::add(const v1::PlayerList& page) {
  std::vector<ListedPlayer>& listed = *players.coming();
  for (const v1::PlayerInfo& info : page.players()) {
    if (listed.size() < max_listed_people) listed.push_back(read_player(info));
  }
  const std::string last = page.players().empty() ? "" : page.players().rbegin()->name();
  return next_page<&v1::ClientMessage::mutable_list_players>(
      players, page.more() && listed.size() < max_listed_people, last);
}

std::optional<v1::ClientMessage> Listings::add(const v1::MemberList& page) {
  Members& listed = *members.coming();
  add_members(listed, page, max_listed_people);
  const std::string last = page.watchers().empty() ? "" : *page.watchers().rbegin();
  const bool more = page.more() && listed.watchers.size() < max_listed_people;
  return next_page<&v1::ClientMessage::mutable_list_members>(members, more, last);
}

}  // namespace tictactoe::client
