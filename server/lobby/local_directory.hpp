// The directory of a standalone server: its own tables.
#pragma once

#include <map>
#include <random>
#include <string>
#include <unordered_map>

#include "server/base/index.hpp"
#include "server/base/keyed_hash.hpp"
#include "server/limits/config.hpp"
#include "server/lobby/room_table.hpp"
#include "server/lobby/taken_names.hpp"
#include "server/people/directory.hpp"
#include "server/people/logins.hpp"
#include "server/people/players.hpp"

namespace tictactoe::server {

/// Answers at once. O(1) or O(log n); a list costs O(its length) more. A name is taken if one that
/// looks like it is in use, but rooms are found only by the bytes of their names.
class LocalDirectory final : public Directory {
 public:
  /// All except `seed` must outlive it. `seed` is a secret, which the random numbers in names don't
  /// reveal.
  LocalDirectory(const Config& config, const Players& players, const RoomTable& rooms,
                 const Logins& logins, std::uint64_t seed)
      : config_(config),
        players_(players),
        rooms_(rooms),
        logins_(logins),
        random_(keyed_hash({seed, ~seed}, "random")),
        player_names_({seed, ~seed}),
        room_names_({seed, ~seed}) {
    load_name_rules();
  }

  void find_player(const std::string& token_hash, Origin from, Time now,
                   Answer<LocatedPlayer> answer) override;
  void claim_player(const std::string& requested_name, const std::string& token_hash, Origin from,
                    Time now, Answer<Identity> answer) override;
  void log_in(const std::string& name, const std::string& token_hash, Origin from, Time now,
              Answer<LocatedPlayer> answer) override;
  void renew_token(PlayerId id, const std::string& token_hash) override;
  bool is_login(const std::string& name) const override { return logins_.find(name) != nullptr; }
  std::string name_of(PlayerId id) const override;
  PlayerId id_of(const std::string& name) const override;
  void release_player(PlayerId id) override;
  void drop_player(PlayerId id) override { release_player(id); }
  void hand_over_player(PlayerId id) override { release_player(id); }
  void list_players(const std::string& after, Time now, Answer<v1::PlayerList> answer) override;

  void claim_room(const std::string& name, Naming naming, PlayerId creator, Origin from, Time now,
                  Answer<Parsed<RoomClaim>> answer) override;
  void check_claim(const std::string& name, Naming naming, PlayerId creator, std::uint64_t without,
                   Origin from, Time now, Answer<Refused> answer) override;
  void release_room(std::uint64_t serial, std::uint64_t revision) override;
  void drop_room(std::uint64_t serial) override { release_room(serial, 0); }
  void hand_over_room(std::uint64_t serial) override { release_room(serial, 0); }
  void find_room(const std::string& name, Origin from, Time now,
                 Answer<LocatedRoom> answer) override;
  void find_open_room(std::uint64_t except, Time now, Answer<LocatedRoom> answer) override;
  void list_rooms(const std::string& after, bool open_only, Time now,
                  Answer<v1::RoomList> answer) override;

  bool register_player(const Identity& player, const std::string& token_hash) override;
  bool register_room(const RoomClaim& room, PlayerId creator) override;
  void raise_revision(std::uint64_t revision) override;

 private:
  struct KnownPlayer {
    std::string name;
    std::string token_hash;
  };
  struct KnownRoom {
    std::string name;
    PlayerId creator = 0;
  };
  using KnownPlayers = std::map<PlayerId, KnownPlayer>;
  using KnownRooms = std::unordered_map<std::uint64_t, KnownRoom>;  // by serial
  static const std::string& name_of_player(const KnownPlayers::value_type& player) {
    return player.second.name;
  }
  static const std::string& hash_of_player(const KnownPlayers::value_type& player) {
    return player.second.token_hash;
  }
  static const std::string& name_of_room(const KnownRooms::value_type& room) {
    return room.second.name;
  }

  Parsed<RoomClaim> claim_room(const std::string& name, Naming naming, PlayerId creator);
  Refused cannot_claim(const std::string& name, Naming naming, PlayerId creator,
                       std::uint64_t without) const;
  void add_room(const RoomClaim& room, PlayerId creator);

  const Config& config_;
  const Players& players_;
  const RoomTable& rooms_;
  const Logins& logins_;
  std::mt19937_64 random_;

  // No hash tables for players: with 100,000 of them, growing one would take many milliseconds.
  KnownPlayers known_players_;
  Index<KnownPlayers::value_type, &name_of_player> players_by_name_;
  TakenNames player_names_;
  Index<KnownPlayers::value_type, &hash_of_player> players_by_hash_;
  PlayerId next_player_ = 1;

  KnownRooms known_rooms_;
  Index<KnownRooms::value_type, &name_of_room> rooms_by_name_;
  TakenNames room_names_;
  std::unordered_map<PlayerId, std::size_t> created_;  // number of open rooms, by creator
  std::uint64_t next_serial_ = 1;
  // The highest revision of all closed rooms. A room that reuses a name must not begin below it, or
  // a returning client would get the updates of the wrong room.
  std::uint64_t last_revision_ = 0;
};

}  // namespace tictactoe::server
