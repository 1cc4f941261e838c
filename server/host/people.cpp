#include "server/host/people.hpp"

#include "server/game/describe.hpp"

namespace tictactoe::server {

void People::record(const Player& player, bool has_new_token) {
  if (!config_.keeps_records) return;
  auto& record = effects_.draft<journal::v1::Record>();
  describe(player, *record.mutable_player());
  record.set_has_new_token(has_new_token);
  effects_.record(record);
}

void People::record_forgotten(PlayerId player) {
  if (!config_.keeps_records) return;
  auto& record = effects_.draft<journal::v1::Record>();
  record.set_player_forgotten(player);
  effects_.record(record);
}

const Player* People::add(const Directory::Identity& identity, const std::string& token_hash,
                          Time now) {
  if (players_.is_full() && !make_place(now)) return nullptr;
  const Player& player = players_.add(identity.id, identity.name, token_hash, now);
  record(player);
  return &player;
}

// Forgets an idle player to make place for a new one. Returns false if nobody is idle. Holds the
// name if they have played, lest a stranger gets it; an account protects its name itself.
bool People::make_place(Time now) {
  const Player* idle = players_.first_to_forget();
  if (idle == nullptr) return false;
  const PlayerId id = idle->id;
  const bool keeps_name = idle->played && logins_.find(idle->name) == nullptr;
  record_forgotten(id);
  players_.erase(*idle);
  if (!keeps_name) {
    directory_.release_player(id);
    return true;
  }
  held_names_.emplace_back(now, id);
  release_held_names(now);
  return true;
}

// For a client that has proved the name is its own, and a player who claimed it at another server.
bool People::release_held_name(PlayerId id) {
  if (std::erase_if(held_names_, [&](const auto& held) { return held.second == id; }) == 0) {
    return false;
  }
  directory_.release_player(id);
  return true;
}

void People::release_held_names(Time now) {
  while (!held_names_.empty() && (held_names_.front().first + config_.limits.name_hold <= now ||
                                  held_names_.size() > config_.limits.evicted_names)) {
    directory_.release_player(held_names_.front().second);
    held_names_.pop_front();
  }
}

void People::forget(const Player& player) {
  record_forgotten(player.id);
  directory_.release_player(player.id);
  players_.erase(player);
}

void People::forget_idle(Time now) {
  release_held_names(now);
  constexpr int max_at_once = 64;
  for (int i = 0; i < max_at_once; ++i) {
    const auto due = players_.next_forgetting();
    if (!due || *due > now) return;
    forget(*players_.longest_idle());
  }
}

void People::note_left(const Player& player) {
  players_.leave(player);
  absences_.end(player.id);
}

void People::leave_room(const Player& player, const RequestContext& context) {
  if (player.room == nullptr) return;
  const Room& left = *player.room;
  note_left(player);
  rooms_.change(left, context, [&](Room& room) { room.seating().leave(player, context); });
}

void People::connect(const Player& player, ConnectionId connection, Origin origin) {
  players_.connect(player, connection, origin);
  const Login* login = logins_.find(player.name);
  players_.set_account(player, login == nullptr ? std::string() : login->id);
  feed_.players_changed();
}

void People::disconnect(const Player& player, Time now) {
  players_.disconnect(player, now);
  feed_.players_changed();
  if (player.room == nullptr) return;
  const RequestContext context{now, effects_};
  if (player.room->state().seats.seat_of(&player) == rules::Mark::none)
    return leave_room(player, context);
  rooms_.change(*player.room, context,
                [&](Room& room) { room.seating().went_away(player, context); });
  absences_.begin(player, now);
  end_excess_holds(player.id, now);
}

void People::end_excess_holds(PlayerId latest, Time now) {
  if (availability_.journal_health == JournalHealth::stalled)
    return;  // the next absence will end two holds
  constexpr int max_at_once = 2;
  for (int i = 0; i < max_at_once; ++i) {
    const Player* loser = players_.find(absences_.one_too_many(latest));
    if (loser == nullptr) return;
    const RequestContext context{now, effects_};
    rooms_.change(*loser->room, context, [&](Room& room) {
      room.seating().end_hold(*loser, context);
      note_left(*loser);
    });
  }
}

}  // namespace tictactoe::server
