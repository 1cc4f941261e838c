// Keeps records in a PostgreSQL database.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/text/utc.hpp"
#include "server/records/backend.hpp"
#include "server/records/compaction.hpp"
#include "server/records/content.hpp"
#include "server/records/forget.hpp"
#include "server/records/membership.hpp"
#include "server/records/postgres/connection.hpp"
#include "server/records/record_store.hpp"
#include "server/records/set_aside.hpp"

namespace tictactoe::records {

/// One connection to the database, re-established after a loss; until then, calls return faults.
/// Commits are as durable as the database's settings say (synchronous_commit is at least on).
///
/// After a fault of append() the outcome may be unknown, or the events may be committed without
/// having reached a synchronous standby. The caller must append the same events again, or end. That
/// call checks the sequence number, never commits events twice, and succeeds once the standby has
/// them.
///
/// Players and rooms of other streams than local_stream are kept from their claims on (see
/// SharedNames) until the commit that forgets or closes them.
class PostgresStore final : public RecordStore, public CopyableStore, private Backend {
 public:
  struct Settings {
    /// Lines of chat kept per room.
    std::uint32_t kept_chat = 20;
    /// Bytes of records that one step of the compaction takes; a larger commit is taken whole.
    std::size_t step_bytes = std::size_t{32} * 1024;
    /// Time after which a silent database counts as lost, from start_serving() or the first
    /// append() on. Earlier calls may take `longest_patience`.
    std::chrono::milliseconds patience = default_patience;
    /// Unix time in milliseconds.
    std::function<std::uint64_t()> unix_ms = text::system_unix_ms;
    /// The keys of a name. Names that look alike have a key in common. Used only by index_names().
    std::function<std::array<std::string, 2>(std::string_view name)> look_alike_keys;
  };

  /// Connects, and creates the tables if there are none, under a lock. A database with another
  /// schema_version is refused and left as it is.
  static Result<std::unique_ptr<PostgresStore>> open(const std::string& url, Settings settings);

  /// Keeps out other servers that call this, as long as the connection lives. Returns a fault if
  /// there is one. This only helps people who start a second server by mistake: the epoch is what
  /// protects the records.
  std::optional<Fault> claim();
  /// Keeps out servers that call claim(), as long as the connection lives. Returns a fault if there
  /// is one.
  std::optional<Fault> share();

  /// Limits the waits of this connection and of its locks to `patience`: a server is about to use
  /// it.
  std::optional<Fault> start_serving();

  /// Compacts one step of the records in streams without a server. Returns whether there were any.
  Result<bool> compact_nobodys();
  /// Compacts one step of the records of draining servers. Returns whether there were any; false,
  /// without doing anything, while another server compacts.
  Result<bool> compact_of_leaving();
  /// Claims the names of players and rooms recorded by a server that had the database to itself.
  /// Requires that their records are compacted.
  std::optional<Fault> index_names();
  /// See Membership::adopt.
  Result<LoadedStream> adopt(StreamId stream, std::size_t most);
  /// See Membership::take_arrived.
  Result<LoadedStream> take_arrived(StreamId stream, std::size_t most);
  /// See Membership::bans.
  Result<std::optional<SharedBans>> bans(const std::string& known_version);

  std::uint64_t server_id() const override { return server_id_; }
  Result<StreamPosition> own(StreamId stream) override;
  Result<LoadedStream> load(StreamId stream) override;
  std::optional<Fault> set_aside(std::span<const RefusedRow> refused) override;
  Result<AppendOutcome> append(StreamId stream, StreamPosition expected,
                               std::uint64_t last_sequence, const Batch& batch) override;
  std::size_t uncompacted_bytes() const override { return uncompacted_bytes_; }
  /// Each step is a separate transaction. Other servers may compact as well.
  Result<CompactionStep> compact() override;
  Result<bool> delete_games_before(std::uint64_t unix_ms) override;
  std::optional<Fault> finish() override;
  std::optional<Fault> add_games(std::span<const v1::GameRecord> games) override;
  Result<std::unique_ptr<RecordReader>> open_reader() override;

  /// Like forget_player_in_database(). No server may be using the database.
  Result<Forgotten> forget(const std::string& name);

  Result<StoreState> state() override;
  Result<std::vector<StoredGame>> games_after(std::uint64_t id) override;
  Result<std::vector<AsideRow>> asides_after(std::uint64_t id) override;
  Result<bool> is_empty() override;
  std::optional<Fault> fill(StoreContent& content) override;
  std::size_t damaged_games() const override { return 0; }

