#include "server/lobby/local_directory.hpp"

#include <algorithm>
#include <utility>

#include "server/limits/name_rules.hpp"
#include "server/lobby/similar_name.hpp"

namespace tictactoe::server {
namespace {

/// The first free similar name. O(1) on average below half a million names with this base.
template <class Taken>
std::string distinct_name(std::string_view base, std::size_t length, std::mt19937_64& random,
                          Taken taken) {
  std::string name = similar_name(base, length, 1, random);
  for (int attempt = 2; taken(name); ++attempt) name = similar_name(base, length, attempt, random);
  return name;
}

}  // namespace

// Players -----------------------------------------------------------------------------------------

void LocalDirectory::find_player(const std::string& token_hash, Origin /*from*/, Time now,
                                 Answer<LocatedPlayer> answer) {
  const auto found = players_by_hash_.find(token_hash);
  answer({found == players_by_hash_.end() ? 0 : (*found)->first}, now);
}

void LocalDirectory::claim_player(const std::string& requested_name, const std::string& token_hash,
                                  Origin /*from*/, Time now, Answer<Identity> answer) {
  const auto is_taken = [&](const std::string& name) {
    return player_names_.contains(name) || is_login(name);
  };
  Identity player{next_player_,
                  distinct_name(requested_name, config_.limits.name_length, random_, is_taken)};
  register_player(player, token_hash);
  answer(std::move(player), now);
}

void LocalDirectory::log_in(const std::string& name, const std::string& token_hash, Origin /*from*/,
                            Time now, Answer<LocatedPlayer> answer) {
  const auto found = players_by_name_.find(name);
  if (found != players_by_name_.end()) return answer({(*found)->first}, now);
  const PlayerId id = next_player_;
  register_player({id, name}, token_hash);
  answer({id}, now);
}

void LocalDirectory::renew_token(PlayerId id, const std::string& token_hash) {
  const auto known = known_players_.find(id);
  if (known == known_players_.end()) return;
  players_by_hash_.erase(&*known);
  known->second.token_hash = token_hash;
  players_by_hash_.insert(&*known);
}

std::string LocalDirectory::name_of(PlayerId id) const {
  const auto known = known_players_.find(id);
  return known == known_players_.end() ? std::string() : known->second.name;
}

PlayerId LocalDirectory::id_of(const std::string& name) const {
  const auto found = players_by_name_.find(name);
  return found == players_by_name_.end() ? 0 : (*found)->first;
}

bool LocalDirectory::register_player(const Identity& player, const std::string& token_hash) {
  if (player.id == 0 || player.id > max_loaded_id) return false;
  next_player_ = std::max(next_player_, player.id + 1);
  if (known_players_.contains(player.id) || players_by_name_.contains(player.name) ||
      players_by_hash_.contains(token_hash)) {
    return false;
  }
  const auto known = known_players_.emplace(player.id, KnownPlayer{player.name, token_hash}).first;
  players_by_name_.insert(&*known);
  player_names_.add(player.name);
  players_by_hash_.insert(&*known);
  return true;
}

void LocalDirectory::release_player(PlayerId id) {
  const auto found = known_players_.find(id);
  if (found == known_players_.end()) return;
  players_by_name_.erase(&*found);
  player_names_.remove(found->second.name);
  players_by_hash_.erase(&*found);
  known_players_.erase(found);
}

void LocalDirectory::list_players(const std::string& after, Time now,
                                  Answer<v1::PlayerList> answer) {
  v1::PlayerList list;
  players_.visit_connected(after, [&](const Player& player) {
    if (static_cast<std::size_t>(list.players_size()) >= config_.limits.names_per_list) {
      list.set_more(true);
      return false;
    }
    v1::PlayerInfo& info = *list.add_players();
    info.set_name(player.name);
    if (player.room != nullptr && player.room->settings().is_public()) {
      info.set_room(player.room->name());
    }
    return true;
  });
  answer(std::move(list), now);
}

// Rooms -------------------------------------------------------------------------------------------

void LocalDirectory::claim_room(const std::string& name, Naming naming, PlayerId creator,
                                Origin /*from*/, Time now, Answer<Parsed<RoomClaim>> answer) {
  answer(claim_room(name, naming, creator), now);
}

void LocalDirectory::check_claim(const std::string& name, Naming naming, PlayerId creator,
                                 std::uint64_t without, Origin /*from*/, Time now,
                                 Answer<Refused> answer) {
  answer(cannot_claim(name, naming, creator, without), now);
}

Refused LocalDirectory::cannot_claim(const std::string& name, Naming naming, PlayerId creator,
                                     std::uint64_t without) const {
  const auto closed = known_rooms_.find(without);
  const bool is_one_less = closed != known_rooms_.end();
  const bool is_taken = is_one_less ? room_names_.contains_beside(closed->second.name, name)
                                    : room_names_.contains(name);
  if (naming == Naming::exact && is_taken) {
    return problem(v1::Error::CODE_ROOM_EXISTS,
                   "A room with that name, or one that looks like it, already exists. Join "
                   "it, or choose another name.");
  }
  if (known_rooms_.size() - (is_one_less ? 1 : 0) >= config_.limits.rooms) {
    return problem(v1::Error::CODE_TOO_MANY_ROOMS,
                   "This server has reached its room limit. Join a room, or try again later.");
  }
  const auto created = created_.find(creator);
  const std::size_t own = is_one_less && closed->second.creator == creator ? 1 : 0;
  if (created != created_.end() && created->second - own >= config_.limits.rooms_per_player) {
    return problem(v1::Error::CODE_TOO_MANY_ROOMS,
                   "You have reached your room limit. Wait until one of yours "
                   "closes: a room closes when nobody is in it.");
  }
  return std::nullopt;
}

Parsed<Directory::RoomClaim> LocalDirectory::claim_room(const std::string& name, Naming naming,
                                                        PlayerId creator) {
  if (auto refused = cannot_claim(name, naming, creator, 0)) return *std::move(refused);
  const auto is_taken = [&](const std::string& requested_name) {
    return room_names_.contains(requested_name);
  };
  // With a gap, so that no kept update follows a revision of a closed room.
  RoomClaim room{next_serial_, last_revision_ == 0 ? 0 : last_revision_ + 1,
                 distinct_name(name, config_.limits.name_length, random_, is_taken)};
  add_room(room, creator);
  return room;
}

void LocalDirectory::add_room(const RoomClaim& room, PlayerId creator) {
  next_serial_ = std::max(next_serial_, room.serial + 1);
  const auto known = known_rooms_.emplace(room.serial, KnownRoom{room.name, creator}).first;
  rooms_by_name_.insert(&*known);
  room_names_.add(room.name);
  ++created_[creator];
}

bool LocalDirectory::register_room(const RoomClaim& room, PlayerId creator) {
  if (room.serial == 0 || room.serial > max_loaded_id) return false;
  next_serial_ = std::max(next_serial_, room.serial + 1);
  if (known_rooms_.contains(room.serial) || rooms_by_name_.contains(room.name)) return false;
  add_room(room, creator);
  return true;
}

void LocalDirectory::release_room(std::uint64_t serial, std::uint64_t revision) {
  raise_revision(revision);
  const auto found = known_rooms_.find(serial);
  if (found == known_rooms_.end()) return;
  if (const auto created = created_.find(found->second.creator); --created->second == 0) {
    created_.erase(created);
  }
  rooms_by_name_.erase(&*found);
  room_names_.remove(found->second.name);
  known_rooms_.erase(found);
}

void LocalDirectory::raise_revision(std::uint64_t revision) {
  last_revision_ = std::max(last_revision_, revision);
}

void LocalDirectory::find_room(const std::string& name, Origin /*from*/, Time now,
                               Answer<LocatedRoom> answer) {
  const auto found = rooms_by_name_.find(name);
  answer({found == rooms_by_name_.end() ? 0 : (*found)->first}, now);
}

void LocalDirectory::find_open_room(std::uint64_t except, Time now, Answer<LocatedRoom> answer) {
  const Room* room = rooms_.longest_waiting(except);
  answer({room == nullptr ? 0 : room->serial()}, now);
}

void LocalDirectory::list_rooms(const std::string& after, bool open_only, Time now,
                                Answer<v1::RoomList> answer) {
  v1::RoomList list;
  const bool more = rooms_.visit_listed(after, open_only, [&](const Room& room) {
    if (static_cast<std::size_t>(list.rooms_size()) >= config_.limits.rooms_per_list) return false;
    room.output().describe_to(*list.add_rooms(), now);
    return true;
  });
  list.set_more(more);
  answer(std::move(list), now);
}

}  // namespace tictactoe::server
