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
  if (message.has_list_rooms()) {
    if (listing_) return false;
    listing_.emplace();
  } else if (message.has_list_players()) {
    if (player_listing_) return false;
    player_listing_.emplace();
  } else if (message.has_list_members()) {
    if (member_listing_) return false;
    member_listing_.emplace();
  } else {
    return true;
  }
  list_pages_ = 0;
  return true;
}

void Session::forget_list(const v1::ClientMessage& message) {
  if (message.has_list_rooms()) listing_.reset();
  if (message.has_list_players()) player_listing_.reset();
  if (message.has_list_members()) member_listing_.reset();
}

void Session::on_player_list(const v1::PlayerList& list) {
  if (!player_listing_) return;
  emit(PlayerPage{list});
  for (const v1::PlayerInfo& info : list.players()) {
    if (player_listing_->size() < max_listed_people) player_listing_->push_back(read_player(info));
  }
  // A name that no server would take is no name to go on from.
  const std::string after = list.players().empty() ? "" : player_listing_->back().wire_name;
  if (list.more() && !after.empty() && player_listing_->size() < max_listed_people &&
      ++list_pages_ < max_list_pages) {
    v1::ClientMessage message;
    message.mutable_list_players()->set_after(after);
    return send(std::move(message));
  }
  players_ = std::exchange(player_listing_, {});
  emit(PlayersListed{!list.more()});
}

void Session::on_member_list(const v1::MemberList& list) {
  if (!member_listing_) return;
  add_members(*member_listing_, list, max_listed_people);
  const std::string after = list.watchers().empty() ? "" : *list.watchers().rbegin();
  if (list.more() && !after.empty() && after.size() <= 4 * max_shown_name &&
      member_listing_->watchers.size() < max_listed_people && ++list_pages_ < max_list_pages) {
    v1::ClientMessage message;
    message.mutable_list_members()->set_after(after);
    return send(std::move(message));
  }
  members_ = std::exchange(member_listing_, {});
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
    rooms_.emplace();
    for (const auto& [name, room] : lobby_rooms_) rooms_->push_back(room);
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
