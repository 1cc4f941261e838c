// Reads finished games from an SQLite database.
#pragma once

#include <memory>
#include <utility>

#include "server/records/sql_store.hpp"
#include "server/records/sqlite/connection.hpp"
#include "server/records/sqlite/log.hpp"

namespace tictactoe::records {

/// One more connection to the file of a SqliteStore, which moves finished games from the log to
/// their table when somebody asks for games. A commit waits for the short transactions that do so,
/// and for nothing else.
class SqliteReader final : public SqlReader<SqliteConnection> {
 public:
  /// `file` is the store's own connection if the database is in memory: then both must be used on
  /// one thread.
  SqliteReader(std::shared_ptr<SqliteConnection> file, std::shared_ptr<SqliteLog> log)
      : file_(std::move(file)), log_(std::move(log)) {}

  bool wants_maintenance() const override { return log_->is_full(); }
  void maintain() override {
    if (wants_maintenance()) log_->move_most(file_->database());
  }

 private:
  SqliteConnection& connection() override { return *file_; }
  /// Moves the games. Does nothing if the disk fails or is full: then the latest games are missing
  /// from lists.
  void prepare() override;

  const std::shared_ptr<SqliteConnection> file_;
  const std::shared_ptr<SqliteLog> log_;
};

}  // namespace tictactoe::records
