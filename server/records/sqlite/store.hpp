// The record store as an SQLite database.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/text/utc.hpp"
#include "server/records/backend.hpp"
#include "server/records/compaction.hpp"
#include "server/records/content.hpp"
#include "server/records/forget.hpp"
#include "server/records/record_store.hpp"
#include "server/records/sqlite/reader.hpp"

namespace tictactoe::records {

/// One connection to the database. When append() succeeds, its records are on the disk (WAL,
/// synchronous=FULL). Compaction does not wait for the disk: the records stay until its pages are
/// there. Another process may add games meanwhile.
class SqliteStore final : public RecordStore, public CopyableStore, private Backend {
 public:
  struct Settings {
    /// Lines of chat kept per room.
    std::uint32_t kept_chat = 20;
    /// Minimum bytes of records that one compaction takes; if many wait, up to eight times as many.
    /// The more it takes, the more states of a room or player merge into one row. A step reads
    /// `step_bytes`, or writes rows for as many, and changes about `step_rows` rows; more if a room
    /// has more moves. The last step deletes all the records.
    std::size_t compaction_bytes = std::size_t{512} * 1024;
    std::size_t step_bytes = std::size_t{32} * 1024;
    std::size_t step_rows = 128;
    /// Unix time in milliseconds.
    std::function<std::uint64_t()> unix_ms = text::system_unix_ms;
  };

  /// Opens or creates the file, readable only by its owner; ":memory:" is a database that ends with
  /// this object. Checks every page, in O(size). A file that is refused stays as it was.
  static Result<std::unique_ptr<SqliteStore>> open(const std::string& path, Settings settings);
  static Result<std::unique_ptr<SqliteStore>> open(const std::string& path) {
    return open(path, {});
  }
  ~SqliteStore() override;

  std::uint64_t server_id() const override { return server_id_; }
  Result<StreamPosition> own(StreamId stream) override;
  Result<LoadedStream> load(StreamId stream) override;
  std::optional<Fault> set_aside(std::span<const RefusedRow> refused) override;
  Result<AppendOutcome> append(StreamId stream, StreamPosition expected,
                               std::uint64_t last_sequence, const Batch& batch) override;
  std::size_t uncompacted_bytes() const override { return uncompacted_bytes_; }
  Result<CompactionStep> compact() override;
  Result<bool> delete_games_before(std::uint64_t unix_ms) override;
  std::optional<Fault> finish() override;
  /// The games are events of a separate stream.
  std::optional<Fault> add_games(std::span<const v1::GameRecord> games) override;
  Result<std::unique_ptr<RecordReader>> open_reader() override;

  Result<StoreState> state() override;
  Result<std::vector<StoredGame>> games_after(std::uint64_t id) override;
  Result<std::vector<AsideRow>> asides_after(std::uint64_t id) override;
  Result<bool> is_empty() override;
  std::optional<Fault> fill(StoreContent& content) override;
  std::size_t damaged_games() const override { return damaged_games_; }

  /// As forget_player(), but for `damaged_journals`. No other connection may be open.
  Result<Forgotten> forget(const std::string& name);

  /// The database can grow to that many pages, as on a full disk; for tests.
  void limit_pages(std::uint32_t pages);

 private:
  struct Statements;
  struct Progress;
  struct Loading;

  SqliteStore(const std::string& path, Settings settings);

  // Opening. These throw.
  void check();
  bool has_no_tables();
  void require_writable();
  void read_identity();

  // Loading. These throw.
  void read_players(Loading& loading);
  void read_rooms(Loading& loading);
  void read_moves(Loading& loading);
  void read_chat(Loading& loading);
  void drop_broken_rooms(Loading& loading);
  void set_room_aside(std::uint64_t serial, const std::string& reason);
  void set_player_aside(std::uint64_t id, const std::string& reason);
  journal::v1::SavedRoom copy_room(std::uint64_t serial);
  /// Sets `epoch` to 0 if the stream is not there.
  Compaction::Stream read_stream(StreamId stream, std::uint64_t& epoch);
  void put_stream(StreamId stream, std::uint64_t epoch, const Compaction::Stream& state);

  // Compaction. These throw.
  void begin_compaction();
  void merge_step();
  /// Returns the number of bytes read.
  std::size_t merge_row(SQLite::Statement& row);
  void write_step();
  bool write_players();
  void write_player(std::uint64_t id, const Compaction::Player& change);
  bool write_rooms();
  void write_room(std::uint64_t serial, const Compaction::Room& room);
  /// Leaves that many moves of a room.
  void trim_moves(std::uint64_t serial, std::uint32_t left);
  const char* why_unfit(std::uint64_t serial, const Compaction::Room& room);
  void write(const journal::v1::Move& move);
  void write(const journal::v1::Chat& line);
  bool write_games();
  void write(std::span<const KeptGame> games);
  void use_rows(std::size_t rows);
  void put_cursor();
  void end_compaction();
  std::uint64_t count_moves(std::uint64_t room);
  /// Bytes of the records up to that row. O(rows).
  std::size_t measure_uncompacted(std::uint64_t through = std::uint64_t{
                                      std::numeric_limits<std::int64_t>::max()});

  // Copying. These throw.
  void fill_state(const StoreState& state);
  void fill_room(const journal::v1::SavedRoom& saved);
  void fill_game(const StoredGame& game);
  void fill_aside(const AsideRow& row);

  // Backend. These throw.
  std::vector<BackendRow> rows_with(Table table, std::string_view bytes) override;
  void replace(Table table, const BackendRow& row) override;
  void replace_head(const BackendRow& row);
  void erase(Table table, const BackendRow& row) override;
  std::vector<EncodedBan> encoded_bans() override;
  void write_ban(const std::string& subject, const Compaction::Ban& ban) override;
  void put_aside(std::string_view kind, std::uint64_t key, std::string_view reason,
                 std::string_view content) override;
  std::size_t erase_asides_with(std::string_view bytes) override;

  /// Whether the stream has this owner and this last event. Throws.
  bool is_at(StreamId stream, StreamPosition expected);
  /// Counts rows added by append().
  void note_rows(std::size_t rows, std::size_t bytes);
  /// Runs `work` in a transaction, and rolls back if it throws. An unsynced transaction reaches the
  /// disk with the next synced one.
  enum class Sync : std::uint8_t { synced, unsynced };
  template <class Function>
  void transact(Sync sync, Function work);

  const std::string path_;
  Settings settings_;
  SQLite::Database file_;
  std::unique_ptr<Statements> statements_;
  std::uint64_t server_id_ = 0;
  std::size_t uncompacted_bytes_ = 0;
  std::size_t damaged_games_ = 0;
  std::uint64_t last_row_ = 0;          // in `uncompacted`, as far as this connection knows
  std::unique_ptr<Progress> progress_;  // of the compaction that is under way
  std::shared_ptr<SqliteLog> log_;
  std::string bytes_;  // reused for each message
};

}  // namespace tictactoe::records
