#include "server/records/sqlite/store.hpp"

#include <limits>
#include <utility>

#include "server/records/rows.hpp"
#include "server/records/sqlite/progress.hpp"
#include "server/records/sqlite/statements.hpp"

namespace tictactoe::records {

namespace {

// The stream of games that were imported.
constexpr StreamId imports_stream = 1;

// Games that one call deletes: few enough that commits do not wait long.
constexpr int games_at_once = 50;

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

}  // namespace

// Appending ---------------------------------------------------------------------------------------

Result<StreamPosition> SqliteStore::own(StreamId stream) {
  return guarded([&] {
    StreamPosition position;
    transact(Sync::synced, [&] {
      Compaction::Stream state = read_stream(stream, position.epoch);
      put_stream(stream, ++position.epoch, state);
      SQLite::Statement last(
          file_, "SELECT sequence FROM uncompacted WHERE stream = ? ORDER BY id DESC LIMIT 1");
      last.bind(1, to_sql(stream));
      position.sequence = last.executeStep() ? number(last, 0) : state.sequence;
    });
    return position;
  });
}

// A commit writes whole pages and waits for them. So records go as they are into one row at the end
// of one table, and compaction moves many of them together to the other tables.
Result<AppendOutcome> SqliteStore::append(StreamId stream, StreamPosition expected,
                                          std::uint64_t last_sequence, const Batch& batch) {
  if (log_->is_nearly_moved()) log_->move_rest(file_);
  const std::uint64_t now = settings_.unix_ms();
  const auto parts = split_batch(batch.bytes(), settings_.step_bytes);
  const auto append_part = [&](std::size_t part) {
    const std::uint64_t sequence = part + 1 == parts.size() ? last_sequence : expected.sequence;
    SQLite::Statement& add = statements_->append;
    add.bind(1, to_sql(stream));
    add.bind(2, to_sql(sequence));
    add.bind(3, to_sql(now));
    add.bind(4, sum_of_records(stream, sequence, now, parts[part]));
    bind_blob(add, 5, parts[part]);
    run(add);
  };
  const auto appended = guarded([&] {
    bool is_owner = false;
    transact(Sync::synced, [&] {
      is_owner = is_at(stream, expected);
      for (std::size_t part = 0; is_owner && part < parts.size(); ++part) append_part(part);
    });
    return is_owner;
  });
  if (!appended) return appended.error();
  if (!*appended) return AppendOutcome::fenced;
  note_rows(parts.size(), batch.bytes().size());
  return AppendOutcome::durable;
}

// Not in one statement with the row that is added: if that reads its own table, SQLite keeps what
// it has read in a temporary one, which costs more than all the rest.
bool SqliteStore::is_at(StreamId stream, StreamPosition expected) {
  SQLite::Statement& position = statements_->position;
  position.reset();
  position.bind(1, to_sql(stream));
  const bool is_at = position.executeStep() && number(position, 0) == expected.epoch &&
                     number(position, 1) == expected.sequence;
  position.reset();
  return is_at;
}

void SqliteStore::note_rows(std::size_t rows, std::size_t bytes) {
  uncompacted_bytes_ += bytes;
  const auto last = static_cast<std::uint64_t>(file_.getLastInsertRowid());
  if (last_row_ + rows != last) {  // another process has added some
    const auto measured = guarded([&] { return measure_uncompacted(); });
    if (measured) uncompacted_bytes_ = *measured;
  }
  last_row_ = last;
}

std::optional<Fault> SqliteStore::add_games(std::span<const v1::GameRecord> games) {
  const auto position = own(imports_stream);
  if (!position) return position.error();
  Batch batch;
  for (const v1::GameRecord& game : games) {
    journal::v1::Record record;
    *record.mutable_game_finished() = game;
    batch.add(record.SerializeAsString());
  }
  const auto appended = append(imports_stream, *position, position->sequence + games.size(), batch);
  if (!appended) return appended.error();
  if (*appended == AppendOutcome::fenced) {
    return Fault{Fault::Kind::in_use, "another program adds games at the same time"};
  }
  return std::nullopt;
}

// Streams -----------------------------------------------------------------------------------------

Compaction::Stream SqliteStore::read_stream(StreamId stream, std::uint64_t& epoch) {
  SQLite::Statement row(file_,
                        "SELECT epoch, sequence, last_revision, sum FROM streams WHERE stream = ?");
  row.bind(1, to_sql(stream));
  epoch = 0;
  if (!row.executeStep()) return {};
  epoch = number(row, 0);
  const Compaction::Stream state{number(row, 1), number(row, 2)};
  if (number(row, 3) != sum_of_stream(stream, epoch, state.sequence, state.last_revision)) {
    // Its numbers are only lower limits: a stream begins again with those that can be believed.
    put_aside("stream", stream, "it is damaged", "");
    constexpr std::uint64_t most = std::uint64_t{1} << 60;
    return {state.sequence < most ? state.sequence : 0,
            state.last_revision < most ? state.last_revision : 0};
  }
  return state;
}

void SqliteStore::put_stream(StreamId stream, std::uint64_t epoch,
                             const Compaction::Stream& state) {
  run_once(file_, "INSERT OR REPLACE INTO streams VALUES(?, ?, ?, ?, ?)", stream, epoch,
           state.sequence, state.last_revision,
           sum_of_stream(stream, epoch, state.sequence, state.last_revision));
}

// Games -------------------------------------------------------------------------------------------

Result<bool> SqliteStore::delete_games_before(std::uint64_t unix_ms) {
  return guarded([&] {
    int deleted = 0;
    transact(Sync::unsynced, [&] {
      // Ids and times grow together, so this reads no further than what it deletes.
      deleted = run_once(file_,
                         "DELETE FROM games WHERE id IN (SELECT id FROM (SELECT id, kept_unix_ms "
                         "FROM games ORDER BY id LIMIT ?2) WHERE kept_unix_ms < ?1)",
                         unix_ms, static_cast<std::uint64_t>(games_at_once));
    });
    return deleted == games_at_once;
  });
}

// The end -----------------------------------------------------------------------------------------

std::optional<Fault> SqliteStore::finish() {
  if (const auto compacted = compact_all(*this); !compacted) return compacted.error();
  if (log_->has_failed()) return failed_sync();  // the log has what the file may be missing
  const auto done = guarded([&] { return file_.exec("PRAGMA wal_checkpoint(TRUNCATE)"); });
  if (!done) return done.error();
  return std::nullopt;
}

void SqliteStore::limit_pages(std::uint32_t pages) {
  file_.exec("PRAGMA max_page_count = " + std::to_string(pages));
}

}  // namespace tictactoe::records
