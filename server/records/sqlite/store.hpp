// The record store as an SQLite database.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "server/records/sql_store.hpp"
#include "server/records/sqlite/database.hpp"

namespace tictactoe::records {

/// One connection to the file. When append() succeeds, its events are on the disk. Another process
/// may add games meanwhile.
class SqliteStore final : public SqlStore {
 public:
  /// Opens or creates the file, readable only by its owner; ":memory:" is a database that ends with
  /// this object. Checks every page, in O(size). A file that is refused stays as it was.
  static Result<std::unique_ptr<SqliteStore>> open(const std::string& path, Settings settings = {});

  std::optional<Fault> finish() override;
  /// As finish(), but waits up to 5 s for programs that read.
  std::optional<Fault> settle();
  Result<std::unique_ptr<RecordReader>> open_reader() override;

  /// The database can grow to that many pages, as on a full disk; for tests.
  void limit_pages(std::uint32_t pages);

 private:
  SqliteStore(const std::string& path, Settings settings, std::shared_ptr<SqliteDatabase> file);

  // Opening. These throw.
  void check();
  bool check_content();  // returns whether the file has no tables
  void require_writable();

  void rewrite() override;
  std::uint64_t last_game() override;
  void set_last_game(std::uint64_t id) override;

  const std::string path_;
  const std::shared_ptr<SqliteDatabase> file_;
};

}  // namespace tictactoe::records
