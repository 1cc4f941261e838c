// The directory of a server that shares its players and rooms with others.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "server/base/origin.hpp"
#include "server/limits/config.hpp"
#include "server/lobby/lobby_news.hpp"
#include "server/people/directory.hpp"
#include "server/records/shared_names.hpp"

namespace tictactoe::cluster {

/// A name with its server::look_alike_keys().
records::KeyedName keyed_name(std::string name);

/// Finds the players and rooms of this server in the directory that it wraps, and asks the shared
/// store for those of other servers and for new names. Numbers come from the store. A player of
/// another server is found by token, a room by name. The lists of rooms and players contain
/// what the other servers have published.
class ClusterDirectory final : public server::Directory {
 public:
  /// Processes an answer, on the thread of the host.
  using Continuation = std::function<void(server::Time now)>;
  /// Queries the shared names, on a thread that may block.
  using Question = std::function<Continuation(records::SharedNames& names)>;
  /// Asks a question for a peer. It is answered later, unless the server ends. Returns false if too
  /// many wait. A question without a peer is always accepted, and goes first.
  using Ask = std::function<bool(std::optional<server::Origin> from, Question question)>;

  /// `config` must outlive it. `local` answers at once.
  ClusterDirectory(std::unique_ptr<Directory> local, const server::Config& config,
                   std::uint64_t seed, Ask ask)
      : local_(std::move(local)), config_(config), random_(seed), ask_(std::move(ask)) {}

  /// Sets the servers, including this one, except those that accept no more redirects: other
  /// servers will soon have their rooms and players.
  void set_servers(const std::vector<LobbyServer>& servers);
  /// Answers the questions that wait for a server to take over a player or room, if this one has,
  /// or if they have waited too long. `in_store`: asks the store again for the others.
  void answer_waiting(bool in_store, server::Time now);
  void changed(const server::RoomElsewhere& room);
  /// A page of the listed rooms of this server, and their serials.
  struct OwnRooms {
    v1::RoomList page;
    std::vector<std::uint64_t> serials;
  };
  OwnRooms own_rooms(const std::string& after, server::Time now);
  /// A page of the players connected to this server.
  v1::PlayerList own_players(const std::string& after, server::Time now);
  void set_players_elsewhere(std::shared_ptr<const server::PlayersElsewhere> players) {
    players_elsewhere_ = std::move(players);
  }

  void find_player(const std::string& token_hash, server::Origin from, server::Time now,
                   Answer<LocatedPlayer> answer) override;
  void claim_player(const std::string& requested_name, const std::string& token_hash,
                    server::Origin from, server::Time now, Answer<Identity> answer) override;
  void log_in(const std::string& name, const std::string& token_hash, server::Origin from,
              server::Time now, Answer<LocatedPlayer> answer) override;
  void renew_token(server::PlayerId id, const std::string& token_hash) override {
    local_->renew_token(id, token_hash);
  }
  bool is_login(const std::string& name) const override { return local_->is_login(name); }
  std::string name_of(server::PlayerId id) const override { return local_->name_of(id); }
  server::PlayerId id_of(const std::string& name) const override { return local_->id_of(name); }
  void release_player(server::PlayerId id) override { local_->release_player(id); }
  void drop_player(server::PlayerId id) override;
  void hand_over_player(server::PlayerId id) override { local_->hand_over_player(id); }
  void list_players(const std::string& after, server::Time now,
                    Answer<v1::PlayerList> answer) override;

  void claim_room(const std::string& name, Naming naming, server::PlayerId creator,
                  server::Origin from, server::Time now,
                  Answer<server::Parsed<RoomClaim>> answer) override;
  void check_claim(const std::string& name, Naming naming, server::PlayerId creator,
                   std::uint64_t without, server::Origin from, server::Time now,
                   Answer<server::Refused> answer) override;
  void release_room(std::uint64_t serial, std::uint64_t revision) override;
  void drop_room(std::uint64_t serial) override;
  void hand_over_room(std::uint64_t serial) override;
  bool asks_for_room(const std::string& name) override { return !remote_.contains(name); }
  void find_room(const std::string& name, server::Origin from, server::Time now,
                 Answer<LocatedRoom> answer) override;
  void find_open_room(std::uint64_t except, server::Time now, Answer<LocatedRoom> answer) override;
  void list_rooms(const std::string& after, bool open_only, server::Time now,
                  Answer<v1::RoomList> answer) override;

  bool register_player(const Identity& player, const std::string& token_hash) override {
    return local_->register_player(player, token_hash);
  }
  bool register_room(const RoomClaim& room, server::PlayerId creator) override;
  void raise_revision(std::uint64_t revision) override { local_->raise_revision(revision); }

 private:
  struct PlayerClaim;
  struct NewRoomClaim;
  struct LogIn;

  /// A question about a player or room that no server has, because it is moving to another one.
  struct PendingFind {
    server::Time until;
    server::Time ask_again;
    /// Returns whether it has answered: it is here now, or the wait is over.
    std::function<bool(bool is_over, server::Time now)> answer_here;
    std::function<bool()> ask;  ///< asks the store; false if too many wait for it
  };

  bool ask_for_player(const std::string& token_hash, server::Origin from, server::Time until,
                      Answer<LocatedPlayer> answer);
  bool ask_for_room(const std::string& name, server::Origin from, server::Time until,
                    Answer<LocatedRoom> answer);
  LocatedPlayer find_here(const std::string& token_hash, server::Time now);
  LocatedRoom find_room_here(const std::string& name, server::Time now);
  /// Returns false if too many wait.
  bool wait(PendingFind waiting);
  void claim(PlayerClaim claim, server::Time now);
  /// Continue a login. The first two return false if too many questions wait.
  bool ask_for_account(const LogIn& login);
  bool claim_account(const LogIn& login, server::PlayerId look_alike);
  void found_account(const LogIn& login, const records::Result<records::FoundPlayer>& found,
                     server::Time now);
  void claim(NewRoomClaim claim, server::Time now);
  std::optional<LobbyServer> server_of(records::StreamId stream) const;

  // A client gives up on a server of a lobby that has not answered for three seconds.
  static constexpr std::chrono::milliseconds max_wait{2000};
  static constexpr std::chrono::milliseconds asked_again_after{100};

  const std::unique_ptr<Directory> local_;
  const server::Config& config_;
  std::mt19937_64 random_;
  const Ask ask_;
  std::map<records::StreamId, LobbyServer> servers_;
  std::map<std::string, server::RoomElsewhere> remote_;       // by name
  std::map<std::string, server::RoomElsewhere> open_remote_;  // those that anybody can enter
  std::unordered_set<std::uint64_t> own_rooms_;               // serials
  std::shared_ptr<const server::PlayersElsewhere> players_elsewhere_ =
      std::make_shared<server::PlayersElsewhere>();
  std::vector<PendingFind> waiting_;
};

}  // namespace tictactoe::cluster
