#include "server/records/sqlite/store.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "server/records/rows.hpp"
#include "server/records/sqlite/log_rows.hpp"

namespace tictactoe::records {

// Transactions ------------------------------------------------------------------------------------

// An unsynced transaction reaches the disk with the next synced one.
void SqliteStore::transact(Transaction kind, const std::function<void()>& work) {
  // The transaction could begin the log again.
  if (log_->has_failed()) throw Failure{failed_sync()};
  struct Unsynced {
    Unsynced(SqliteConnection& the_file, bool is_it) : file(the_file), is_unsynced(is_it) {
      if (is_unsynced) file.database().exec("PRAGMA synchronous = NORMAL");
    }
    ~Unsynced() {
      if (is_unsynced) file.database().tryExec("PRAGMA synchronous = FULL");
    }
    Unsynced(const Unsynced&) = delete;
    Unsynced& operator=(const Unsynced&) = delete;
    SqliteConnection& file;
    const bool is_unsynced;
  };
  try {
    const Unsynced unsynced(*file_, kind == Transaction::compaction);
    file_->transact(work);
  } catch (const SQLite::Exception& error) {
    if (is_failed_sync(error.getExtendedErrorCode())) log_->fail();
    throw Failure{fault_of(error)};
  }
}

// Streams -----------------------------------------------------------------------------------------

Result<StreamPosition> SqliteStore::own(StreamId stream) {
  return in(Transaction::commit, [&] {
    Stream row = read_stream(stream);
    ++row.epoch;
    put_stream(stream, row);
    StreamPosition position{row.epoch, row.sequence};
    file_->visit(
        "SELECT sequence FROM uncompacted WHERE stream = ? ORDER BY id DESC LIMIT 1",
        [&](const SqliteRow& last) {
          position.sequence = last.number(0);
          return false;
        },
        stream);
    return position;
  });
}

SqliteStore::Stream SqliteStore::read_stream(StreamId stream) {
  Stream found;
  bool is_sound = true;
  file_->visit(
      "SELECT epoch, sequence, last_revision, sum FROM streams WHERE stream = ?",
      [&](const SqliteRow& row) {
        found = {row.number(0), row.number(1), row.number(2)};
        is_sound =
            row.number(3) == sum_of(stream, found.epoch, found.sequence, found.last_revision);
        return false;
      },
      stream);
  if (!is_sound) {
    // Its numbers are only lower limits: a stream begins again with those that can be believed.
    put_aside({0, settings().unix_ms(), "stream", stream, "it is damaged", ""});
    constexpr std::uint64_t most = std::uint64_t{1} << 60;
    if (found.sequence >= most) found.sequence = 0;
    if (found.last_revision >= most) found.last_revision = 0;
  }
  return found;
}

void SqliteStore::put_stream(StreamId stream, const Stream& row) {
  file_->run("INSERT OR REPLACE INTO streams VALUES(?, ?, ?, ?, ?)", stream, row.epoch,
             row.sequence, row.last_revision,
             sum_of(stream, row.epoch, row.sequence, row.last_revision));
}

std::uint64_t SqliteStore::last_revision(std::optional<StreamId> stream) {
  if (stream) return read_stream(*stream).last_revision;
  std::uint64_t last = 0;
  for (const StreamId each : streams()) last = std::max(last, read_stream(each).last_revision);
  return last;
}

void SqliteStore::raise_last_revision(StreamId stream, std::uint64_t revision) {
  Stream row = read_stream(stream);
  if (revision <= row.last_revision) return;
  row.last_revision = revision;
  put_stream(stream, row);
}

std::vector<StreamId> SqliteStore::streams() {
  std::vector<StreamId> found;
  file_->visit("SELECT stream FROM streams",
               [&](const SqliteRow& row) { found.push_back(row.number(0)); });
  return found;
}

// The log -----------------------------------------------------------------------------------------

// A commit writes whole pages and waits for them. So records go as they are into one row at the end
// of one table, and compaction moves many of them together to the other tables.
Result<AppendOutcome> SqliteStore::append(StreamId stream, StreamPosition expected,
                                          std::uint64_t last_sequence, const Batch& batch) {
  if (log_->is_nearly_moved()) log_->move_rest(file_->database());
  const std::uint64_t unix_ms = settings().unix_ms();
  const CommitChanges changes = read_changes(batch, unix_ms, false);
  const auto outcome = in(Transaction::commit, [&] {
    if (!is_at(stream, expected)) return AppendOutcome::fenced;
    log_->make_room(file_->database());
    const auto parts = rows_of_log(batch);
    for (const std::string_view& part : parts) {
      const std::uint64_t sequence = &part == &parts.back() ? last_sequence : expected.sequence;
      append_log_row(*file_, {stream, sequence, unix_ms}, part);
    }
    write(changes);
    if (changes.last_revision > 0) raise_last_revision(stream, changes.last_revision);
    return AppendOutcome::durable;
  });
  if (outcome && *outcome == AppendOutcome::durable) note_appended(batch.bytes().size());
  return outcome;
}

// Not in one statement with the row that is added: if that reads its own table, SQLite keeps what
// it has read in a temporary one, which costs more than all the rest.
bool SqliteStore::is_at(StreamId stream, StreamPosition expected) {
  bool is_at = false;
  file_->visit(
      "SELECT epoch, coalesce((SELECT sequence FROM uncompacted WHERE stream = ?1 "
      "ORDER BY id DESC LIMIT 1), sequence) FROM streams WHERE stream = ?1",
      [&](const SqliteRow& row) {
        is_at = row.number(0) == expected.epoch && row.number(1) == expected.sequence;
        return false;
      },
      stream);
  return is_at;
}

void SqliteStore::cut_log(std::span<const std::uint64_t> ids) {
  if (ids.empty()) return;
  std::map<StreamId, std::uint64_t> sequences;
  // The sequence is that of the row with the highest id: a damaged row may have a higher one.
  file_->visit(
      "SELECT stream, sequence, max(id) FROM uncompacted WHERE id <= ? GROUP BY stream",
      [&](const SqliteRow& row) { sequences[row.number(0)] = row.number(1); }, ids.back());
  for (const auto& [stream, sequence] : sequences) {
    Stream row = read_stream(stream);
    row.sequence = sequence;
    put_stream(stream, row);
  }
  file_->run("DELETE FROM uncompacted WHERE id <= ?", ids.back());
  // An empty table begins again with the first id.
  file_->run("UPDATE compaction SET games = 0 WHERE NOT EXISTS (SELECT 1 FROM uncompacted)");
}

SqliteStore::Progress SqliteStore::progress() {
  Progress found;
  file_->visit("SELECT through, room FROM compaction", [&](const SqliteRow& row) {
    found = {row.number(0), row.number(1)};
    return false;
  });
  return found;
}

void SqliteStore::put_progress(const Progress& progress) {
  file_->run(
      "INSERT INTO compaction VALUES(1, ?1, ?2, 0) ON CONFLICT(only) DO UPDATE "
      "SET through = ?1, room = ?2",
      progress.through, progress.room);
}

// Players and rooms -------------------------------------------------------------------------------

std::vector<Row> SqliteStore::rows_at(Table table, std::span<const std::uint64_t> keys) {
  std::vector<Row> rows;
  const std::string sql = rows_sql(table, "id = $1");
  for (const std::uint64_t key : keys) add_rows(rows, sql, key);
  return rows;
}

void SqliteStore::put(Table table, std::span<const Row> rows) {
  const std::string sql = "INSERT OR REPLACE INTO " + name_of(table) + " VALUES(?, ?, ?, ?)";
  for (const Row& row : rows) {
    file_->run(sql, row.key, row.stream, row.content, sum_of(row.key, row.stream, row.content));
  }
}

void SqliteStore::erase(Table table, std::span<const std::uint64_t> keys) {
  const std::string sql = "DELETE FROM " + name_of(table) + " WHERE id = ?";
  for (const std::uint64_t key : keys) file_->run(sql, key);
}

// Games -------------------------------------------------------------------------------------------

// The ids of games are in the order of their times.
std::optional<Fault> SqliteStore::add_games(std::span<const v1::GameRecord> games) {
  if (log_->has_failed()) return failed_sync();
  if (auto fault = execute([&] { move_games(*file_); })) return fault;
  return StateStore::add_games(games);
}

std::uint64_t SqliteStore::last_game() {
  return file_->number_of("SELECT seq FROM sqlite_sequence WHERE name = 'games'");
}

void SqliteStore::put_identity(std::uint64_t server_id, std::uint64_t last_game) {
  file_->run("DELETE FROM identity");
  file_->run("INSERT INTO identity VALUES(?, ?)", server_id, sum_of(server_id));
  if (last_game == 0) return;
  file_->run("DELETE FROM sqlite_sequence WHERE name = 'games'");
  file_->run("INSERT INTO sqlite_sequence VALUES('games', ?)", last_game);
}

std::optional<Fault> SqliteStore::rewrite() {
  if (auto fault = execute([&] { file_->database().exec("VACUUM"); })) return fault;
  return empty_log();
}

std::optional<Fault> SqliteStore::finish() {
  if (auto fault = StateStore::finish()) return fault;
  if (log_->has_failed()) return failed_sync();  // the log has what the file may be missing
  return empty_log();
}

std::optional<Fault> SqliteStore::empty_log() {
  return execute([&] { file_->database().exec("PRAGMA wal_checkpoint(TRUNCATE)"); });
}

std::optional<Fault> SqliteStore::execute(const std::function<void()>& work) {
  auto fault = guarded(work);
  if (fault && fault->kind == Fault::Kind::sync_failed) log_->fail();
  return fault;
}

void SqliteStore::limit_pages(std::uint32_t pages) {
  file_->database().exec("PRAGMA max_page_count = " + std::to_string(pages));
}

}  // namespace tictactoe::records
