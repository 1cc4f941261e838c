// How the sources of Database talk to SQLite; for nobody else.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "server/store/database.hpp"

namespace tictactoe::store {

// Thrown within the members of Database, and caught by guarded().
struct Refusal {
  Fault fault;
};

[[noreturn]] inline void damaged(std::string reason) {
  throw Refusal{{Fault::Kind::damaged, std::move(reason)}};
}

inline Fault fault_of(const SQLite::Exception& error) {
  const int code = error.getErrorCode();
  const bool is_damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
  return {is_damaged ? Fault::Kind::damaged : Fault::Kind::unusable, error.what()};
}

// Runs `work`, and turns what it throws into a fault.
template <typename Work>
auto guarded(Work work) -> Result<decltype(work())> {
  try {
    return work();
  } catch (const SQLite::Exception& error) {
    return fault_of(error);
  } catch (const Refusal& refusal) {
    return refusal.fault;
  }
}

// SQLite's integers are signed; all of ours come back as they were.
inline std::int64_t to_sql(std::uint64_t number) {
  return static_cast<std::int64_t>(number);
}

inline std::uint64_t number(SQLite::Statement& row, int column) {
  return static_cast<std::uint64_t>(row.getColumn(column).getInt64());
}

inline std::uint32_t small_number(SQLite::Statement& row, int column) {
  const std::uint64_t wide = number(row, column);
  if (wide > std::numeric_limits<std::uint32_t>::max()) damaged("a number is too large");
  return static_cast<std::uint32_t>(wide);
}

// Valid until the statement goes on.
inline std::string_view bytes(SQLite::Statement& row, int column) {
  const SQLite::Column value = row.getColumn(column);
  const void* data = value.getBlob();
  return {static_cast<const char*>(data), static_cast<std::size_t>(value.getBytes())};
}

inline void bind_blob(SQLite::Statement& statement, int parameter, const std::string& blob) {
  // An empty string must not be bound as a null pointer, which is NULL.
  statement.bindNoCopy(parameter, static_cast<const void*>(blob.data()),
                       static_cast<int>(blob.size()));
}

inline void run(SQLite::Statement& statement) {
  try {
    statement.exec();
  } catch (...) {
    statement.tryReset();  // or it would hold the journal
    throw;
  }
  statement.reset();
}

// The statements of the writer, prepared once.
struct Database::Statements {
  explicit Statements(SQLite::Database& file)
      : put_player(file, "INSERT OR REPLACE INTO players VALUES(?, ?, ?, ?)"),
        forget_player(file, "DELETE FROM players WHERE id = ?"),
        put_room(file, "INSERT OR REPLACE INTO rooms VALUES(?, ?, ?)"),
        close_room(file, "DELETE FROM rooms WHERE serial = ?"),
        add_move(file, "INSERT INTO moves VALUES(?, ?, ?, ?, ?)"),
        undo_moves(file, "DELETE FROM moves WHERE room_and_ply BETWEEN ? AND ?"),
        last_line(file, "SELECT coalesce(max(number), 0) FROM chat WHERE room = ?"),
        add_line(file, "INSERT INTO chat VALUES(?, ?, ?, ?)"),
        forget_lines(file, "DELETE FROM chat WHERE room = ? AND number <= ?"),
        add_game(
            file,
            "INSERT INTO games(kept_unix_ms, x_name, o_name, head, head_sum, moves, moves_sum) "
            "VALUES(?, ?, ?, ?, ?, ?, ?)"),
        begin(file, "BEGIN IMMEDIATE"),
        commit(file, "COMMIT"),
        rollback(file, "ROLLBACK") {}

  SQLite::Statement put_player, forget_player, put_room, close_room, add_move, undo_moves,
      last_line, add_line, forget_lines, add_game, begin, commit, rollback;
};

}  // namespace tictactoe::store
