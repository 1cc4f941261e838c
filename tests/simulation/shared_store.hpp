// The database that several simulated servers share, in memory.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/records/membership.hpp"
#include "server/records/record_store.hpp"
#include "server/records/shared_names.hpp"

namespace tictactoe::simulation {

/// What PostgreSQL and the statements of records::PostgresStore, PostgresMembership and
/// PostgresNames do, on plain maps. Each function is one transaction and takes no time; who uses it
/// makes the time pass. See shared_sessions.hpp for the interfaces that a server knows.
class SharedStore final {
 public:
  /// What is done wrong on purpose.
  enum class Mistake : std::uint8_t {
    none,
    commit_without_epoch,  ///< a commit does not check the epoch
    blind_retry,        ///< a commit of unknown outcome is repeated without a look at the sequence
    read_before_epoch,  ///< a takeover raises the epoch some time after it has read
  };
  struct Settings {
    std::size_t kept_chat = 20;
    /// The store's clock: leases, and the times of games.
    std::function<std::uint64_t()> unix_ms;
    Mistake mistake = Mistake::none;
  };
  /// The serial of a room and the number of a game in it.
  using GameNumber = std::pair<std::uint64_t, std::uint32_t>;
  struct Game {
    v1::GameRecord record;
    std::optional<journal::v1::Readers> readers;  // nothing: everybody
    GameNumber number;
    bool may_be_read_by(records::ReaderNumber reader) const {
      return !readers || (reader != 0 && (readers->x() == reader || readers->o() == reader));
    }
  };

  explicit SharedStore(Settings settings) : settings_(std::move(settings)) {}

  // Streams.
  records::StreamId new_stream() { return ++last_stream_; }
  records::StreamPosition own(records::StreamId stream);
  /// What a stream has, and all bans.
  journal::v1::Saved load(records::StreamId stream);
  records::AppendOutcome append(records::StreamId stream, records::StreamPosition expected,
                                std::uint64_t last_sequence, const records::Batch& batch);
  /// Of a commit whose outcome the server does not know.
  bool append_again(records::StreamId stream, records::StreamPosition expected,
                    std::uint64_t last_sequence, const records::Batch& batch);
  bool has_sequence(records::StreamId stream, std::uint64_t epoch, std::uint64_t sequence) const;
  // As in records::RecordReader.
  v1::GameList list_games(std::uint64_t before, const std::string& player, std::size_t limit,
                          records::ReaderNumber reader) const;
  std::optional<v1::GameRecord> game(std::uint64_t id, records::ReaderNumber reader) const;

  // Members.
  void join(const records::Member& self, std::chrono::milliseconds lease);
  bool renew(const records::Member& self, std::chrono::milliseconds lease);
  void leave(records::StreamId stream);
  std::vector<records::Member> members() const;
  bool take_over();
  journal::v1::Saved adopt(records::StreamId stream, std::size_t most);
  journal::v1::Saved take_arrived(records::StreamId stream, std::size_t most);
  std::size_t count_arriving(std::size_t most) const;
  std::optional<records::SharedBans> bans(const std::string& known_version);
  void publish(records::StreamId stream, std::span<const records::PublishedRoom> rooms);
  std::vector<records::PublishedRoom> rooms_of_others(records::StreamId stream) const;
  void publish_players(records::StreamId stream, const std::string& players);
  std::vector<std::string> players_of_others(records::StreamId stream) const;

  // Names. Those that claim do nothing for a server that was taken over: nothing is returned then.
  records::FoundPlayer find_player(records::StreamId asking, const std::string& token_hash);
  /// 0: the name is taken.
  std::optional<std::uint64_t> claim_player(records::StreamId stream, std::uint64_t epoch,
                                            const records::KeyedName& name,
                                            const std::string& token_hash);
  void drop_players(records::StreamId stream, const records::LostClaims& lost);
  records::Whereabouts find_room(records::StreamId asking, const std::string& name) const;
  std::optional<records::ClaimedRoom> claim_room(records::StreamId stream, std::uint64_t epoch,
                                                 const records::KeyedName& name,
                                                 std::uint64_t creator, std::size_t most);
  records::ClaimedRoom::Outcome check_room(const records::KeyedName& name, std::uint64_t creator,
                                           std::size_t most, std::uint64_t without) const;
  void drop_rooms(records::StreamId stream, const records::LostClaims& lost);

