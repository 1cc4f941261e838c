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

// Adds a page of at most `most` items in all.
template <auto mutable_list, class Item, class Page, class Read>
std::optional<v1::ClientMessage> add_items(PagedList<std::vector<Item>>& list, const Page& page,
                                           bool more, std::size_t most, Read read) {
  std::vector<Item>& listed = *list.coming();
  for (const auto& item : page) {
    if (listed.size() < most) listed.push_back(read(item));
  }
  return next_page<mutable_list>(list, more && listed.size() < most,
                                 page.empty() ? "" : page.rbegin()->name());
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
  return add_items<&v1::ClientMessage::mutable_list_rooms>(rooms, page.rooms(), page.more(),
                                                           max_listed_rooms, read_room_info);
}

std::optional<v1::ClientMessage> Listings::add(const v1::PlayerList& page) {
  return add_items<&v1::ClientMessage::mutable_list_players>(players, page.players(), page.more(),
                                                             max_listed_people, read_player);
}

std::optional<v1::ClientMessage> Listings::add(const v1::MemberList& page) {
  Members& listed = *members.coming();
  add_members(listed, page, max_listed_people);
  const std::string last = page.watchers().empty() ? "" : *page.watchers().rbegin();
  const bool more = page.more() && listed.watchers.size() < max_listed_people;
  return next_page<&v1::ClientMessage::mutable_list_members>(members, more, last);
}

}  // namespace tictactoe::client
