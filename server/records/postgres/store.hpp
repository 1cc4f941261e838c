// Keeps records in a PostgreSQL database.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/records/membership.hpp"
#include "server/records/postgres/connection.hpp"
#include "server/records/record_store.hpp"
#include "server/records/sql_store.hpp"

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
class PostgresStore final : public SqlStore<PostgresConnection> {
 public:
  /// A step of the compaction is a transaction that takes about `step_bytes` of records.
  struct Settings : StateStore::Settings {
    Settings() {
      compaction_bytes = 0;
      step_rows = std::numeric_limits<std::size_t>::max();
    }
    /// Time after which a silent database counts as lost, from start_serving() or the first
    /// append() on. Earlier calls may take `max_patience`.
    std::chrono::milliseconds patience = default_patience;
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
  /// The next adopt() says what this has set aside.
  Result<bool> compact_unowned();
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

  Result<StreamPosition> own(StreamId stream) override;
  Result<AppendOutcome> append(StreamId stream, StreamPosition expected,
                               std::uint64_t last_sequence, const Batch& batch) override;
  Result<std::unique_ptr<RecordReader>> open_reader() override;

 private:
  struct Unknown {
    StreamId stream;
    std::uint64_t epoch;
    std::uint64_t last_sequence;
  };

  PostgresStore(const std::string& url, const Settings& settings);

  // These throw.
  void connect();
  bool try_lock();
  std::optional<Fault> claim(const char* lock);
  void create_tables();
  void read_identity();
  bool append_as_owner(StreamId stream, StreamPosition expected, std::uint64_t last_sequence,
                       const Batch& batch);
  /// What other servers look for in the tables.
  void write_for_servers(std::span<const journal::v1::Record> records, StreamId stream,
                         std::uint64_t commit);
  void lock_rows(std::span<const journal::v1::Record> records);
  bool was_committed(StreamId stream, std::uint64_t epoch, std::uint64_t last_sequence);
  void give_away(const journal::v1::PlayerMoved& moved);
  void give_rooms_away(std::span<const journal::v1::Record> records, std::uint64_t commit);

  /// `choose(StreamId)` moves rows to the stream that it is called with. Reads them and moves them
  /// on to `stream`, in one transaction. Loads nothing if `choose` returns false.
  template <class Choose>
  Result<LoadedStream> take(StreamId stream, Choose choose);
  bool take_unowned(StreamId taken, std::size_t most);
  bool has_adopted(StreamId stream, const LoadedStream& adopted);
  std::vector<std::uint64_t> players_of_rooms(StreamId stream);
  /// Indexes some rows. Returns whether there were any.
  bool index_some(Table table);

  PostgresConnection& connection() override { return connection_; }
  void transact(Transaction kind, const std::function<void()>& work) override;
  std::uint64_t last_revision(std::optional<StreamId> stream) override;
  void raise_last_revision(StreamId stream, std::uint64_t revision) override;
  std::vector<LogRow> log_after(std::uint64_t id, std::size_t bytes) override;
  void cut_log(std::span<const std::uint64_t> ids) override;
  std::vector<Row> rows_at(Table table, std::span<const std::uint64_t> keys) override;
  using SqlStore::bans;
  using StateStore::put;
  void put(Table table, std::span<const Row> rows) override;
  void erase(Table table, std::span<const std::uint64_t> keys) override;
  bool makes_rows(StreamId stream) const override { return stream == local_stream; }
  void drop_names(Table table, std::span<const Row> rows) override;
  void put_games(std::span<const StoredGame> games) override;
  std::uint64_t last_game() override;
  void put_identity(std::uint64_t server_id, std::uint64_t last_game) override;
  std::optional<Fault> rewrite() override;

  const std::string url_;
  const Settings postgres_settings_;
  PostgresConnection connection_;
  const char* lock_ = nullptr;                    // the statement that took the lock held
  bool waits_to_compact_ = true;                  // for another server that compacts
  std::string set_aside_;                         // of other servers; a clause as in LoadedStream
  std::optional<Unknown> unknown_;                // an append with an unknown outcome
  std::optional<LoadedStream> unknown_adoption_;  // of adopt() or take_arrived()
};

}  // namespace tictactoe::records
