// The journal as an SQLite database: what a server has to know to go on, and every finished game.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <boost/system/result.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "server/store/batch.hpp"
#include "server/store/fault.hpp"
#include "server/store/fold.hpp"
#include "server/store/schema.hpp"
#include "tictactoe/journal/v1/journal.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::store {

template <typename Value>
using Result = boost::system::result<Value, Fault>;

/// One connection to the database; no threads, and not thread-safe. What it returns with success is
/// on the disk (WAL, synchronous=FULL). Another process may add games meanwhile.
class Database {
 public:
  struct Settings {
    /// Lines of chat that are kept of one room.
    std::uint32_t kept_chat = 20;
    /// Bytes of records after which they are brought to where they belong.
    std::size_t recent_bytes = std::size_t{1024} * 1024;
    /// What time it is, as Unix time in milliseconds.
    std::function<std::uint64_t()> unix_ms = system_unix_ms;
    Migrations migrations = store::migrations();
  };

  /// Opens the file, or makes it, readable by its owner alone; ":memory:" is a database that ends
  /// with this object. Every page is checked, in O(size); a file that is refused stays as it was,
  /// but for one of an older version whose migration fails half way: then it stays at a version
  /// between.
  static Result<std::unique_ptr<Database>> open(const std::string& path, Settings settings);
  static Result<std::unique_ptr<Database>> open(const std::string& path) { return open(path, {}); }
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// What the records that were applied have led to; damaged where a row is not as it was written.
  Result<journal::v1::Saved> load();

  /// Makes all of them last, in one transaction; where that fails, says why, and nothing of it was
  /// done. The time of a finished game is that of this call. Requires well-formed records.
  std::optional<Fault> apply(const Batch& batch);

  /// Finished games with an id below `before` (0: all), latest first, at most `limit`; where
  /// `player` is not empty, those that a person of that name sat at. O(limit * log(games)).
  Result<v1::GameList> list_games(std::uint64_t before, const std::string& player,
                                  std::size_t limit);
  /// Nothing where there is none (any more).
  Result<std::optional<v1::GameRecord>> game(std::uint64_t id);

  /// Adds games as they are but for their ids, all or none.
  std::optional<Fault> add_games(std::span<const v1::GameRecord> games);
  /// Forgets the oldest of those that were added before that time, at most `limit`. How many.
  Result<std::size_t> forget_games_before(std::uint64_t unix_ms, std::size_t limit);

  /// What time it is, by the settings.
  std::uint64_t unix_ms() const { return settings_.unix_ms(); }
  /// Brings everything from the write-ahead log into the database file.
  std::optional<Fault> checkpoint();

  /// The database may grow to that many pages and no further, as on a full disk; for tests.
  void limit_pages(std::uint32_t pages);

  static std::uint64_t system_unix_ms();

 private:
  struct Statements;

  Database(const std::string& path, Settings settings);

  // These throw.
  void check(const std::string& path);
  /// The version of a file that is sound; reads and no more.
  std::size_t judge();
  void require_writable(const std::string& path);
  bool looks_as_written(std::size_t version);
  void migrate(std::size_t version);
  journal::v1::Saved read_all();
  /// Brings what was recorded last to where it belongs.
  std::optional<Fault> fold();
  /// And up to which row that was.
  std::pair<Fold, std::uint64_t> read_recent();
  void write(const Fold& sum);
  void write(const journal::v1::Player& player);
  void write(std::uint64_t serial, const Fold::Room& room);
  void write(const journal::v1::Chat& line);
  void write(const v1::GameRecord& game, std::uint64_t kept_unix_ms);
  /// Leaves so many moves of a room.
  void undo_moves(std::uint64_t room, std::uint32_t left);
  std::int64_t last_line(std::int64_t room);

  /// Runs `work` in a transaction, which is rolled back where it throws.
  template <typename Work>
  std::optional<Fault> in_transaction(Work work);

  Settings settings_;
  SQLite::Database file_;
  std::unique_ptr<Statements> statements_;
  std::size_t recent_bytes_ = 0;  // of what is not folded yet
  journal::v1::Record record_;    // reused from record to record
  std::string bytes_;
};

}  // namespace tictactoe::store
