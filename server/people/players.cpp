#include "server/people/players.hpp"

#include <algorithm>

#include "server/base/secrets.hpp"

namespace tictactoe::server {

std::uint64_t reader_number(const Player& player) {
  const std::uint64_t number = number_of(
      player.account_id.empty() ? "reader " + player.token_hash : "account " + player.account_id);
  return number == 0 ? 1 : number;
}

const Player* Players::find(PlayerId id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &found->second;
}

const Player* Players::find_connected(std::string_view name) const {
  const auto found = connected_.find(name);
  return found == connected_.end() ? nullptr : *found;
}

const Player& Players::add(PlayerId id, const std::string& name, const std::string& token_hash,
                           Time now) {
  Player& player = by_id_[id];
  player.id = id;
  player.name = name;
  player.token_hash = token_hash;
  player.away_since = now;
  update_idleness(player);
  return player;
}

void Players::erase(const Player& player) {
  never_played_.erase({player.away_since, player.id});
  played_.erase({player.away_since, player.id});
  if (player.connection) connected_.erase(&player);
  by_id_.erase(player.id);
}

void Players::connect(const Player& player, ConnectionId connection, Origin origin) {
  own(player).connection = connection;
  own(player).origin = origin;
  connected_.insert(&player);
  update_idleness(player);
}

void Players::disconnect(const Player& player, Time now) {
  connected_.erase(&player);
  own(player).connection.reset();
  own(player).away_since = now;
  update_idleness(player);
}

void Players::enter(const Player& player, const Room& room) {
  own(player).room = &room;
  update_idleness(player);
}

void Players::leave(const Player& player) {
  own(player).room = nullptr;
  update_idleness(player);
}

void Players::mark_played(const Player& player) {
  never_played_.erase({player.away_since, player.id});
  own(player).played = true;
  update_idleness(player);
}

void Players::update_idleness(const Player& player) {
  const std::pair<Time, PlayerId> entry{player.away_since, player.id};
  Idle& idle = player.played ? played_ : never_played_;
  if (!player.connection && player.room == nullptr) {
    idle.insert(entry);
  } else {
    idle.erase(entry);
  }
}

const Player* Players::longest_idle() const {
  if (played_.empty() || never_played_.empty()) return first_to_forget();
  return find(std::min(*played_.begin(), *never_played_.begin()).second);
}

const Player* Players::first_to_forget() const {
  const Idle& idle = never_played_.empty() ? played_ : never_played_;
  return idle.empty() ? nullptr : find(idle.begin()->second);
}

// Called after every event.
std::optional<Time> Players::next_forgetting() const {
  std::optional<Time> longest;
  for (const Idle* idle : {&never_played_, &played_}) {
    if (!idle->empty() && (!longest || idle->begin()->first < *longest)) {
      longest = idle->begin()->first;
    }
  }
  if (longest) *longest += config_.limits.name_hold;
  return longest;
}

}  // namespace tictactoe::server
