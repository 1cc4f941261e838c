// The log in an SQLite database, and the finished games that move from it to their table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "server/records/backend.hpp"
#include "server/records/sqlite/connection.hpp"

namespace tictactoe::records {

struct LogPosition {
  StreamId stream = 0;
  std::uint64_t sequence = 0;
  std::uint64_t unix_ms = 0;
};

// These throw SQLite::Exception. Those that write must be called in a transaction.

void append_log_row(SqliteConnection& file, const LogPosition& position, std::string_view records);
/// See Backend::log_after.
std::vector<LogRow> log_rows_after(SqliteConnection& file, std::uint64_t id, std::size_t bytes);

/// See Backend::games_written.
std::uint64_t games_written(SqliteConnection& file);
void put_games_written(SqliteConnection& file, std::uint64_t through);
void put_games(SqliteConnection& file, std::span<const StoredGame> games);

/// Moves all games that are only in the log to their table, in short transactions. O(rows that have
/// been appended since the last call, by any connection).
void move_games(SqliteConnection& file);

}  // namespace tictactoe::records
