// Reads finished games from an SQLite database.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/records/compaction.hpp"
#include "server/records/record_store.hpp"
#include "server/records/sqlite/log.hpp"

namespace tictactoe::records {

/// One more connection to the file of a SqliteStore. In WAL mode neither of the two waits for the
/// other. Games that are not compacted yet are found in their records: they have the ids that
/// compaction will give them. Each record is read once: what lists need of these games, about 500
/// bytes each, is kept until they are compacted, see `most_recent`.
class SqliteReader final : public RecordReader {
 public:
  /// Games that are not compacted and are kept between two questions. If there are more, the next
  /// question reads all records again.
  static constexpr std::size_t most_recent = 65'536;

  /// Uses `file`, which is the store's own connection if the database is in memory: then both must
  /// be used on one thread. Keeps `owned` alive.
  SqliteReader(SQLite::Database& file, std::unique_ptr<SQLite::Database> owned,
               std::shared_ptr<SqliteLog> log)
      : owned_(std::move(owned)), file_(file), log_(std::move(log)) {}

  Result<v1::GameList> list_games(std::uint64_t before, const std::string& player,
                                  std::size_t limit, ReaderNumber reader) override;
  Result<std::optional<v1::GameRecord>> game(std::uint64_t id, ReaderNumber reader) override;
  std::size_t damaged_games() const override { return damaged_games_; }
  bool wants_maintenance() const override;
  void maintain() override;

 private:
  /// A game that is not compacted.
  struct RecentGame {
    std::uint64_t row;    // of `uncompacted`
    std::size_t place;    // among the games of the row
    v1::GameRecord head;  // with its id, without its moves
    std::optional<journal::v1::Readers> readers;
  };
  struct Row {
    std::uint64_t id = 0;
    std::uint64_t sum = 0;
  };

  /// Brings `recent_` up to date. O(records since the last call).
  void read_recent();
  bool knows_first_rows();
  void limit_recent();
  void list_recent(std::uint64_t before, const std::string& player, std::size_t limit,
                   ReaderNumber reader, v1::GameList& list) const;
  std::optional<v1::GameRecord> recent_game(std::uint64_t id, ReaderNumber reader);
  void list_compacted(std::uint64_t before, const std::string& player, std::size_t limit,
                      ReaderNumber reader, v1::GameList& list);

  std::unique_ptr<SQLite::Database> owned_;
  SQLite::Database& file_;
  std::shared_ptr<SqliteLog> log_;
  std::size_t damaged_games_ = 0;
  std::deque<RecentGame> recent_;  // by id, without gaps
  Row last_row_;                   // of those that have been read; 0: none
  std::uint64_t next_id_ = 1;      // of the first game after `last_row_`
};

}  // namespace tictactoe::records
