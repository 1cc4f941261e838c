// Keeps records in a PostgreSQL database.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/records/membership.hpp"
#include "server/records/postgres/database.hpp"
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
class PostgresStore final : public SqlStore {
 public:
  struct Settings : SqlStore::Settings {
    /// Time after which a silent database counts as lost, from start_serving() or the first
    /// append() on. Earlier calls may take `max_patience`.
    std::chrono::milliseconds patience = default_patience;
    /// The keys of a name. Names that look alike have a key in common. Used only by index_names().
    std::function<std::array<std::string, 2>(std::string_view name)> look_alike_keys = nullptr;
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

  /// Claims the names of players and rooms recorded by a server that had the database to itself.
  /// Deletes one whose name or token another one has.
  std::optional<Fault> index_names();
  /// See Membership::adopt.
  Result<journal::v1::Saved> adopt(StreamId stream, std::size_t most);
  /// See Membership::take_arrived.
  Result<journal::v1::Saved> take_arrived(StreamId stream, std::size_t most);
  /// See Membership::bans.
  Result<std::optional<SharedBans>> bans(const std::string& known_version);

  Result<AppendOutcome> append(StreamId stream, StreamPosition expected,
                               std::uint64_t last_sequence, const Batch& batch) override;
  Result<std::unique_ptr<RecordReader>> open_reader() override;

 private:
  struct Unknown {
    StreamId stream;
    std::uint64_t epoch;
    std::uint64_t last_sequence;
  };

  PostgresStore(const std::string& url, const Settings& settings,
                std::shared_ptr<PostgresDatabase> database);

  // These throw.
  bool try_lock();
  std::optional<Fault> claim(const char* lock);
  void check();
  bool was_committed(StreamId stream, std::uint64_t epoch, std::uint64_t last_sequence);
  /// `choose(StreamId)` moves rows to the stream that it is called with. Reads them and moves them
  /// on to `stream`, in one transaction. Takes nothing if `choose` returns false.
  template <class Choose>
  Result<journal::v1::Saved> take(StreamId stream, Choose choose);
  bool take_unowned(StreamId taken, std::size_t most);
  bool has_adopted(StreamId stream, const journal::v1::Saved& adopted);
  std::vector<std::uint64_t> players_of_rooms(StreamId stream);
  /// Those of "player" or "room" rows. `unique`: a column that no two of them may have in common.
  void index_names(const std::string& kind, const std::string& id, const std::string& unique);

  void rewrite() override;
  std::uint64_t last_game() override;
  void set_last_game(std::uint64_t id) override;

  const std::string url_;
  const Settings settings_;
  const std::shared_ptr<PostgresDatabase> postgres_;
  std::string lock_;                                    // the statement that took the lock held
  std::optional<Unknown> unknown_;                      // an append with an unknown outcome
  std::optional<journal::v1::Saved> unknown_adoption_;  // of adopt() or take_arrived()
};

}  // namespace tictactoe::records
