// Reads finished games from an SQLite database.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "server/records/record_store.hpp"
#include "server/records/sqlite/connection.hpp"
#include "server/records/sqlite/log.hpp"

namespace tictactoe::records {

/// One more connection to the file of a SqliteStore, which moves finished games from the log to
/// their table when somebody asks for games. A commit waits for the short transactions that do so,
/// and for nothing else.
class SqliteReader final : public RecordReader {
 public:
  /// `file` is the store's own connection if the database is in memory: then both must be used on
  /// one thread.
  SqliteReader(std::shared_ptr<SqliteConnection> file, std::shared_ptr<SqliteLog> log)
      : file_(std::move(file)), log_(std::move(log)) {}

  Result<v1::GameList> list_games(std::uint64_t before, const std::string& player,
                                  std::size_t limit, ReaderNumber reader) override;
  Result<std::optional<v1::GameRecord>> game(std::uint64_t id, ReaderNumber reader) override;
  std::size_t damaged_games() const override { return damaged_games_; }
  bool wants_maintenance() const override { return log_->is_full(); }
  void maintain() override {
    if (wants_maintenance()) log_->move_most(file_->database());
  }

 private:
  /// Does nothing if the disk fails or is full: then the latest games are missing from lists.
  void move_games();

  const std::shared_ptr<SqliteConnection> file_;
  const std::shared_ptr<SqliteLog> log_;
  std::size_t damaged_games_ = 0;
};

}  // namespace tictactoe::records
