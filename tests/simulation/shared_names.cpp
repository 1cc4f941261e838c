// The names of a simulated store: who has claimed which, and where it lives.
#include <algorithm>

#include "tests/simulation/shared_store.hpp"

namespace tictactoe::simulation {

using records::StreamId;
using records::Whereabouts;

Whereabouts SharedStore::whereabouts(StreamId asking, StreamId stream) const {
  using Place = Whereabouts::Place;
  if (stream == asking) return {Place::here, stream};
  return {has_server(stream) ? Place::elsewhere : Place::unowned, stream};
}

records::FoundPlayer SharedStore::find_player(StreamId asking, const std::string& token_hash) {
  records::FoundPlayer found;
  const auto token = player_tokens_.find(token_hash);
  if (token == player_tokens_.end()) return found;
  Player& player = players_.at(token->second);
  found.id = token->second;
  found.where = whereabouts(asking, player.stream);
  if (found.where.place == Whereabouts::Place::here) {
    if (std::exchange(player.has_arrived, false)) found.arrived = player.state;
  }
  return found;
}

std::optional<std::uint64_t> SharedStore::claim_player(StreamId stream, std::uint64_t epoch,
                                                       const records::KeyedName& name,
                                                       const std::string& token_hash) {
  if (!is_owner(stream, epoch)) return std::nullopt;
  const auto& keys = name.look_alike_keys;
  if (player_names_.contains(keys[0]) || player_names_.contains(keys[1]) ||
      player_tokens_.contains(token_hash)) {
    return 0;
  }
  const std::uint64_t id = ++last_player_;
  Player& player = players_[id];
  player.stream = stream;
  player.token_hash = token_hash;
  player.keys.assign(keys.begin(), keys.end());
  for (const std::string& key : keys) player_names_[key] = id;
  player_tokens_[token_hash] = id;
  return id;
}

void SharedStore::drop_players(StreamId stream, const records::LostClaims& lost) {
  std::vector<std::uint64_t> ids(lost.numbers().begin(), lost.numbers().end());
  for (const std::string& token_hash : lost.keys()) {
    const auto found = player_tokens_.find(token_hash);
    if (found != player_tokens_.end()) ids.push_back(found->second);
  }
  for (const std::uint64_t id : ids) {
    const auto found = players_.find(id);
    if (found != players_.end() && found->second.stream == stream && !found->second.state) {
      delete_player(id);
    }
  }
}

Whereabouts SharedStore::find_room(StreamId asking, const std::string& name) const {
  const auto found = room_by_name_.find(name);
  return found == room_by_name_.end() ? Whereabouts{}
                                      : whereabouts(asking, rooms_.at(found->second).stream);
}

std::optional<records::ClaimedRoom> SharedStore::claim_room(StreamId stream, std::uint64_t epoch,
                                                            const records::KeyedName& name,
                                                            std::uint64_t creator,
                                                            std::size_t most) {
  using Outcome = records::ClaimedRoom::Outcome;
  records::ClaimedRoom claimed;
  claimed.outcome = check_room(name, creator, most, 0);
  if (claimed.outcome == Outcome::too_many) return claimed;
  if (!is_owner(stream, epoch)) return std::nullopt;
  if (claimed.outcome == Outcome::taken) return claimed;
  const auto& keys = name.look_alike_keys;
  claimed.serial = ++last_room_;
  Room& room = rooms_[claimed.serial];
  room.stream = stream;
  room.name = name.name;
  room.creator = creator;
  room.keys.assign(keys.begin(), keys.end());
  for (const std::string& key : keys) room_names_[key] = claimed.serial;
  room_by_name_[name.name] = claimed.serial;
  std::uint64_t last = 0;
  for (const auto& [id, row] : streams_) last = std::max(last, row.last_revision);
  claimed.revision = last == 0 ? 0 : last + 1;
  claims_[name.name].emplace_back(claimed.revision, claimed.serial);
  return claimed;
}

records::ClaimedRoom::Outcome SharedStore::check_room(const records::KeyedName& name,
                                                      std::uint64_t creator, std::size_t most,
                                                      std::uint64_t without) const {
  using Outcome = records::ClaimedRoom::Outcome;
  const auto created = std::ranges::count_if(rooms_, [&](const auto& room) {
    return room.first != without && room.second.creator == creator;
  });
  if (static_cast<std::size_t>(created) >= most) return Outcome::too_many;
  const bool is_taken = std::ranges::any_of(name.look_alike_keys, [&](const std::string& key) {
    const auto found = room_names_.find(key);
    return found != room_names_.end() && found->second != without;
  });
  return is_taken ? Outcome::taken : Outcome::claimed;
}

void SharedStore::drop_rooms(StreamId stream, const records::LostClaims& lost) {
  std::vector<std::uint64_t> serials(lost.numbers().begin(), lost.numbers().end());
  for (const std::string& name : lost.keys()) {
    const auto found = room_by_name_.find(name);
    if (found != room_by_name_.end()) serials.push_back(found->second);
  }
  for (const std::uint64_t serial : serials) {
    const auto found = rooms_.find(serial);
    if (found != rooms_.end() && found->second.stream == stream && !found->second.state) {
      delete_room(serial);
    }
  }
}

}  // namespace tictactoe::simulation
