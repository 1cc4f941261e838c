// People: lists of them, chat in the lobby, invitations, and who is muted.
#include <algorithm>
#include <utility>

#include "client/model/sanitized.hpp"
#include "client/session/session.hpp"
#include "common/unicode/letters.hpp"

namespace tictactoe::client {

// Lists -------------------------------------------------------------------------------------------

// False if that list is being answered already.
bool Session::begin_list(const v1::ClientMessage& message) {
  if (message.has_list_rooms()) return rooms_.begin();
  if (message.has_list_players()) return players_.begin();
  return !message.has_list_members() || members_.begin();
}

void Session::give_up_list(const v1::ClientMessage& message) {
  if (message.has_list_rooms()) rooms_.give_up();
  if (message.has_list_players()) players_.give_up();
  if (message.has_list_members()) members_.give_up();
  if (message.has_list_games()) asks_games_ = false;
}

template <auto mutable_list>
void Session::ask_on(const std::string& after) {
  v1::ClientMessage message;
  (message.*mutable_list)()->set_after(after);
  send(std::move(message));
}

void Session::on_room_list(const v1::RoomList& page) {
  auto* const rooms = rooms_.coming();
  if (!rooms) return;
  emit(RoomPage{page});
  std::string last;
  for (const v1::RoomInfo& info : page.rooms()) {
    if (rooms->size() < max_listed_rooms) rooms->push_back(read_room_info(info));
    last = info.name();
  }
  if (rooms_.goes_on(page.more() && rooms->size() < max_listed_rooms, last)) {
    return ask_on<&v1::ClientMessage::mutable_list_rooms>(last);
  }
  emit(RoomsListed{!page.more()});
}

void Session::on_player_list(const v1::PlayerList& page) {
  auto* const players = players_.coming();
  if (!players) return;
  emit(PlayerPage{page});
  std::string last;
  for (const v1::PlayerInfo& info : page.players()) {
    if (players->size() < max_listed_people) players->push_back(read_player(info));
    last = info.name();
  }
  if (players_.goes_on(page.more() && players->size() < max_listed_people, last)) {
    return ask_on<&v1::ClientMessage::mutable_list_players>(last);
  }
  emit(PlayersListed{!page.more()});
}

void Session::on_member_list(const v1::MemberList& page) {
  Members* const members = members_.coming();
  if (!members) return;
  add_members(*members, page, max_listed_people);
  const bool more = page.more() && members->watchers.size() < max_listed_people;
  const std::string last = page.watchers().empty() ? "" : *page.watchers().rbegin();
  if (members_.goes_on(more, last)) return ask_on<&v1::ClientMessage::mutable_list_members>(last);
  emit(MembersListed{});
}

// Invitations -------------------------------------------------------------------------------------

void Session::on_invited(const v1::Invited& invited) {
  const std::string from = sanitized(invited.from());
  if (is_muted(from)) return;
  last_inviter_ = from;
  emit(InvitationCame{from, read_room_info(invited.room())});
}

void Session::on_done(const std::optional<v1::ClientMessage>& asked) {
  if (asked && asked->has_invite()) emit(InvitationSent{sanitized(asked->invite().player())});
}

// Muted players -----------------------------------------------------------------------------------

bool Session::mute(const std::string& player) {
  const std::string name = sanitized(player);
  if (muted_.size() >= max_muted && !is_muted(name)) return false;
  muted_.insert_or_assign(unicode::folded(name), name);
  if (room_) leave_out_muted(room_->chat);
  leave_out_muted(lobby_chat_);
  return true;
}

bool Session::unmute(const std::string& player) {
  return muted_.erase(unicode::folded(sanitized(player))) > 0;
}

bool Session::is_muted(const std::string& player) const {
  return muted_.contains(unicode::folded(player));
}

void Session::leave_out_muted(std::deque<ChatLine>& chat) const {
  std::erase_if(chat, [&](const ChatLine& line) { return is_muted(line.from); });
}

// The lobby ---------------------------------------------------------------------------------------

void Session::watch_lobby(bool stop) {
  watches_lobby_ = !stop;
  v1::ClientMessage message;
  message.mutable_watch_lobby()->set_stop(stop);
  send(std::move(message));
}

// Watches the lobby while the player is in no room.
void Session::follow_lobby() {
  const bool can_ask = link_ == Link::up && !leaving_ && !ending_;
  if (!options_.follow_lobby || !can_ask || watches_lobby_ == !room_) return;
  watch_lobby(room_.has_value());
}

// The first pages are the whole list, and what follows is what changes in it.
void Session::update_lobby_rooms(const v1::LobbyUpdate& update) {
  if (update.reset()) {
    lobby_rooms_.clear();
    lobby_is_complete_ = false;
  }
  for (const std::string& name : update.closed()) lobby_rooms_.erase(name);
  for (const v1::RoomInfo& info : update.rooms()) {
    const bool fits = lobby_rooms_.size() < max_listed_rooms;
    if (fits || lobby_rooms_.contains(info.name())) {
      lobby_rooms_.insert_or_assign(info.name(), read_room_info(info));
    }
  }
  const bool first = update.complete() && !lobby_is_complete_;
  lobby_is_complete_ = lobby_is_complete_ || update.complete();
  const bool rooms_changed = first || update.rooms_size() > 0 || update.closed_size() > 0;
  const bool players_changed = std::exchange(lobby_players_, update.players()) != update.players();
  if (!lobby_is_complete_ || !(rooms_changed || players_changed)) return;
  if (rooms_changed) {
    std::vector<ListedRoom> rooms;
    for (const auto& [name, room] : lobby_rooms_) rooms.push_back(room);
    rooms_.set_whole(std::move(rooms));
  }
  emit(LobbyChanged{});
}

void Session::on_lobby_update(const v1::LobbyUpdate& update) {
  if (update.stopped()) return;
  update_lobby_rooms(update);
  std::deque<ChatLine> said;
  for (const v1::ChatSaid& line : update.chat()) said.push_back(read_chat(line));
  leave_out_muted(said);
  // The first update has the latest lines, of which some may be known from before.
  const std::size_t known = update.reset() ? lines_known(lobby_chat_, said) : 0;
  for (std::size_t i = known; i < said.size(); ++i) {
    lobby_chat_.push_back(said[i]);
    if (lobby_chat_.size() > max_kept_chat) lobby_chat_.pop_front();
    if (!leaving_) emit(LobbySaid{said[i]});
  }
}

}  // namespace tictactoe::client
