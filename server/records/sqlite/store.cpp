#include "server/records/sqlite/store.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "server/records/rows.hpp"
#include "server/records/sqlite/log_rows.hpp"

namespace tictactoe::records {

namespace {

// The parts of `batch` that are rows of their own: as many records as fit in `bytes`, at least one.
std::vector<std::string_view> split_batch(std::string_view batch, std::size_t bytes) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  std::size_t end = 0;
  for_each_record(batch, [&](std::string_view record) {
    const auto next = static_cast<std::size_t>(record.data() + record.size() - batch.data());
    if (next - begin > bytes && end > begin) {
      parts.push_back(batch.substr(begin, end - begin));
      begin = end;
    }
    end = next;
    return true;
  });
  parts.push_back(batch.substr(begin));
  return parts;
}

std::string name_of(Table table) {
  switch (table) {
    case Table::players:
      return "players";
    case Table::rooms:
      return "rooms";
    case Table::games:
      return "games";
  }
  return {};
}

// Visits rows of `players` or `rooms` that satisfy a condition.
template <class... Parameters>
void read_rows(SqliteConnection& file, Table table, const char* condition, std::vector<Row>& rows,
               const Parameters&... parameters) {
  file.visit(
      "SELECT id, stream, state, sum FROM " + name_of(table) + condition,
      [&](SQLite::Statement& row) {
        Row& found =
            rows.emplace_back(Row{number(row, 0), number(row, 1), std::string(bytes(row, 2))});
        found.is_sound = number(row, 3) == sum_of(found.key, found.stream, found.content);
        return true;
      },
      parameters...);
}

template <class... Parameters>
std::vector<StoredGame> read_games(SqliteConnection& file, const char* condition,
                                   const Parameters&... parameters) {
  std::vector<StoredGame> games;
  file.visit(
      std::string("SELECT id, kept_unix_ms, is_private, x_reader, o_reader, x_name, o_name, head, "
                  "head_sum, moves, moves_sum FROM games ") +
          condition,
      [&](SQLite::Statement& row) {
        StoredGame& game = games.emplace_back();
        game.id = number(row, 0);
        game.unix_ms = number(row, 1);
        if (number(row, 2) != 0) {
          game.readers.emplace().set_x(number(row, 3));  // 0 for NULL
          game.readers->set_o(number(row, 4));
        }
        if (!row.getColumn(5).isNull()) game.x_name = bytes(row, 5);
        if (!row.getColumn(6).isNull()) game.o_name = bytes(row, 6);
        game.head = bytes(row, 7);
        game.moves = bytes(row, 9);
        game.is_sound =
            number(row, 8) == sum_of_head(game) && number(row, 10) == sum_of(game.moves);
        return true;
      },
      parameters...);
  return games;
}

}  // namespace

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
        [&](SQLite::Statement& last) {
          position.sequence = number(last, 0);
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
      [&](SQLite::Statement& row) {
        found = {number(row, 0), number(row, 1), number(row, 2)};
        is_sound =
            number(row, 3) == sum_of(stream, found.epoch, found.sequence, found.last_revision);
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
  file_->visit("SELECT stream FROM streams", [&](SQLite::Statement& row) {
    found.push_back(number(row, 0));
    return true;
  });
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
    const auto parts = split_batch(batch.bytes(), settings().step_bytes);
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
      [&](SQLite::Statement& row) {
        is_at = number(row, 0) == expected.epoch && number(row, 1) == expected.sequence;
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
      [&](SQLite::Statement& row) {
        sequences[number(row, 0)] = number(row, 1);
        return true;
      },
      ids.back());
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
  file_->visit("SELECT through, room FROM compaction", [&](SQLite::Statement& row) {
    found = {number(row, 0), number(row, 1)};
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

std::vector<Row> SqliteStore::rows_of(Table table, std::optional<StreamId> stream) {
  std::vector<Row> rows;
  read_rows(*file_, table, " WHERE ?1 IS NULL OR stream = ?1 ORDER BY id", rows, stream);
  return rows;
}

std::vector<Row> SqliteStore::rows_at(Table table, std::span<const std::uint64_t> keys) {
  std::vector<Row> rows;
  for (const std::uint64_t key : keys) read_rows(*file_, table, " WHERE id = ?", rows, key);
  return rows;
}

std::vector<Row> SqliteStore::rows_with(Table table, std::string_view bytes) {
  std::vector<Row> rows;
  read_rows(*file_, table, " WHERE instr(state, ?) > 0", rows, bytes);
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
  const auto moved = guarded([&] {
    move_games(*file_);
    return true;
  });
  if (moved) return StateStore::add_games(games);
  if (moved.error().kind == Fault::Kind::sync_failed) log_->fail();
  return moved.error();
}

std::vector<StoredGame> SqliteStore::games_after(std::uint64_t id, std::size_t most) {
  return read_games(*file_, "WHERE id > ? ORDER BY id LIMIT ?", id, most);
}

std::vector<StoredGame> SqliteStore::games_with(std::string_view bytes) {
  return read_games(
      *file_, "WHERE instr(head, ?1) > 0 OR instr(x_name, ?1) > 0 OR instr(o_name, ?1) > 0", bytes);
}

// Ids and times grow together, so this reads no further than what it deletes.
std::size_t SqliteStore::delete_games(std::uint64_t before_unix_ms, std::size_t most) {
  return static_cast<std::size_t>(
      file_->run("DELETE FROM games WHERE id IN (SELECT id FROM (SELECT id, kept_unix_ms "
                 "FROM games ORDER BY id LIMIT ?2) WHERE kept_unix_ms < ?1)",
                 before_unix_ms, most));
}

// The rest ----------------------------------------------------------------------------------------

std::vector<BanRow> SqliteStore::bans() {
  std::vector<BanRow> found;
  file_->visit(
      "SELECT subject, state, sum FROM bans ORDER BY subject", [&](SQLite::Statement& row) {
        BanRow& ban =
            found.emplace_back(BanRow{std::string(bytes(row, 0)), std::string(bytes(row, 1))});
        ban.is_sound = number(row, 2) == sum_of(ban.subject, ban.state);
        return true;
      });
  return found;
}

void SqliteStore::put_ban(const std::string& subject, const std::optional<journal::v1::Ban>& ban) {
  if (!ban) {
    file_->run("DELETE FROM bans WHERE subject = ?", subject);
    return;
  }
  const std::string state = ban->SerializeAsString();
  file_->run("INSERT OR REPLACE INTO bans VALUES(?, ?, ?)", subject, state, sum_of(subject, state));
}

void SqliteStore::put_aside(const AsideRow& row) {
  file_->run("INSERT INTO set_aside(unix_ms, kind, key, reason, content) VALUES(?, ?, ?, ?, ?)",
             row.unix_ms, SqlText{row.kind}, row.key, SqlText{row.reason}, row.content);
}

std::vector<AsideRow> SqliteStore::asides_after(std::uint64_t id, std::size_t most) {
  std::vector<AsideRow> found;
  file_->visit(
      "SELECT id, unix_ms, kind, key, reason, content FROM set_aside WHERE id > ? ORDER BY id "
      "LIMIT ?",
      [&](SQLite::Statement& row) {
        found.push_back({number(row, 0), number(row, 1), std::string(bytes(row, 2)), number(row, 3),
                         std::string(bytes(row, 4)), std::string(bytes(row, 5))});
        return true;
      },
      id, most);
  return found;
}

std::size_t SqliteStore::erase_asides_with(std::string_view bytes) {
  return static_cast<std::size_t>(
      file_->run("DELETE FROM set_aside WHERE instr(content, ?1) > 0 OR "
                 "instr(CAST(reason AS BLOB), ?1) > 0",
                 bytes));
}

bool SqliteStore::has_nothing() {
  return file_->number_of(
             "SELECT EXISTS(SELECT 1 FROM players) OR EXISTS(SELECT 1 FROM rooms) OR "
             "EXISTS(SELECT 1 FROM games) OR EXISTS(SELECT 1 FROM uncompacted) OR "
             "EXISTS(SELECT 1 FROM bans) OR EXISTS(SELECT 1 FROM set_aside)") == 0;
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
  if (auto fault = execute("VACUUM")) return fault;
  return execute("PRAGMA wal_checkpoint(TRUNCATE)");
}

std::optional<Fault> SqliteStore::finish() {
  if (auto fault = StateStore::finish()) return fault;
  if (log_->has_failed()) return failed_sync();  // the log has what the file may be missing
  return execute("PRAGMA wal_checkpoint(TRUNCATE)");
}

std::optional<Fault> SqliteStore::execute(const char* sql) {
  const auto done = guarded([&] { return file_->database().exec(sql); });
  if (done) return std::nullopt;
  if (done.error().kind == Fault::Kind::sync_failed) log_->fail();
  return done.error();
}

void SqliteStore::limit_pages(std::uint32_t pages) {
  file_->database().exec("PRAGMA max_page_count = " + std::to_string(pages));
}

}  // namespace tictactoe::records
