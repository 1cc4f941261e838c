// Helpers and statements for the sources of SqliteStore and SqliteReader; no other file includes
// this.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "server/records/sqlite/store.hpp"

namespace tictactoe::records {

// Thrown within the members of SqliteStore, and caught by guarded().
struct Refusal {
  Fault fault;
};

[[noreturn]] inline void damaged(std::string reason) {
  throw Refusal{{Fault::Kind::damaged, std::move(reason)}};
}

inline Fault fault_of(const SQLite::Exception& error) {
  if (is_failed_sync(error.getExtendedErrorCode())) return failed_sync();
  const int code = error.getErrorCode();
  const bool is_damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
  return {is_damaged ? Fault::Kind::damaged : Fault::Kind::unusable, error.what()};
}

// Runs `work`, and turns what it throws into a fault.
template <class Function>
auto guarded(Function work) -> Result<decltype(work())> {
  try {
    return work();
  } catch (const SQLite::Exception& error) {
    return fault_of(error);
  } catch (const Refusal& refusal) {
    return refusal.fault;
  }
}

// SQLite's integers are signed; all numbers come back as they were.
inline std::int64_t to_sql(std::uint64_t number) {
  return static_cast<std::int64_t>(number);
}

inline std::uint64_t number(SQLite::Statement& row, int column) {
  return static_cast<std::uint64_t>(row.getColumn(column).getInt64());
}

// Valid until the statement's next step.
inline std::string_view bytes(SQLite::Statement& row, int column) {
  const SQLite::Column value = row.getColumn(column);
  const void* data = value.getBlob();
  return {static_cast<const char*>(data), static_cast<std::size_t>(value.getBytes())};
}

// `blob` must live until the statement has run.
inline void bind_blob(SQLite::Statement& statement, int parameter, std::string_view blob) {
  // An empty blob must not be bound as a null pointer, which is NULL.
  statement.bindNoCopy(parameter, static_cast<const void*>(blob.empty() ? "" : blob.data()),
                       static_cast<int>(blob.size()));
}

// Returns the number of rows that were changed.
inline int run(SQLite::Statement& statement) {
  int changed = 0;
  try {
    changed = statement.exec();
  } catch (...) {
    statement.tryReset();  // or it would hold the lock
    throw;
  }
  statement.reset();
  return changed;
}

// Prepares, binds these numbers and runs a statement that is used seldom.
template <class... Numbers>
int run_once(SQLite::Database& file, const char* sql, Numbers... numbers) {
  SQLite::Statement statement(file, sql);
  int parameter = 0;
  (statement.bind(++parameter, to_sql(numbers)), ...);
  return statement.exec();
}

// The first columns of `players` that read_player() takes.
inline constexpr std::string_view player_columns =
    "SELECT id, name, token_hash, last_request_done, played";

// One statement for several games opens the table, its indexes and the counter of its ids once. OR
// FAIL, because the default keeps a copy of every page, in a file, to undo a statement of several
// rows that fails: here a failure ends the transaction.
inline constexpr std::size_t games_together = 16;
inline constexpr int game_columns = 10;  // that are given
inline std::string add_games_sql(std::size_t games) {
  std::string sql =
      "INSERT OR FAIL INTO games(kept_unix_ms, x_name, o_name, head, head_sum, moves, moves_sum, "
      "is_private, x_reader, o_reader) VALUES";
  for (std::size_t game = 0; game < games; ++game) {
    sql += game == 0 ? "(?" : ", (?";
    for (int column = 1; column < game_columns; ++column) sql += ", ?";
    sql += ")";
  }
  return sql;
}

// The statements of the writer, prepared once.
struct SqliteStore::Statements {
  explicit Statements(SQLite::Database& file)
      : position(file,
                 "SELECT epoch, coalesce((SELECT sequence FROM uncompacted WHERE stream = ?1 "
                 "ORDER BY id DESC LIMIT 1), sequence) FROM streams WHERE stream = ?1"),
        append(file,
               "INSERT INTO uncompacted(stream, sequence, unix_ms, sum, records) "
               "VALUES(?, ?, ?, ?, ?)"),
        put_cursor(file, "INSERT OR REPLACE INTO compaction VALUES(1, ?, ?, ?)"),
        player(file, std::string(player_columns) + ", sum, stream FROM players WHERE id = ?"),
        put_player(file,
                   "INSERT OR REPLACE INTO players(id, name, token_hash, sum, stream, "
                   "last_request_done, played) VALUES(?, ?, ?, ?, ?, ?, ?)"),
        delete_player(file, "DELETE FROM players WHERE id = ?"),
        put_room(file,
                 "INSERT OR REPLACE INTO rooms(serial, state, sum, stream) VALUES(?, ?, ?, ?)"),
        delete_room(file, "DELETE FROM rooms WHERE serial = ?"),
        add_move(file, "INSERT INTO moves VALUES(?, ?, ?, ?, ?)"),
        last_move(file,
                  "SELECT coalesce(max(room_and_ply), 0) FROM moves "
                  "WHERE room_and_ply BETWEEN ? AND ?"),
        delete_moves(file, "DELETE FROM moves WHERE room_and_ply BETWEEN ? AND ?"),
        last_line(file, "SELECT coalesce(max(number), 0) FROM chat WHERE room = ?"),
        add_line(file, "INSERT INTO chat VALUES(?, ?, ?, ?)"),
        delete_lines(file, "DELETE FROM chat WHERE room = ? AND number <= ?"),
        add_game(file, add_games_sql(1)),
        add_games(file, add_games_sql(games_together)),
        begin(file, "BEGIN IMMEDIATE"),
        commit(file, "COMMIT"),
        rollback(file, "ROLLBACK") {}

  SQLite::Statement position, append, put_cursor, player, put_player, delete_player, put_room,
      delete_room, add_move, last_move, delete_moves, last_line, add_line, delete_lines, add_game,
      add_games, begin, commit, rollback;
};

// A row of `players`, selected with player_columns first.
inline journal::v1::Player read_player(SQLite::Statement& row) {
  journal::v1::Player player;
  player.set_id(number(row, 0));
  player.set_name(std::string(bytes(row, 1)));
  player.set_token_hash(std::string(bytes(row, 2)));
  player.set_last_request_done(number(row, 3));
  player.set_played(number(row, 4) != 0);
  return player;
}

// Runs `work` in a transaction. Throws what `work` and SQLite throw, after a rollback, and
// failed_sync() if the log has failed: the transaction could begin it again.
template <class Function>
void SqliteStore::transact(Sync sync, Function work) {
  if (log_->has_failed()) throw Refusal{failed_sync()};
  if (sync == Sync::unsynced) file_.exec("PRAGMA synchronous = NORMAL");
  const auto restore = [&] {
    if (sync == Sync::unsynced) file_.exec("PRAGMA synchronous = FULL");
  };
  try {
    run(statements_->begin);
    work();
    run(statements_->commit);
  } catch (...) {
    // A full disk may have ended the transaction already.
    if (sqlite3_get_autocommit(file_.getHandle()) == 0) {
      statements_->rollback.tryExecuteStep();
      statements_->rollback.tryReset();
    }
    restore();
    throw;
  }
  restore();
}

}  // namespace tictactoe::records
