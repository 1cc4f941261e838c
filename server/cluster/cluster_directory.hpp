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
#include <vector>

#include "server/core/config.hpp"
#include "server/core/directory.hpp"
#include "server/core/lobby_news.hpp"
#include "server/core/origin.hpp"
#include "server/store/shared_names.hpp"

namespace tictactoe::cluster {

/// The name with the keys of core::look_alike_keys().
store::KeyedName keyed_name(std::string name);

/// Knows the players and rooms of this server by the directory that it wraps, and asks the store
/// that the servers share for those of others and for new names. Numbers come from the store.
/// A player on another server is found by its token or, a room, by its name; the lists of rooms
/// contain those that the other servers have published; the list of players has only those who are
/// connected here.
class ClusterDirectory final : public core::Directory {
 public:
  /// Continues with an answer, on the thread of the host.
  using Continuation = std::function<void(core::Time now)>;
  /// Works on the shared names, on a thread that may wait.
  using Question = std::function<Continuation(store::SharedNames& names)>;
  /// Asks a question for a peer, which is answered later, unless the server ends. False if too many
  /// wait. A question without a peer is always taken, and goes first.
  using Ask = std::function<bool(std::optional<core::Origin> from, Question question)>;

  /// `config` must outlive it. `local` answers at once.
  ClusterDirectory(std::unique_ptr<Directory> local, const core::Config& config, std::uint64_t seed,
                   Ask ask)
      : local_(std::move(local)), config_(config), random_(seed), ask_(std::move(ask)) {}

  /// The servers that there are now, with this one, without those to which nobody is sent any more:
  /// what they have will be at another server in a moment.
  void set_servers(const std::vector<Server>& servers);
  /// Answers the questions about players and rooms that wait for a server to take these over, if
  /// this one has, or they have waited too long. `in_store`: asks the store again for the rest.
  void answer_waiting(bool in_store, core::Time now);
  void changed(const core::RoomElsewhere& room);
  /// A page of the rooms that this server lists, and the serials of these.
  struct OwnRooms {
    v1::RoomList page;
    std::vector<std::uint64_t> serials;
  };
  OwnRooms own_rooms(const std::string& after, core::Time now);

  void find_player(const std::string& token_hash, core::Origin from, core::Time now,
                   Answer<FoundPlayer> answer) override;
  void claim_player(const std::string& requested_name, const std::string& token_hash,
                    core::Origin from, core::Time now, Answer<Identity> answer) override;
  void log_in(const std::string& name, const std::string& token_hash, core::Origin from,
              core::Time now, Answer<FoundPlayer> answer) override;
  void renew_token(core::PlayerId id, const std::string& token_hash) override {
    local_->renew_token(id, token_hash);
  }
  bool is_login(const std::string& name) const override { return local_->is_login(name); }
  std::string name_of(core::PlayerId id) const override { return local_->name_of(id); }
  core::PlayerId id_of(const std::string& name) const override { return local_->id_of(name); }
  void release_player(core::PlayerId id) override { local_->release_player(id); }
  void drop_player(core::PlayerId id) override;
  void hand_over_player(core::PlayerId id) override { local_->hand_over_player(id); }
  void list_players(const std::string& after, core::Time now,
                    Answer<v1::PlayerList> answer) override {
    local_->list_players(after, now, std::move(answer));
  }

  void claim_room(const std::string& name, Naming naming, core::PlayerId creator, core::Origin from,
                  core::Time now, Answer<core::Parsed<RoomClaim>> answer) override;
  void release_room(std::uint64_t serial, std::uint64_t revision) override;
  void drop_room(std::uint64_t serial) override;
  void hand_over_room(std::uint64_t serial) override;
  void find_room(const std::string& name, core::Origin from, core::Time now,
                 Answer<FoundRoom> answer) override;
  void find_open_room(core::Time now, Answer<FoundRoom> answer) override;
  void list_rooms(const std::string& after, bool open_only, core::Time now,
                  Answer<v1::RoomList> answer) override;

  bool restore_player(const Identity& player, const std::string& token_hash) override {
    return local_->restore_player(player, token_hash);
  }
  bool restore_room(const RoomClaim& room, core::PlayerId creator) override;
  void restore_revision(std::uint64_t revision) override { local_->restore_revision(revision); }

 private:
  struct PlayerClaim;
  struct NewRoomClaim;
  struct LogIn;

  /// A question about a player or a room that no server has while it moves to another one.
  struct Waiting {
    core::Time until;
    core::Time ask_again;
    /// True if it is answered: it is here now, or nobody waits for longer.
    std::function<bool(bool is_over, core::Time now)> answer_here;
    std::function<bool()> ask;  ///< the store; false if too many wait for it
  };

  bool ask_for_player(const std::string& token_hash, core::Origin from, core::Time until,
                      Answer<FoundPlayer> answer);
  bool ask_for_room(const std::string& name, core::Origin from, core::Time until,
                    Answer<FoundRoom> answer);
  FoundPlayer find_here(const std::string& token_hash, core::Time now);
  FoundRoom find_room_here(const std::string& name, core::Time now);
  /// False if too many wait.
  bool wait(Waiting waiting);
  void claim(PlayerClaim claim, core::Time now);
  /// Continues a login. The first two return false if too many questions wait.
  bool ask_for_account(const LogIn& login);
  bool claim_account(const LogIn& login, core::PlayerId look_alike);
  void found_account(const LogIn& login, const store::Result<store::FoundPlayer>& found,
                     core::Time now);
  void claim(NewRoomClaim claim, core::Time now);
  std::optional<Server> server_of(store::StreamId stream) const;

  // A client gives up a server of a lobby that has not answered for three seconds.
  static constexpr std::chrono::milliseconds longest_wait{2000};
  static constexpr std::chrono::milliseconds asked_again_after{100};

  const std::unique_ptr<Directory> local_;
  const core::Config& config_;
  std::mt19937_64 random_;
  const Ask ask_;
  std::map<store::StreamId, Server> servers_;
  std::map<std::string, core::RoomElsewhere> remote_;       // by name
  std::map<std::string, core::RoomElsewhere> open_remote_;  // those that anybody can enter
  std::unordered_set<std::uint64_t> own_rooms_;             // serials
  std::vector<Waiting> waiting_;
};

}  // namespace tictactoe::cluster
