// Compaction: a merge of records in memory, and then rows that change, both in short steps. Its
// transactions do not wait for the disk.
#include <algorithm>
#include <limits>
#include <utility>

#include "server/records/rows.hpp"
#include "server/records/sqlite/progress.hpp"
#include "server/records/sqlite/statements.hpp"
#include "server/records/sqlite/store.hpp"

namespace tictactoe::records {

namespace {

// What a room's records come to, as a SavedRoom.
std::string encode(const Compaction::Room& room) {
  journal::v1::SavedRoom saved;
  if (room.state) saved.mutable_room()->ParseFromString(*room.state);
  saved.mutable_moves()->Add(room.moves.begin(), room.moves.end());
  saved.mutable_chat()->Add(room.chat.begin(), room.chat.end());
  return saved.SerializeAsString();
}

}  // namespace

Result<CompactionStep> SqliteStore::compact() {
  CompactionStep step;
  const auto done = guarded([&] {
    if (!progress_) begin_compaction();
    if (progress_) {
      progress_->phase == Progress::Phase::merge ? merge_step() : write_step();
    }
    return true;
  });
  if (!done) {
    progress_.reset();  // the next step begins where the last transaction ended
    return done.error();
  }
  if (progress_ && progress_->through == 0) {
    step.set_aside = progress_->set_aside.clause();
    progress_.reset();
  }
  step.in_progress = progress_ != nullptr;
  step.uncompacted_bytes = uncompacted_bytes_;
  return step;
}

std::size_t SqliteStore::measure_uncompacted(std::uint64_t through) {
  SQLite::Statement sum(file_,
                        "SELECT coalesce(sum(length(records)), 0) FROM uncompacted WHERE id <= ?");
  sum.bind(1, to_sql(through));
  return sum.executeStep() ? number(sum, 0) : 0;
}

void SqliteStore::begin_compaction() {
  auto progress = std::make_unique<Progress>();
  SQLite::Statement cursor(file_, "SELECT through, room, games FROM compaction");
  if (cursor.executeStep()) {
    progress->through = number(cursor, 0);
    progress->room = number(cursor, 1);
    progress->games = number(cursor, 2);
  } else {
    const std::size_t most = std::clamp(uncompacted_bytes_ / 8, settings_.compaction_bytes,
                                        8 * settings_.compaction_bytes);
    std::size_t bytes = 0;
    SQLite::Statement rows(file_, "SELECT id, length(records) FROM uncompacted ORDER BY id");
    while (bytes < most && rows.executeStep()) {
      progress->through = number(rows, 0);
      bytes += number(rows, 1);
    }
  }
  if (progress->through == 0) {
    uncompacted_bytes_ = 0;
  } else {
    progress_ = std::move(progress);
  }
}

// Merging -----------------------------------------------------------------------------------------

void SqliteStore::merge_step() {
  Progress& progress = *progress_;
  SQLite::Statement rows(file_,
                         "SELECT id, stream, sequence, unix_ms, sum, records FROM uncompacted "
                         "WHERE id > ? AND id <= ? ORDER BY id");
  rows.bind(1, to_sql(progress.merged));
  rows.bind(2, to_sql(progress.through));
  for (std::size_t read = 0; read < settings_.step_bytes;) {
    if (!rows.executeStep()) {
      progress.phase = Progress::Phase::players;
      return;
    }
    progress.merged = number(rows, 0);
    read += merge_row(rows);
  }
}

std::size_t SqliteStore::merge_row(SQLite::Statement& row) {
  Progress& progress = *progress_;
  const std::uint64_t stream = number(row, 1);
  const std::uint64_t sequence = number(row, 2);
  const std::uint64_t unix_ms = number(row, 3);
  const std::string_view encoded = bytes(row, 5);
  progress.state.streams[stream].sequence = sequence;
  if (number(row, 4) != sum_of_records(stream, sequence, unix_ms, encoded) ||
      !progress.merger.decode(encoded, unix_ms)) {
    progress.damaged.push_back({progress.merged, std::string(encoded)});
    ++progress.set_aside.commits;
    return encoded.size();
  }
  progress.merger.add_to(progress.state, stream);
  return encoded.size();
}

// Writing -----------------------------------------------------------------------------------------

void SqliteStore::write_step() {
  Progress& progress = *progress_;
  progress.rows_left = settings_.step_rows;
  using Phase = Progress::Phase;
  bool is_last = false;
  transact(Sync::unsynced, [&] {
    if (progress.phase == Phase::players && write_players()) progress.phase = Phase::rooms;
    if (progress.phase == Phase::rooms && write_rooms()) progress.phase = Phase::games;
    is_last = progress.phase == Phase::games && write_games();
    is_last ? end_compaction() : put_cursor();
  });
  if (!is_last) return;
  progress.through = 0;
  uncompacted_bytes_ -= std::min(uncompacted_bytes_, progress.bytes);
  last_row_ = static_cast<std::uint64_t>(
      file_.execAndGet("SELECT coalesce(max(id), 0) FROM uncompacted").getInt64());
}

void SqliteStore::put_cursor() {
  SQLite::Statement& put = statements_->put_cursor;
  put.bind(1, to_sql(progress_->through));
  put.bind(2, to_sql(progress_->room));
  put.bind(3, to_sql(progress_->games));
  run(put);
}

void SqliteStore::end_compaction() {
  for (const Progress::DamagedRow& row : progress_->damaged) {
    put_aside("commit", row.id, "it is damaged", row.records);
  }
  for (const auto& [subject, ban] : progress_->state.bans) write_ban(subject, ban);
  for (const auto& [stream, change] : progress_->state.streams) {
    std::uint64_t epoch = 0;
    Compaction::Stream state = read_stream(stream, epoch);
    state.sequence = change.sequence;
    state.last_revision = std::max(state.last_revision, change.last_revision);
    put_stream(stream, epoch, state);
  }
  progress_->bytes = measure_uncompacted(progress_->through);
  run_once(file_, "DELETE FROM uncompacted WHERE id <= ?", progress_->through);
  file_.exec("DELETE FROM compaction");
}

// Players -----------------------------------------------------------------------------------------

bool SqliteStore::write_players() {
  Progress& progress = *progress_;
  auto& players = progress.state.players;
  for (auto next = players.lower_bound(progress.player); next != players.end(); ++next) {
    if (progress.rows_left == 0) return false;
    --progress.rows_left;
    write_player(next->first, next->second);
    progress.player = next->first + 1;
  }
  return true;
}

void SqliteStore::write_player(std::uint64_t id, const Compaction::Player& change) {
  if (change.forgotten) {
    statements_->delete_player.bind(1, to_sql(id));
    run(statements_->delete_player);
    return;
  }
  StreamId stream = change.stream;
  journal::v1::Player player;
  if (change.state) {
    player = *change.state;
  } else {
    SQLite::Statement& row = statements_->player;
    row.reset();
    row.bind(1, to_sql(id));
    const bool is_there = row.executeStep();
    if (is_there) {
      player = read_player(row);
      stream = number(row, 6);
    }
    // A damaged one is set aside by the next load.
    const bool is_sound = is_there && number(row, 5) == sum_of(player, stream);
    row.reset();
    if (!is_sound) return;
  }
  player.set_last_request_done(std::max(player.last_request_done(), change.request_done));
  SQLite::Statement& put = statements_->put_player;
  put.bind(1, to_sql(id));
  put.bindNoCopy(2, player.name());
  bind_blob(put, 3, player.token_hash());
  put.bind(4, sum_of(player, stream));
  put.bind(5, to_sql(stream));
  put.bind(6, to_sql(player.last_request_done()));
  put.bind(7, player.played() ? 1 : 0);
  run(put);
}

// Rooms -------------------------------------------------------------------------------------------

bool SqliteStore::write_rooms() {
  Progress& progress = *progress_;
  auto& rooms = progress.state.rooms;
  for (auto next = rooms.lower_bound(progress.room); next != rooms.end(); ++next) {
    if (progress.rows_left == 0) return false;
    write_room(next->first, next->second);
    progress.room = next->first + 1;
  }
  return true;
}

// Also if it takes more rows than are left: a game has a limited number of moves.
void SqliteStore::write_room(std::uint64_t serial, const Compaction::Room& room) {
  Progress& progress = *progress_;
  Statements& to = *statements_;
  trim_moves(serial, room.closed ? 0 : room.moves_left);
  if (const char* reason = why_unfit(serial, room)) {
    set_room_aside(serial, reason);
    put_aside("room changes", serial, reason, encode(room));
    if (room.state && !decode_room(serial, *room.state)) {
      put_aside("room state", serial, reason, *room.state);
    }
    ++progress.set_aside.rooms;
    return;
  }
  for (const journal::v1::Move& move : room.moves) write(move);
  use_rows(room.moves.size() + room.chat.size() + 1);
  if (room.closed) {
    to.delete_room.bind(1, to_sql(serial));
    run(to.delete_room);
    to.delete_lines.bind(1, to_sql(serial));
    to.delete_lines.bind(2, std::numeric_limits<std::int64_t>::max());
    run(to.delete_lines);
  }
  if (room.state) {
    to.put_room.bind(1, to_sql(serial));
    bind_blob(to.put_room, 2, *room.state);
    to.put_room.bind(3, sum_of(serial, room.stream, *room.state));
    to.put_room.bind(4, to_sql(room.stream));
    run(to.put_room);
  }
  const std::size_t kept = std::min<std::size_t>(room.chat.size(), settings_.kept_chat);
  for (std::size_t i = room.chat.size() - kept; i < room.chat.size(); ++i) write(room.chat[i]);
}

void SqliteStore::use_rows(std::size_t rows) {
  progress_->rows_left -= std::min(progress_->rows_left, rows);
}

void SqliteStore::trim_moves(std::uint64_t serial, std::uint32_t left) {
  if (left > last_ply) return;
  SQLite::Statement& trim = statements_->delete_moves;
  trim.bind(1, to_sql(key_of_move(serial, left) + 1));
  trim.bind(2, to_sql(key_of_move(serial + 1, 0) - 1));
  use_rows(static_cast<std::size_t>(run(trim)));
}

// Null if these changes can be applied.
const char* SqliteStore::why_unfit(std::uint64_t serial, const Compaction::Room& room) {
  if (room.state && !decode_room(serial, *room.state)) return "its state can't be read";
  const bool has_gap =
      room.broken || (!room.moves.empty() && room.moves.front().ply() != count_moves(serial) + 1);
  return has_gap ? "moves of its game are missing" : nullptr;
}

std::uint64_t SqliteStore::count_moves(std::uint64_t room) {
  SQLite::Statement& query = statements_->last_move;
  query.bind(1, to_sql(key_of_move(room, 0)));
  query.bind(2, to_sql(key_of_move(room + 1, 0) - 1));
  const std::uint64_t last = query.executeStep() ? number(query, 0) : 0;
  query.reset();
  return last == 0 ? 0 : ply_of_key(last);
}

void SqliteStore::write(const journal::v1::Move& move) {
  SQLite::Statement& add = statements_->add_move;
  add.bind(1, to_sql(key_of_move(move.room(), move.ply())));
  add.bind(2, move.cell());
  add.bind(3, move.spent_ms());
  add.bind(4, move.time_left_ms());
  add.bind(5, sum_of(move));
  run(add);
}

void SqliteStore::write(const journal::v1::Chat& line) {
  Statements& to = *statements_;
  const std::int64_t room = to_sql(line.room());
  to.last_line.bind(1, room);
  const std::int64_t last = to.last_line.executeStep() ? to.last_line.getColumn(0).getInt64() : 0;
  to.last_line.reset();
  line.SerializeToString(&bytes_);
  to.add_line.bind(1, room);
  to.add_line.bind(2, last + 1);
  bind_blob(to.add_line, 3, bytes_);
  to.add_line.bind(4, sum_of(line.room(), static_cast<std::uint64_t>(last + 1), bytes_));
  run(to.add_line);
  to.delete_lines.bind(1, room);
  to.delete_lines.bind(2, last + 1 - settings_.kept_chat);
  run(to.delete_lines);
}

// Games -------------------------------------------------------------------------------------------

bool SqliteStore::write_games() {
  Progress& progress = *progress_;
  for (std::size_t written = 0;;) {
    const auto left = std::span<const KeptGame>(progress.state.games).subspan(progress.games);
    if (left.empty()) return true;
    if (progress.rows_left == 0 || written > settings_.step_bytes) return false;
    const bool fits = std::min(left.size(), progress.rows_left) >= games_together;
    const auto games = left.first(fits ? games_together : 1);
    write(games);
    for (const KeptGame& game : games) {
      written += game.parts.head.size() + game.parts.moves.size();
    }
    progress.games += games.size();
    use_rows(games.size());
  }
}

// One, or `games_together`.
void SqliteStore::write(std::span<const KeptGame> games) {
  SQLite::Statement& add = games.size() == 1 ? statements_->add_game : statements_->add_games;
  int parameter = 0;
  const auto bind_name = [&](const std::optional<std::string>& name) {
    ++parameter;
    name ? add.bindNoCopy(parameter, *name) : add.bind(parameter);
  };
  const auto bind_reader = [&](std::uint64_t reader) {
    ++parameter;
    reader == 0 ? add.bind(parameter) : add.bind(parameter, to_sql(reader));
  };
  for (const KeptGame& game : games) {
    add.bind(++parameter, to_sql(game.unix_ms));
    bind_name(game.x);
    bind_name(game.o);
    bind_blob(add, ++parameter, game.parts.head);
    add.bind(++parameter, sum_of_head(game.parts.head, game.readers));
    bind_blob(add, ++parameter, game.parts.moves);
    add.bind(++parameter, Sum().add(game.parts.moves).value());
    add.bind(++parameter, game.readers ? 1 : 0);
    bind_reader(game.readers ? game.readers->x() : 0);
    bind_reader(game.readers ? game.readers->o() : 0);
  }
  run(add);
}

}  // namespace tictactoe::records
