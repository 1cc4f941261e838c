#include "server/core/players.hpp"

#include "server/core/secrets.hpp"

namespace tictactoe::core {

std::uint64_t reader_number(const Player& player) {
  const std::uint64_t number = number_of(player.account.empty() ? "reader " + player.token_hash
                                                                : "account " + player.account);
  return number == 0 ? 1 : number;
}

const Player* Players::find(PlayerId id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &found->second;
}

const Player* Players::find_connected(std::string_view name) const {
  const auto found = connected_.find(name);
  return found == connected_.end() ? nullptr : found->second;
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
  idle_.erase({player.away_since, player.id});
  if (player.connection) connected_.erase(player.name);
  by_id_.erase(player.id);
}

void Players::connect(const Player& player, ConnectionId connection) {
  own(player).connection = connection;
  connected_.emplace(player.name, &player);
  update_idleness(player);
}

void Players::disconnect(const Player& player, Time now) {
  connected_.erase(player.name);
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

void Players::update_idleness(const Player& player) {
  const std::pair<Time, PlayerId> entry{player.away_since, player.id};
  if (!player.connection && player.room == nullptr) {
    idle_.insert(entry);
  } else {
    idle_.erase(entry);
  }
}

const Player* Players::longest_idle() const {
  return idle_.empty() ? nullptr : find(idle_.begin()->second);
}

std::optional<Time> Players::next_forgetting() const {
  if (idle_.empty()) return std::nullopt;
  return idle_.begin()->first + config_.limits.name_hold;
}

}  // namespace tictactoe::core
