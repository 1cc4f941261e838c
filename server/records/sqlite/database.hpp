// A connection to an SQLite database.
#pragma once

#include <sqlite3.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "server/records/database.hpp"

namespace tictactoe::records {

/// Whether a sync of one of its files has failed, for all connections of a process. Final: what the
/// system had accepted may be missing on the disk, and another try proves nothing.
using DiskFailure = std::shared_ptr<std::atomic<bool>>;

/// A file with a write-ahead log. A commit is on the disk when it returns (synchronous=FULL). Waits
/// up to 5 s for another process that has the write lock.
///
/// SQLite moves the log's pages into the file in the commit that finds it long enough. It would
/// ignore a fault there, so this has it do so and looks at the result. Nothing is written after a
/// failed sync. After another fault, the next commits try again, and fail until one succeeds.
class SqliteDatabase final : public Database {
 public:
  /// `flags` as for sqlite3_open_v2().
  SqliteDatabase(const std::string& path, int flags,
                 DiskFailure has_failed = std::make_shared<std::atomic<bool>>());

  /// Turns the write-ahead log on. Requires a file that can be written.
  void use_log();
  /// Moves all of the log into the file, and empties it. While another program reads, this is
  /// impossible. `waits`: up to 5 s for its end.
  void empty_log(bool waits);
  /// Replaces what an existing file has by what this database has. All at once: a copy in steps
  /// begins again whenever another process writes. With a write-ahead log, it delays nobody.
  void copy_to(const std::string& file);

  Kind kind() const override { return Kind::sqlite; }
  void transact(Transaction kind, const std::function<void()>& work) override;
  void run_script(const std::string& sql) override;
  sqlite3* handle() const { return file_.get(); }
  const DiskFailure& failure() const { return has_failed_; }
  /// The text in the first column of the first row.
  std::string text_of(const std::string& sql);

 private:
  using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;
  // A statement may have thousands of bytes, and few of them begin alike and are as long.
  struct ShortHash {
    std::size_t operator()(const std::string& sql) const {
      return std::hash<std::string_view>()(std::string_view(sql).substr(0, 24)) + sql.size();
    }
  };

  std::size_t run_now(const std::string& sql, Values values) override;
  void run_soon(const std::string& sql, Values values) override { run_now(sql, values); }
  void visit_rows(const std::string& sql, Values values,
                  const std::function<bool(const SqlRow&)>& visit) override;

  sqlite3_stmt* prepare(const std::string& sql, Values values);
  [[noreturn]] void fail();
  bool move_log();
  static int log_grew(void* self, sqlite3* file, const char* name, int pages);

  const DiskFailure has_failed_;
  bool is_log_stuck_ = false;  // the last try to move it has failed
  const std::unique_ptr<sqlite3, int (*)(sqlite3*)> file_;
  std::unordered_map<std::string, Statement, ShortHash> statements_;
};

}  // namespace tictactoe::records