 private:
  struct Unknown {
    StreamId stream;
    std::uint64_t epoch;
    std::uint64_t last_sequence;
  };

  PostgresStore(const std::string& url, Settings settings)
      : url_(url), settings_(std::move(settings)), connection_(url, longest_patience) {}

  // These throw.
  void connect();
  bool try_lock();
  std::optional<Fault> claim(const char* lock);
  void create_tables();
  void create_game_indexes();
  template <class Function>
  void change_schema(Function work);
  bool has(const char* table_or_index);
  void read_identity();
  bool append_as_owner(StreamId stream, StreamPosition expected, std::uint64_t last_sequence,
                       const Batch& batch);
  struct AtOnce;  // what a commit writes beside its records
  static AtOnce read_at_once(const Batch& batch, StreamId stream, std::uint64_t now);
  void write(const AtOnce& written, StreamId stream, std::uint64_t commit);
  void lock_rows(const AtOnce& written);
  bool was_committed(StreamId stream, std::uint64_t epoch, std::uint64_t last_sequence);
  void write(const KeptGame& game);
  void write_token(std::uint64_t player, const std::string& token_hash);
  void give_away(const journal::v1::PlayerMoved& moved);
  void give_away(std::span<const journal::v1::RoomMoved> moved, std::uint64_t commit);
  void free_players(std::span<const std::uint64_t> ids, StreamId stream);
  void free_rooms(std::span<const std::uint64_t> serials, StreamId stream);

  /// Nothing if another server compacts and `waits` is false.
  Result<std::optional<CompactionStep>> compact_step(bool waits);
  std::size_t merge(Compaction& state, SetAsideCounts& counts);
  void write_player(std::uint64_t id, const Compaction::Player& change);
  void write_room(std::uint64_t serial, const Compaction::Room& room, SetAsideCounts& counts);
  void write_moves(std::uint64_t serial, const Compaction::Room& room);
  void write_chat(std::uint64_t serial, const Compaction::Room& room);
  void insert_chat(std::uint64_t serial, const PostgresArray& lines);
  void delete_room(std::uint64_t serial);

  /// `choose(StreamId)` moves rows to the stream that it is called with. Reads them and moves them
  /// on to `stream`, in one transaction. Loads nothing if `choose` returns false.
  template <class Choose>
  Result<LoadedStream> take(StreamId stream, Choose choose);
  bool take_nobodys(StreamId taken, std::size_t most);
  bool has_adopted(StreamId stream, const LoadedStream& adopted);
  std::vector<std::uint64_t> players_of_rooms(StreamId stream);
  /// Indexes some rows. Returns whether there were any.
  bool index_players();
  bool index_rooms();

  // Backend. These throw.
  std::vector<BackendRow> rows_with(Table table, std::string_view bytes) override;
  void replace(Table table, const BackendRow& row) override;
  void erase(Table table, const BackendRow& row) override;
  std::vector<EncodedBan> encoded_bans() override;
  /// Each commit writes those that it changes.
  void write_ban(const std::string& subject, const Compaction::Ban& ban) override;
  void put_aside(std::string_view kind, std::uint64_t key, std::string_view reason,
                 std::string_view content) override;
  std::size_t erase_asides_with(std::string_view bytes) override;

  static void add_stream(LoadedStream stream, StoreState& state);
  void fill_state(const StoreState& state);
  void fill_games(std::span<const StoredGame> games);
  void fill_aside(const AsideRow& row);

  LoadedStream read(StreamId stream);
  void read_players(StreamId stream, LoadedStream& loaded, SetAsideCounts& counts);
  void read_rooms(StreamId stream, LoadedStream& loaded, SetAsideCounts& counts);
  /// False if a move is missing or the room can't be decoded.
  bool read_room(std::uint64_t serial, std::string_view state, journal::v1::SavedRoom& room);
  void set_room_aside(std::uint64_t serial, const std::string& reason);
  void set_player_aside(std::uint64_t id, const std::string& reason);

  const std::string url_;
  Settings settings_;
  PostgresConnection connection_;
  const char* lock_ = nullptr;  // the statement that took the lock held
  std::uint64_t server_id_ = 0;
  std::size_t uncompacted_bytes_ = 0;
  std::optional<Unknown> unknown_;                // an append with an unknown outcome
  std::optional<LoadedStream> unknown_adoption_;  // of adopt() or take_arrived()
};

}  // namespace tictactoe::records