  // For those who judge.
  const std::vector<Game>& games() const { return games_; }
  /// Without mere claims, which are dropped with their streams.
  std::size_t players() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        players_, [](const auto& row) { return row.second.state.has_value(); }));
  }
  std::size_t rooms() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        rooms_, [](const auto& row) { return row.second.state.has_value(); }));
  }
  std::uint64_t commits() const { return commits_; }
  /// Takeovers of servers whose lease was over.
  std::uint64_t takeovers() const { return takeovers_; }
  /// Rooms that were given to a server by one that leaves.
  std::uint64_t rooms_moved() const { return rooms_moved_; }
  /// Commits of servers that had been taken over.
  std::uint64_t fenced() const { return fenced_; }
  /// The serial of the room that had that name at that revision; 0: there was none.
  std::uint64_t serial_of(const std::string& name, std::uint64_t revision) const;

 private:
  struct Stream {
    std::uint64_t epoch = 1;
    std::uint64_t sequence = 0;
    std::uint64_t last_revision = 0;
  };
  struct Server {
    records::Member member;
    std::uint64_t lease_until = 0;
    std::string players = {};  // as publish_players() has them
  };
  struct Player {
    records::StreamId stream = 0;
    std::optional<journal::v1::Player> state;  // nothing: only a claim
    std::string token_hash;
    bool has_arrived = false;  // from another server, which has not been told
    std::vector<std::string> keys;
  };
  struct Room {
    records::StreamId stream = 0;
    std::optional<journal::v1::SavedRoom> state;  // nothing: only a claim
    std::string name;
    std::uint64_t creator = 0;
    std::string info;
    std::vector<std::string> keys;
    bool has_arrived = false;  // was given to the stream, whose server has not taken it yet
  };
  bool has_server(records::StreamId stream) const { return servers_.contains(stream); }
  bool is_owner(records::StreamId stream, std::uint64_t epoch) const;
  void apply(const journal::v1::Record& record, records::StreamId stream);
  void put(const journal::v1::Player& player, records::StreamId stream, bool arrives);
  void put(const journal::v1::Room& room, records::StreamId stream, bool arrives);
  /// Null if it is not there.
  journal::v1::SavedRoom* find(std::uint64_t room);
  void add(const journal::v1::Move& move);
  void add(const journal::v1::Chat& line);
  void note_done(const journal::v1::Record& record);
  journal::v1::Saved read(records::StreamId stream) const;
  bool fence_one();
  /// Gives what `taken` has to another stream, and returns it.
  journal::v1::Saved give(records::StreamId taken, records::StreamId to);
  void delete_player(std::uint64_t id);
  void delete_room(std::uint64_t serial);
  void delete_claims();
  records::Whereabouts whereabouts(records::StreamId asking, records::StreamId stream) const;

  const Settings settings_;
  records::StreamId last_stream_ = 0;
  std::uint64_t last_player_ = 0;
  std::uint64_t last_room_ = 0;
  std::map<records::StreamId, Stream> streams_;
  std::map<records::StreamId, Server> servers_;
  std::map<std::uint64_t, Player> players_;
  std::map<std::string, std::uint64_t> player_names_;  // by key
  std::map<std::string, std::uint64_t> player_tokens_;
  std::map<std::uint64_t, Room> rooms_;
  std::map<std::string, std::uint64_t> room_names_;  // by key
  std::map<std::string, std::uint64_t> room_by_name_;
  std::map<std::string, journal::v1::Ban> bans_;
  std::vector<Game> games_;                      // by id, from 1
  std::map<std::string, GameNumber> games_now_;  // by room, as far as recorded
  std::vector<std::pair<std::uint64_t, records::StreamId>> raise_later_;  // the planted mistake's
  std::map<std::string, std::vector<std::pair<std::uint64_t, std::uint64_t>>> claims_;
  std::uint64_t commits_ = 0;
  std::uint64_t takeovers_ = 0;
  std::uint64_t rooms_moved_ = 0;
  std::uint64_t fenced_ = 0;
};

}  // namespace tictactoe::simulation
