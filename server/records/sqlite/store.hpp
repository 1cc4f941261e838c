// The record store as an SQLite database.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "server/records/sql_store.hpp"
#include "server/records/sqlite/connection.hpp"
#include "server/records/sqlite/log.hpp"
#include "server/records/sqlite/log_rows.hpp"

namespace tictactoe::records {

/// One connection to the database. When append() succeeds, its records are on the disk (WAL,
/// synchronous=FULL). Compaction does not wait for the disk: the records stay until its pages are
/// there. Another process may add games meanwhile.
class SqliteStore final : public SqlStore<SqliteConnection> {
 public:
  /// Opens or creates the file, readable only by its owner; ":memory:" is a database that ends with
  /// this object. Checks every page, in O(size). A file that is refused stays as it was.
  static Result<std::unique_ptr<SqliteStore>> open(const std::string& path, Settings settings = {});

  Result<StreamPosition> own(StreamId stream) override;
  Result<AppendOutcome> append(StreamId stream, StreamPosition expected,
                               std::uint64_t last_sequence, const Batch& batch) override;
  std::optional<Fault> finish() override;
  std::optional<Fault> add_games(std::span<const v1::GameRecord> games) override;
  Result<std::unique_ptr<RecordReader>> open_reader() override;

  /// The database can grow to that many pages, as on a full disk; for tests.
  void limit_pages(std::uint32_t pages);

 private:
  SqliteStore(const std::string& path, Settings settings);

  // Opening. These throw.
  void check();
  bool has_no_tables();
  void require_writable();
  void move_all();
  void read_identity();

  struct Stream {
    std::uint64_t epoch = 0;  // 0: the stream is not there
    std::uint64_t sequence = 0;
    std::uint64_t last_revision = 0;
  };
  Stream read_stream(StreamId stream);
  void put_stream(StreamId stream, const Stream& row);
  std::vector<StreamId> streams();
  /// Whether the stream has this owner and this last event.
  bool is_at(StreamId stream, StreamPosition expected);

  SqliteConnection& connection() override { return *file_; }
  void transact(Transaction kind, const std::function<void()>& work) override;
  std::uint64_t last_revision(std::optional<StreamId> stream) override;
  void raise_last_revision(StreamId stream, std::uint64_t revision) override;
  std::vector<LogRow> log_after(std::uint64_t id, std::size_t bytes) override {
    return log_rows_after(*file_, id, bytes);
  }
  void cut_log(std::span<const std::uint64_t> ids) override;
  Progress progress() override;
  void put_progress(const Progress& progress) override;
  std::uint64_t games_written() override { return records::games_written(*file_); }
  void put_games_written(std::uint64_t through) override {
    records::put_games_written(*file_, through);
  }
  std::vector<Row> rows_at(Table table, std::span<const std::uint64_t> keys) override;
  using StateStore::put;
  void put(Table table, std::span<const Row> rows) override;
  void erase(Table table, std::span<const std::uint64_t> keys) override;
  bool makes_rows(StreamId /*stream*/) const override { return true; }
  void put_games(std::span<const StoredGame> games) override { records::put_games(*file_, games); }
  std::uint64_t last_game() override;
  void put_identity(std::uint64_t server_id, std::uint64_t last_game) override;
  std::optional<Fault> rewrite() override;
  std::optional<Fault> empty_log();
  std::optional<Fault> execute(const std::function<void()>& work);

  const std::string path_;
  std::shared_ptr<SqliteConnection> file_;
  std::shared_ptr<SqliteLog> log_;
};

}  // namespace tictactoe::records
