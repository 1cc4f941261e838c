#include "server/cluster/cluster_directory.hpp"

#include <utility>

#include "server/limits/name_rules.hpp"
#include "server/lobby/similar_name.hpp"

namespace tictactoe::cluster {

namespace {

// More attempts are hardly ever needed, because most names contain random numbers.
constexpr int max_attempts = 30;
// Each connection asks one question at a time.
constexpr std::size_t max_waiting = 20'000;

server::Problem nobody_can_say() {
  return {v1::Error::CODE_CANNOT_RECORD,
          "The database of this server can't be reached: try again in a second.",
          std::chrono::milliseconds(1000)};
}

server::Problem too_many_here() {
  return {v1::Error::CODE_TOO_MANY_ROOMS,
          "This server has reached its room limit. Join a room, or try again later.",
          {}};
}

server::Problem too_many_created() {
  return {v1::Error::CODE_TOO_MANY_ROOMS,
          "You have reached your room limit. Wait until one of yours closes: a room closes when "
          "nobody is in it.",
          {}};
}

server::Problem name_is_taken() {
  return {v1::Error::CODE_ROOM_EXISTS,
          "A room with that name, or one that looks like it, already exists. Join it, or choose "
          "another name.",
          {}};
}

bool is_open(const v1::RoomInfo& room) {
  const auto is_nobody = [](const v1::Occupant& seat) {
    return seat.kind() == v1::Occupant::KIND_OPEN;
  };
  return !room.needs_password() && (is_nobody(room.x()) || is_nobody(room.o()));
}

}  // namespace

records::KeyedName keyed_name(std::string name) {
  auto keys = server::look_alike_keys(name);
  return {std::move(name), std::move(keys)};
}

std::optional<server::Directory::LobbyServer> ClusterDirectory::server_of(
    records::StreamId stream) const {
  const auto found = servers_.find(stream);
  return found == servers_.end() ? std::nullopt : std::optional(found->second);
}

void ClusterDirectory::set_servers(const std::vector<LobbyServer>& servers) {
  servers_.clear();
  for (const LobbyServer& server : servers) servers_.emplace(server.stream, server);
}

void ClusterDirectory::changed(const server::RoomElsewhere& room) {
  if (room.info == nullptr) {
    remote_.erase(room.name);
  } else {
    remote_.insert_or_assign(room.name, room);
  }
  if (room.info == nullptr || !is_open(*room.info)) {
    open_remote_.erase(room.name);
  } else {
    open_remote_.insert_or_assign(room.name, room);
  }
}

// Players -----------------------------------------------------------------------------------------

server::Directory::LocatedPlayer ClusterDirectory::find_here(const std::string& token_hash,
                                                             server::Time now) {
  LocatedPlayer here;
  local_->find_player(token_hash, {}, now,
                      [&](const LocatedPlayer& found, server::Time) { here = found; });
  return here;
}

void ClusterDirectory::find_player(const std::string& token_hash, server::Origin from,
                                   server::Time now, Answer<LocatedPlayer> answer) {
  LocatedPlayer here = find_here(token_hash, now);
  if (here.id == 0) {
    if (ask_for_player(token_hash, from, now + max_wait, answer)) return;
    here.is_unknown_now = true;
  }
  answer(std::move(here), now);
}

bool ClusterDirectory::ask_for_player(const std::string& token_hash, server::Origin from,
                                      server::Time until, Answer<LocatedPlayer> answer) {
  return ask_(
      from,
      [this, token_hash, from, until,
       answer = std::move(answer)](records::SharedNames& names) -> Continuation {
        auto found = names.find_player(token_hash);
        return
            [this, token_hash, from, until, answer, found = std::move(found)](server::Time then) {
              // It may have been adopted since the question, for instance over another connection.
              LocatedPlayer player = find_here(token_hash, then);
              using Place = records::Whereabouts::Place;
              if (player.id != 0 || (found && found->where.place == Place::unknown)) {
                return answer(std::move(player), then);
              }
              if (found && found->where.place == Place::here && found->arrived) {
                player.id = found->id;
                player.adopted = found->arrived;
                return answer(std::move(player), then);
              }
              if (found && found->where.place == Place::elsewhere) {
                player.elsewhere = server_of(found->where.stream);
                if (player.elsewhere) return answer(std::move(player), then);
              }
              // The player was handed over to this server, and reaches the host in a moment.
              player.is_unknown_now = true;
              const auto answer_here = [this, token_hash, answer](bool is_over, server::Time now) {
                LocatedPlayer here = find_here(token_hash, now);
                if (here.id == 0 && !is_over) return false;
                here.is_unknown_now = here.id == 0;
                answer(std::move(here), now);
                return true;
              };
              const auto again = [this, token_hash, from, until, answer] {
                return ask_for_player(token_hash, from, until, answer);
              };
              if (found && wait({until, then + asked_again_after, answer_here, again})) return;
              answer(std::move(player), then);
            };
      });
}

bool ClusterDirectory::wait(PendingFind waiting) {
  if (waiting_.size() >= max_waiting) return false;
  waiting_.push_back(std::move(waiting));
  return true;
}

void ClusterDirectory::answer_waiting(bool in_store, server::Time now) {
  for (PendingFind& one : std::exchange(waiting_, {})) {
    if (one.answer_here(now >= one.until, now)) continue;
    if (in_store && now >= one.ask_again && one.ask()) continue;
    waiting_.push_back(std::move(one));
  }
}

struct ClusterDirectory::PlayerClaim {
  std::string requested_name;
  std::string token_hash;
  server::Origin from;
  Answer<Identity> answer;
  int attempt = 1;
};

void ClusterDirectory::claim_player(const std::string& requested_name,
                                    const std::string& token_hash, server::Origin from,
                                    server::Time now, Answer<Identity> answer) {
  claim(PlayerClaim{requested_name, token_hash, from, std::move(answer)}, now);
}

void ClusterDirectory::claim(PlayerClaim claim_now, server::Time now) {
  std::string name = server::similar_name(claim_now.requested_name, config_.limits.name_length,
                                          claim_now.attempt, random_);
  while (local_->is_login(name) && claim_now.attempt < max_attempts) {
    name = server::similar_name(claim_now.requested_name, config_.limits.name_length,
                                ++claim_now.attempt, random_);
  }
  if (local_->is_login(name)) return claim_now.answer({}, now);
  const auto question = [this, claim_now, name](records::SharedNames& names) -> Continuation {
    auto id = names.claim_player(keyed_name(name), claim_now.token_hash);
    return [this, claim_now, name, id = std::move(id)](server::Time then) mutable {
      if (id && !*id && claim_now.attempt < max_attempts) {
        ++claim_now.attempt;
        return claim(std::move(claim_now), then);
      }
      if (!id || !*id) return claim_now.answer({}, then);
      Identity player{**id, name};
      if (local_->register_player(player, claim_now.token_hash)) {
        return claim_now.answer(std::move(player), then);
      }
      // A player whom the host has forgotten may keep the name for a while.
      drop_player(player.id);
      if (++claim_now.attempt > max_attempts) return claim_now.answer({}, then);
      claim(std::move(claim_now), then);
    };
  };
  if (!ask_(claim_now.from, question)) claim_now.answer({}, now);
}

void ClusterDirectory::drop_player(server::PlayerId id) {
  local_->drop_player(id);
  ask_(std::nullopt, [id](records::SharedNames& names) -> Continuation {
    names.drop_player(id);
    return [](server::Time) {};
  });
}

v1::PlayerList ClusterDirectory::own_players(const std::string& after, server::Time now) {
  v1::PlayerList own;
  local_->list_players(after, now,
                       [&](v1::PlayerList found, server::Time) { own = std::move(found); });
  return own;
}

// Merges a page of own players with those of others. Both are sorted by name. A player who has just
// moved can be in both.
void ClusterDirectory::list_players(const std::string& after, server::Time now,
                                    Answer<v1::PlayerList> answer) {
  v1::PlayerList own = own_players(after, now);
  v1::PlayerList merged;
  int next_own = 0;
  auto next_other = players_elsewhere_->upper_bound(after);
  while (std::cmp_less(merged.players_size(), config_.limits.names_per_list)) {
    const bool has_own = next_own < own.players_size();
    const bool has_other = next_other != players_elsewhere_->end();
    if (!has_own && (own.more() || !has_other)) break;
    if (has_own && (!has_other || own.players(next_own).name() <= next_other->first)) {
      if (has_other && own.players(next_own).name() == next_other->first) ++next_other;
      merged.add_players()->Swap(own.mutable_players(next_own++));
    } else {
      *merged.add_players() = next_other->second;
      ++next_other;
    }
  }
  merged.set_more(next_own < own.players_size() || own.more() ||
                  next_other != players_elsewhere_->end());
  answer(std::move(merged), now);
}

// Rooms -------------------------------------------------------------------------------------------

struct ClusterDirectory::NewRoomClaim {
  std::string requested_name;
  Naming naming;
  server::PlayerId creator;
  server::Origin from;
  Answer<server::Parsed<RoomClaim>> answer;
  int attempt = 1;
};

void ClusterDirectory::claim_room(const std::string& name, Naming naming, server::PlayerId creator,
                                  server::Origin from, server::Time now,
                                  Answer<server::Parsed<RoomClaim>> answer) {
  if (own_rooms_.size() >= config_.limits.rooms) return answer(too_many_here(), now);
  claim(NewRoomClaim{name, naming, creator, from, std::move(answer)}, now);
}

void ClusterDirectory::claim(NewRoomClaim claim_now, server::Time now) {
  const std::string name = server::similar_name(
      claim_now.requested_name, config_.limits.name_length, claim_now.attempt, random_);
  const std::size_t max = config_.limits.rooms_per_player;
  const auto question = [this, claim_now, name, max](records::SharedNames& names) -> Continuation {
    auto claimed = names.claim_room(keyed_name(name), claim_now.creator, max);
    return [this, claim_now, name, claimed = std::move(claimed)](server::Time then) mutable {
      using Outcome = records::ClaimedRoom::Outcome;
      if (!claimed) return claim_now.answer(nobody_can_say(), then);
      if (claimed->outcome == Outcome::too_many) return claim_now.answer(too_many_created(), then);
      if (claimed->outcome == Outcome::claimed) {
        RoomClaim room{claimed->serial, claimed->revision, name};
        register_room(room, claim_now.creator);
        return claim_now.answer(std::move(room), then);
      }
      if (claim_now.naming == Naming::exact || claim_now.attempt == max_attempts) {
        return claim_now.answer(name_is_taken(), then);
      }
      ++claim_now.attempt;
      claim(std::move(claim_now), then);
    };
  };
  if (!ask_(claim_now.from, question)) claim_now.answer(nobody_can_say(), now);
}

void ClusterDirectory::check_claim(const std::string& name, Naming naming, server::PlayerId creator,
                                   std::uint64_t without, server::Origin from, server::Time now,
                                   Answer<server::Refused> answer) {
  if (own_rooms_.size() - own_rooms_.count(without) >= config_.limits.rooms) {
    return answer(too_many_here(), now);
  }
  const std::size_t max = config_.limits.rooms_per_player;
  const auto question = [name, naming, creator, without, max,
                         answer](records::SharedNames& names) -> Continuation {
    const auto found = names.check_room(keyed_name(name), creator, max, without);
    return [naming, found, answer](server::Time then) {
      using Outcome = records::ClaimedRoom::Outcome;
      if (!found) return answer(nobody_can_say(), then);
      if (*found == Outcome::too_many) return answer(too_many_created(), then);
      const bool is_taken = *found == Outcome::taken && naming == Naming::exact;
      answer(is_taken ? server::Refused(name_is_taken()) : std::nullopt, then);
    };
  };
  if (!ask_(from, question)) answer(nobody_can_say(), now);
}

bool ClusterDirectory::register_room(const RoomClaim& room, server::PlayerId creator) {
  if (!local_->register_room(room, creator)) return false;
  own_rooms_.insert(room.serial);
  return true;
}

void ClusterDirectory::release_room(std::uint64_t serial, std::uint64_t revision) {
  local_->release_room(serial, revision);
  own_rooms_.erase(serial);
}

void ClusterDirectory::drop_room(std::uint64_t serial) {
  local_->drop_room(serial);
  own_rooms_.erase(serial);
  ask_(std::nullopt, [serial](records::SharedNames& names) -> Continuation {
    names.drop_room(serial);
    return [](server::Time) {};
  });
}

void ClusterDirectory::hand_over_room(std::uint64_t serial) {
  local_->hand_over_room(serial);
  own_rooms_.erase(serial);
}

server::Directory::LocatedRoom ClusterDirectory::find_room_here(const std::string& name,
                                                                server::Time now) {
  LocatedRoom here;
  local_->find_room(name, {}, now, [&](const LocatedRoom& found, server::Time) { here = found; });
  return here;
}

void ClusterDirectory::find_room(const std::string& name, server::Origin from, server::Time now,
                                 Answer<LocatedRoom> answer) {
  LocatedRoom here = find_room_here(name, now);
  if (here.serial == 0) {
    if (ask_for_room(name, from, now + max_wait, answer)) return;
    here.is_unknown_now = true;
  }
  answer(std::move(here), now);
}

bool ClusterDirectory::ask_for_room(const std::string& name, server::Origin from,
                                    server::Time until, Answer<LocatedRoom> answer) {
  return ask_(from,
              [this, name, from, until,
               answer = std::move(answer)](records::SharedNames& names) -> Continuation {
                auto found = names.find_room(name);
                return
                    [this, name, from, until, answer, found = std::move(found)](server::Time then) {
                      LocatedRoom room = find_room_here(name, then);
                      using Place = records::Whereabouts::Place;
                      if (room.serial != 0 || (found && found->place == Place::unknown)) {
                        return answer(std::move(room), then);
                      }
                      if (found && found->place == Place::elsewhere) {
                        room.elsewhere = server_of(found->stream);
                        room.is_listed_elsewhere = remote_.contains(name);
                        if (room.elsewhere) return answer(std::move(room), then);
                      }
                      // If it is here, it is either a claim without a room yet, or a room that
                      // reaches the host in a moment.
                      const bool is_unknown = !found || found->place != Place::here;
                      room.is_unknown_now = is_unknown;
                      const auto answer_here = [this, name, answer, is_unknown](bool is_over,
                                                                                server::Time now) {
                        LocatedRoom here = find_room_here(name, now);
                        if (here.serial == 0 && !is_over) return false;
                        here.is_unknown_now = here.serial == 0 && is_unknown;
                        answer(std::move(here), now);
                        return true;
                      };
                      const auto again = [this, name, from, until, answer] {
                        return ask_for_room(name, from, until, answer);
                      };
                      if (found && wait({until, then + asked_again_after, answer_here, again}))
                        return;
                      answer(std::move(room), then);
                    };
              });
}

// What others have published may be some seconds old. If the room is taken by then, the other
// server opens one for the player.
void ClusterDirectory::find_open_room(std::uint64_t except, server::Time now,
                                      Answer<LocatedRoom> answer) {
  LocatedRoom found;
  local_->find_open_room(except, now, [&](const LocatedRoom& here, server::Time) { found = here; });
  for (auto next = open_remote_.begin(); found.serial == 0 && next != open_remote_.end(); ++next) {
    if (next->second.info->phase() != v1::PHASE_WAITING) continue;
    found.elsewhere = server_of(next->second.stream);
    found.is_listed_elsewhere = true;
    if (found.elsewhere) break;
  }
  answer(std::move(found), now);
}

ClusterDirectory::OwnRooms ClusterDirectory::own_rooms(const std::string& after, server::Time now) {
  OwnRooms own;
  local_->list_rooms(after, false, now,
                     [&](v1::RoomList found, server::Time) { own.page = std::move(found); });
  own.serials.reserve(static_cast<std::size_t>(own.page.rooms_size()));
  for (const v1::RoomInfo& room : own.page.rooms()) {
    own.serials.push_back(find_room_here(room.name(), now).serial);
  }
  return own;
}

// Merges a page of own rooms with those of others. Both are sorted by name.
void ClusterDirectory::list_rooms(const std::string& after, bool open_only, server::Time now,
                                  Answer<v1::RoomList> answer) {
  v1::RoomList own;
  local_->list_rooms(after, open_only, now,
                     [&](v1::RoomList found, server::Time) { own = std::move(found); });
  v1::RoomList merged;
  const int max = static_cast<int>(config_.limits.rooms_per_list);
  int next_own = 0;
  const auto& remote = open_only ? open_remote_ : remote_;
  auto next_remote = remote.upper_bound(after);
  while (merged.rooms_size() < max) {
    const bool has_own = next_own < own.rooms_size();
    const bool has_remote = next_remote != remote.end();
    if (!has_own && (own.more() || !has_remote)) break;
    if (has_own && (!has_remote || own.rooms(next_own).name() <= next_remote->first)) {
      merged.add_rooms()->Swap(own.mutable_rooms(next_own++));
    } else {
      *merged.add_rooms() = *next_remote->second.info;
      ++next_remote;
    }
  }
  merged.set_more(next_own < own.rooms_size() || own.more() || next_remote != remote.end());
  answer(std::move(merged), now);
}

}  // namespace tictactoe::cluster
