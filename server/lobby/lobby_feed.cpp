#include "server/lobby/lobby_feed.hpp"

#include <algorithm>
#include <utility>

#include "server/limits/request_costs.hpp"
#include "server/lobby/room_table.hpp"

namespace tictactoe::server {

// Watchers ----------------------------------------------------------------------------------------

void LobbyFeed::watch(const RequestContext& context, bool boards) {
  Watcher& watcher = watchers_[context.connection.slot];
  watcher = {context.connection, {.boards = boards}, context.now + limits_.lobby_update};
  auto& message = context.effects.draft<v1::ServerMessage>();
  write(watcher.place, context.now, *message.mutable_lobby_update());
  context.effects.send(context.connection, context.effects.encode(message), context.request_id);
  if (is_behind(watcher.place)) expect_round(std::max(next_round_, watcher.next_at));
}

void LobbyFeed::stop(ConnectionId id) {
  if (watchers_.erase(id.slot) == 0 || !watchers_.empty()) return;
  forget_changes();
  deadlines_.end(deadline_);
  in_round_ = false;
}

void LobbyFeed::forget_changes() {
  for (auto& [number, change] : changes_) {
    if (change.room != nullptr) change.room->listing.changed_at = 0;
  }
  for (auto& [name, room] : elsewhere_) room.changed_at = 0;
  changes_.clear();
  closed_.clear();
}

// Changes -----------------------------------------------------------------------------------------

void LobbyFeed::note_change(std::uint64_t& changed_at, Change change) {
  const std::uint64_t before = std::exchange(changed_at, ++last_change_);
  if (auto entry = changes_.extract(before); !entry.empty()) {
    entry.key() = last_change_;
    changes_.insert(changes_.end(), std::move(entry));  // takes no memory
  } else {
    changes_.emplace_hint(changes_.end(), last_change_, std::move(change));
  }
  expect_round(next_round_);
}

void LobbyFeed::note_change(Room& room) {
  note_change(room.listing.changed_at, {&room, {}});
}

void LobbyFeed::changed(const RoomElsewhere& room) {
  if (room.info != nullptr) {
    Elsewhere& known = elsewhere_[room.name];
    known.info = room.info;
    if (!watchers_.empty()) note_change(known.changed_at, {nullptr, room.name});
    return;
  }
  const auto known = elsewhere_.find(room.name);
  if (known == elsewhere_.end()) return;
  changes_.erase(known->second.changed_at);
  elsewhere_.erase(known);
  if (!watchers_.empty()) note_closed(room.name);
}

void LobbyFeed::closed(const Room& room) {
  changes_.erase(room.listing.changed_at);
  if (!watchers_.empty() && room.settings().is_listed()) note_closed(room.name());
}

void LobbyFeed::note_closed(const std::string& name) {
  changes_.emplace_hint(changes_.end(), ++last_change_, Change{nullptr, name});
  closed_.push_back(last_change_);
  if (closed_.size() > limits_.rooms) {
    forgotten_ = closed_.front();
    changes_.erase(forgotten_);
    closed_.pop_front();
  }
  expect_round(next_round_);
}

void LobbyFeed::players_changed() {
  if (!watchers_.empty()) expect_round(next_round_);
}

void LobbyFeed::players_elsewhere(std::size_t players, std::size_t servers) {
  servers_ = servers;
  if (players_elsewhere_ == players) return;
  players_elsewhere_ = players;
  players_changed();
}

void LobbyFeed::say(const std::string& from, const std::string& text) {
  v1::ChatSaid line;
  line.set_from(from);
  line.set_text(text);
  auto& kept = *said_.last.mutable_chat();
  *kept.Add() = line;
  if (std::cmp_greater(kept.size(), limits_.kept_chat)) kept.DeleteSubrange(0, 1);
  ++said_.lines;
  hear(line);
}

void LobbyFeed::hear(const v1::ChatSaid& line) {
  chat_.push_back(line);
  ++last_line_;
  if (chat_.size() > limits_.kept_chat) chat_.pop_front();
  expect_round(next_round_);
}

// Messages ----------------------------------------------------------------------------------------

bool LobbyFeed::is_behind(const Place& place) const {
  return place.paging || place.players != count_players() || place.heard < last_line_ ||
         (!changes_.empty() && changes_.rbegin()->first > place.seen);
}

bool LobbyFeed::is_full(const v1::LobbyUpdate& update, const Place& place) const {
  const auto rooms = static_cast<std::size_t>(update.rooms_size());
  const std::size_t max = limits_.rooms_per_list - (place.boards ? limits_.rooms_per_list / 8 : 0);
  return rooms + static_cast<std::size_t>(update.closed_size()) >= max;
}

void LobbyFeed::add_room(const Room& room, const Place& place, Time now, v1::LobbyUpdate& update) {
  v1::RoomInfo& info = *update.add_rooms();
  room.output().describe_to(info, now);
  if (place.boards) room.output().describe_board(info);
}

void LobbyFeed::write_page(Place& place, Time now, v1::LobbyUpdate& update) const {
  place.paging = rooms_.visit_listed(place.last_serial, [&](const Room& room) {
    if (is_full(update, place)) return false;
    add_room(room, place, now, update);
    place.last_serial = room.serial();
    return true;
  });
  for (auto next = elsewhere_.upper_bound(place.last_elsewhere);
       !place.paging && next != elsewhere_.end(); ++next) {
    if (is_full(update, place)) {
      place.paging = true;
    } else {
      *update.add_rooms() = *next->second.info;
      place.last_elsewhere = next->first;
    }
  }
}

// Since its room was closed, a name may have come from or gone to another server.
void LobbyFeed::write_change(const Change& change, const Place& place, Time now,
                             v1::LobbyUpdate& update) const {
  if (change.room != nullptr) {
    add_room(*change.room, place, now, update);
  } else if (const auto room = elsewhere_.find(change.name); room != elsewhere_.end()) {
    *update.add_rooms() = *room->second.info;
  } else if (!rooms_.lists(change.name)) {
    update.add_closed(change.name);
  }
}

void LobbyFeed::write(Place& place, Time now, v1::LobbyUpdate& update) const {
  if (!place.begun || place.seen < forgotten_) {
    place = {.begun = true, .boards = place.boards, .seen = last_change_, .heard = place.heard};
    update.set_reset(true);
  }
  if (place.paging) write_page(place, now, update);
  if (!place.paging) {
    for (auto next = changes_.upper_bound(place.seen);
         next != changes_.end() && !is_full(update, place); ++next) {
      write_change(next->second, place, now, update);
      place.seen = next->first;
    }
  }
  const std::uint64_t unheard = std::min<std::uint64_t>(last_line_ - place.heard, chat_.size());
  for (auto line = chat_.end() - static_cast<std::ptrdiff_t>(unheard); line != chat_.end();
       ++line) {
    *update.add_chat() = *line;
  }
  place.heard = last_line_;
  place.players = static_cast<std::uint32_t>(count_players());
  update.set_players(place.players);
  update.set_complete(!is_behind(place));
}

const LobbyFeed::Page& LobbyFeed::page_for(const Place& place, Time now, Effects& effects) {
  const auto found = std::ranges::find(pages_, place, &Page::before);
  if (found != pages_.end()) return *found;
  Page& page = pages_.emplace_back(Page{place, place, {}, false});
  auto& message = effects.draft<v1::ServerMessage>();
  v1::LobbyUpdate& update = *message.mutable_lobby_update();
  write(page.after, now, update);
  page.lists = place.paging || update.reset();
  page.body = effects.encode(message);
  return page;
}

// Rounds ------------------------------------------------------------------------------------------

// Between slices of a round, the deadline is that of the next slice; watchers already served are
// skipped.
void LobbyFeed::expect_round(Time at) {
  if (in_round_) round_left_some_ = true;
  schedule(at);
}

void LobbyFeed::schedule(Time at) {
  if (!deadline_.is_set()) deadlines_.set(deadline_, {at, Deadline::Kind::lobby, 0});
}

bool LobbyFeed::serve(Watcher& watcher, Time now, Effects& effects) {
  if (!is_behind(watcher.place)) return true;
  const Peer* peer = connections_.find(watcher.id);
  // Nothing is queued for a peer that does not read: its position in the log takes no memory.
  if (watcher.next_at > now || peer == nullptr || peer->reading_paused) return false;
  const std::size_t pages = pages_.size();
  const Page& page = page_for(watcher.place, now, effects);
  // A page encoded for this watcher costs the same as with ListRooms.
  if (pages_.size() > pages && page.lists) {
    const int tokens = cost_of(v1::ClientMessage::kListRooms);
    Ledger::charge(peer->payers, Charge::requests, tokens, now);
  }
  effects.send(watcher.id, page.body);
  watcher.place = page.after;
  watcher.next_at = now + limits_.lobby_update;
  return !is_behind(watcher.place);
}

void LobbyFeed::deadline_reached(Time now, Effects& effects) {
  constexpr std::size_t max_pages = 2;
  constexpr int max_watchers = 64;
  if (!std::exchange(in_round_, true)) {
    next_round_ = now + limits_.lobby_update;
    next_slot_ = 0;
    round_left_some_ = false;
  }
  pages_.clear();
  int served = 0;
  auto next = watchers_.lower_bound(next_slot_);
  for (; next != watchers_.end() && served < max_watchers && pages_.size() < max_pages;
       ++next, ++served) {
    if (!serve(next->second, now, effects)) round_left_some_ = true;
  }
  if (next != watchers_.end()) {
    next_slot_ = next->first;
    return schedule(now);
  }
  in_round_ = false;
  if (round_left_some_) schedule(next_round_);
}

}  // namespace tictactoe::server
