#include "server/core/players.hpp"

#include <algorithm>

namespace tictactoe::core {

Player* Players::find(PlayerId id) {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &found->second;
}

Player* Players::find_by_hash(const std::string& token_hash) {
  const auto found = by_hash_.find(token_hash);
  return found == by_hash_.end() ? nullptr : find(found->second);
}

Player& Players::insert(Player player) {
  by_name_.emplace(player.name, player.id);
  by_hash_.emplace(player.token_hash, player.id);
  next_id_ = std::max(next_id_, player.id + 1);
  return by_id_.emplace(player.id, std::move(player)).first->second;
}

Player& Players::add(std::string_view wish, std::string token_hash, std::mt19937_64& random) {
  Player player;
  player.id = next_id_;
  player.name = distinct_name(wish, config_->limits.name_length, random,
                              [&](const std::string& name) { return is_taken(name); });
  player.token_hash = std::move(token_hash);
  return insert(std::move(player));
}

Player* Players::restore(PlayerId id, const std::string& name, const std::string& token_hash) {
  if (id == 0 || id > largest_restored || by_id_.contains(id) || is_taken(name) ||
      by_hash_.contains(token_hash)) {
    return nullptr;
  }
  Player player;
  player.id = id;
  player.name = name;
  player.token_hash = token_hash;
  return &insert(std::move(player));
}

void Players::reserve(PlayerId id) {
  if (id <= largest_restored) next_id_ = std::max(next_id_, id + 1);
}

void Players::forget(Player& player) {
  if (const auto since = idle_since_.find(player.id); since != idle_since_.end()) {
    idle_.erase({since->second, player.id});
    idle_since_.erase(since);
  }
  by_name_.erase(player.name);
  by_hash_.erase(player.token_hash);
  by_id_.erase(player.id);
}

void Players::changed(const Player& player) {
  const bool idle = !player.connection && player.room == nullptr;
  const auto since = idle_since_.find(player.id);
  if (idle == (since != idle_since_.end())) return;
  if (idle) {
    idle_.emplace(player.away_since, player.id);
    idle_since_.emplace(player.id, player.away_since);
  } else {
    idle_.erase({since->second, player.id});
    idle_since_.erase(since);
  }
}

Player* Players::longest_idle() {
  return idle_.empty() ? nullptr : find(idle_.begin()->second);
}

std::optional<Time> Players::next_forgetting() const {
  if (idle_.empty()) return std::nullopt;
  return idle_.begin()->first + config_->limits.name_hold;
}

}  // namespace tictactoe::core
