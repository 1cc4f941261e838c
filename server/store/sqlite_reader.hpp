// Reads finished games from an SQLite database.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/store/compaction.hpp"
#include "server/store/record_store.hpp"

namespace tictactoe::store {

/// Pages of the write-ahead log (16 MiB) after which it is moved into the database file: seldom, as
/// that waits for the disk twice.
inline constexpr int log_pages = 4'096;

/// One more connection to the file of a SqliteStore. In WAL mode neither of the two waits for the
/// other. Games that are not compacted yet are read from their records: they have the ids that
/// compaction will give them.
class SqliteReader final : public RecordReader {
 public:
  /// How far the write-ahead log has grown; shared with the store.
  struct Log {
    std::atomic<int> pages = 0;
    std::atomic<int> unmoved = 0;  // pages that are not in the database file
  };

  /// Uses `file`, which is the store's own connection if the database is in memory: then both must
  /// be used on one thread. Keeps `owned` alive.
  SqliteReader(SQLite::Database& file, std::unique_ptr<SQLite::Database> owned,
               std::shared_ptr<Log> log)
      : owned_(std::move(owned)), file_(file), log_(std::move(log)) {}

  Result<v1::GameList> list_games(std::uint64_t before, const std::string& player,
                                  std::size_t limit, ReaderNumber reader) override;
  Result<std::optional<v1::GameRecord>> game(std::uint64_t id, ReaderNumber reader) override;
  std::size_t damaged_games() const override { return damaged_games_; }
  bool wants_maintenance() const override;
  void maintain() override;

 private:
  /// Games that are not compacted, by id, from `first_id` on.
  struct Recent {
    std::uint64_t first_id = 1;
    std::vector<Compaction::Game> games;
  };
  Recent read_recent();
  void list_compacted(std::uint64_t before, const std::string& player, std::size_t limit,
                      ReaderNumber reader, v1::GameList& list);

  std::unique_ptr<SQLite::Database> owned_;
  SQLite::Database& file_;
  std::shared_ptr<Log> log_;
  std::size_t damaged_games_ = 0;
};

}  // namespace tictactoe::store
