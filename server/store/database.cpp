#include "server/store/database.hpp"

#include <chrono>
#include <limits>
#include <utility>

#include "server/store/rows.hpp"
#include "server/store/statements.hpp"

namespace tictactoe::store {

namespace {

// A blob of a game, with its checksum in the next column.
std::string part_of_game(SQLite::Statement& row, int column) {
  const std::string part(bytes(row, column));
  if (number(row, column + 1) != Sum().add(part).value())
    damaged("a game is not as it was written");
  return part;
}

v1::GameRecord game_of(std::uint64_t id, const std::string& encoded) {
  auto game = decode_game(id, encoded);
  if (!game) damaged("a game is not as it was written");
  return *std::move(game);
}

}  // namespace

// Writing -----------------------------------------------------------------------------------------

template <typename Work>
std::optional<Fault> Database::in_transaction(Work work) {
  const auto done = guarded([&] {
    run(statements_->begin);
    work();
    run(statements_->commit);
    return true;
  });
  if (done) return std::nullopt;
  // A full disk may have ended the transaction already.
  if (sqlite3_get_autocommit(file_.getHandle()) == 0) {
    statements_->rollback.tryExecuteStep();
    statements_->rollback.tryReset();
  }
  return done.error();
}

// A commit writes whole pages, and waits for them: records go as they are into one row at the end
// of one table, and only now and then, many together, to where they belong.
std::optional<Fault> Database::apply(const Batch& batch) {
  const std::uint64_t now = settings_.unix_ms();
  SQLite::Statement& add = statements_->add_recent;
  const auto added = guarded([&] {
    add.bind(1, to_sql(now));
    bind_blob(add, 2, batch.bytes());
    add.bind(3, sum_of(now, 0, batch.bytes()));
    run(add);
    return true;
  });
  if (!added) return added.error();
  recent_bytes_ += batch.bytes().size();
  // What goes wrong here is tried again with the next batch: these records are safe already.
  if (recent_bytes_ > settings_.recent_bytes) static_cast<void>(fold());
  return std::nullopt;
}

// In one transaction, reading included: another process that adds games folds as well.
std::optional<Fault> Database::fold() {
  const auto any = guarded(
      [&] { return file_.execAndGet("SELECT EXISTS(SELECT 1 FROM recent)").getInt() != 0; });
  if (!any) return any.error();
  if (!*any) return std::nullopt;
  auto fault = in_transaction([&] {
    const auto [sum, last] = read_recent();
    write(sum);
    statements_->forget_recent.bind(1, to_sql(last));
    run(statements_->forget_recent);
  });
  if (!fault) recent_bytes_ = 0;
  return fault;
}

std::pair<Fold, std::uint64_t> Database::read_recent() {
  Fold sum;
  std::uint64_t last = 0;
  SQLite::Statement rows(file_, "SELECT id, unix_ms, records, sum FROM recent ORDER BY id");
  while (rows.executeStep()) {
    last = number(rows, 0);
    const std::uint64_t unix_ms = number(rows, 1);
    const auto take = [&](std::string_view encoded) {
      return record_.ParseFromArray(encoded.data(), static_cast<int>(encoded.size())) &&
             sum.add(record_, unix_ms);
    };
    if (number(rows, 3) != sum_of(unix_ms, 0, bytes(rows, 2)) ||
        !for_each_record(bytes(rows, 2), take)) {
      damaged("what was recorded last is not as it was written");
    }
  }
  return {std::move(sum), last};
}

void Database::write(const Fold& sum) {
  Statements& to = *statements_;
  for (const auto& [id, player] : sum.players) {
    if (player) {
      write(*player);
    } else {
      to.forget_player.bind(1, to_sql(id));
      run(to.forget_player);
    }
  }
  for (const auto& [serial, room] : sum.rooms) write(serial, room);
  for (const Fold::Game& finished : sum.games) {
    v1::GameRecord game = finished.record;
    game.set_ended_unix_ms(finished.unix_ms);
    write(game, finished.unix_ms);
  }
}

void Database::write(const journal::v1::Player& player) {
  SQLite::Statement& put = statements_->put_player;
  put.bind(1, to_sql(player.id()));
  put.bindNoCopy(2, player.name());
  bind_blob(put, 3, player.token_hash());
  put.bind(4, sum_of(player));
  run(put);
}

void Database::write(std::uint64_t serial, const Fold::Room& room) {
  Statements& to = *statements_;
  if (room.closed) {
    to.close_room.bind(1, to_sql(serial));
    run(to.close_room);
    undo_moves(serial, 0);
    to.forget_lines.bind(1, to_sql(serial));
    to.forget_lines.bind(2, std::numeric_limits<std::int64_t>::max());
    run(to.forget_lines);
  }
  if (room.state) {
    room.state->SerializeToString(&bytes_);
    to.put_room.bind(1, to_sql(serial));
    bind_blob(to.put_room, 2, bytes_);
    to.put_room.bind(3, sum_of(serial, 0, bytes_));
    run(to.put_room);
  }
  if (room.moves_left < std::numeric_limits<std::uint32_t>::max()) {
    undo_moves(serial, room.moves_left);
  }
  for (const journal::v1::Move& move : room.moves) {
    to.add_move.bind(1, to_sql(key_of_move(move.room(), move.ply())));
    to.add_move.bind(2, move.cell());
    to.add_move.bind(3, move.spent_ms());
    to.add_move.bind(4, move.time_left_ms());
    to.add_move.bind(5, sum_of(move));
    run(to.add_move);
  }
  for (const journal::v1::Chat& line : room.chat) write(line);
}

void Database::undo_moves(std::uint64_t room, std::uint32_t left) {
  SQLite::Statement& undo = statements_->undo_moves;
  if (left > last_ply) return;
  undo.bind(1, to_sql(key_of_move(room, left) + 1));
  undo.bind(2, to_sql(key_of_move(room + 1, 0) - 1));
  run(undo);
}

std::int64_t Database::last_line(std::int64_t room) {
  SQLite::Statement& query = statements_->last_line;
  query.bind(1, room);
  const std::int64_t last = query.executeStep() ? query.getColumn(0).getInt64() : 0;
  query.reset();
  return last;
}

void Database::write(const journal::v1::Chat& line) {
  Statements& to = *statements_;
  const std::int64_t room = to_sql(line.room());
  const std::int64_t next = last_line(room) + 1;
  line.SerializeToString(&bytes_);
  to.add_line.bind(1, room);
  to.add_line.bind(2, next);
  bind_blob(to.add_line, 3, bytes_);
  to.add_line.bind(4, sum_of(line.room(), static_cast<std::uint64_t>(next), bytes_));
  run(to.add_line);
  to.forget_lines.bind(1, room);
  to.forget_lines.bind(2, next - settings_.kept_chat);
  run(to.forget_lines);
}

// Games -------------------------------------------------------------------------------------------

void Database::write(const v1::GameRecord& game, std::uint64_t kept_unix_ms) {
  Statements& to = *statements_;
  const auto bind_name = [&](int parameter, const v1::Occupant& occupant) {
    if (occupant.kind() == v1::Occupant::KIND_PERSON) {
      to.add_game.bindNoCopy(parameter, occupant.name());
    } else {
      to.add_game.bind(parameter);
    }
  };
  const SplitGame parts = split(game);
  to.add_game.bind(1, to_sql(kept_unix_ms));
  bind_name(2, game.x());
  bind_name(3, game.o());
  bind_blob(to.add_game, 4, parts.head);
  to.add_game.bind(5, Sum().add(parts.head).value());
  bind_blob(to.add_game, 6, parts.moves);
  to.add_game.bind(7, Sum().add(parts.moves).value());
  run(to.add_game);
}

std::optional<Fault> Database::add_games(std::span<const v1::GameRecord> games) {
  // First those that were played before: ids and times are to grow together.
  if (auto fault = fold()) return fault;
  return in_transaction([&] {
    const std::uint64_t now = settings_.unix_ms();
    for (const v1::GameRecord& game : games) write(game, now);
  });
}

Result<v1::GameList> Database::list_games(std::uint64_t before, const std::string& player,
                                          std::size_t limit) {
  if (auto fault = fold()) return *fault;
  return guarded([&] {
    SQLite::Statement rows(
        file_, player.empty()
                   ? "SELECT id, head, head_sum FROM games WHERE id < ?1 ORDER BY id DESC LIMIT ?2"
                   : "SELECT id, head, head_sum FROM games WHERE id IN ("
                     "SELECT * FROM (SELECT id FROM games WHERE x_name = ?3 AND id < ?1 "
                     "ORDER BY id DESC LIMIT ?2) UNION "
                     "SELECT * FROM (SELECT id FROM games WHERE o_name = ?3 AND id < ?1 "
                     "ORDER BY id DESC LIMIT ?2)) ORDER BY id DESC LIMIT ?2");
    const auto top = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    rows.bind(1, to_sql(before == 0 || before > top ? top : before));
    rows.bind(2, static_cast<std::int64_t>(limit) + 1);
    if (!player.empty()) rows.bind(3, player);
    v1::GameList list;
    while (rows.executeStep()) {
      if (std::cmp_equal(list.games_size(), limit)) {
        list.set_more(true);
        break;
      }
      *list.add_games() = game_of(number(rows, 0), part_of_game(rows, 1));
    }
    return list;
  });
}

Result<std::optional<v1::GameRecord>> Database::game(std::uint64_t id) {
  if (auto fault = fold()) return *fault;
  return guarded([&]() -> std::optional<v1::GameRecord> {
    SQLite::Statement row(file_, "SELECT head, head_sum, moves, moves_sum FROM games WHERE id = ?");
    row.bind(1, to_sql(id));
    if (!row.executeStep()) return std::nullopt;
    return game_of(id, part_of_game(row, 0) + part_of_game(row, 2));
  });
}

Result<std::size_t> Database::forget_games_before(std::uint64_t unix_ms, std::size_t limit) {
  if (auto fault = fold()) return *fault;
  std::size_t forgotten = 0;
  const auto fault = in_transaction([&] {
    // Ids and times grow together, so this reads no further than what it forgets.
    SQLite::Statement games(
        file_,
        "DELETE FROM games WHERE id IN (SELECT id FROM (SELECT id, kept_unix_ms FROM games "
        "ORDER BY id LIMIT ?2) WHERE kept_unix_ms < ?1)");
    games.bind(1, to_sql(unix_ms));
    games.bind(2, static_cast<std::int64_t>(limit));
    forgotten = static_cast<std::size_t>(games.exec());
  });
  if (fault) return *fault;
  return forgotten;
}

// Upkeep ------------------------------------------------------------------------------------------

std::optional<Fault> Database::checkpoint() {
  if (auto fault = fold()) return fault;
  const auto done = guarded([&] { return file_.exec("PRAGMA wal_checkpoint(TRUNCATE)"); });
  if (!done) return done.error();
  return std::nullopt;
}

void Database::limit_pages(std::uint32_t pages) {
  file_.exec("PRAGMA max_page_count = " + std::to_string(pages));
}

std::uint64_t Database::system_unix_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

}  // namespace tictactoe::store
