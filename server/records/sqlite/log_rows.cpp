#include "server/records/sqlite/log_rows.hpp"

#include <optional>
#include <string>

#include "server/records/rows.hpp"
#include "server/records/state.hpp"

namespace tictactoe::records {

namespace {

// Commits wait while this many bytes of the log are searched for games.
constexpr std::size_t bytes_at_once = std::size_t{32} * 1024;

constexpr const char* game_columns =
    "games(id, kept_unix_ms, is_private, x_reader, o_reader, x_name, o_name, head, head_sum, "
    "moves, "
    "moves_sum) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

std::optional<std::uint64_t> unless_zero(std::uint64_t number) {
  return number == 0 ? std::nullopt : std::optional(number);
}

bool has_unwritten_games(SqliteConnection& file) {
  return file.number_of("SELECT coalesce(max(id), 0) FROM uncompacted") > games_written(file);
}

}  // namespace

void append_log_row(SqliteConnection& file, const LogPosition& position, std::string_view records) {
  file.run("INSERT INTO uncompacted(stream, sequence, unix_ms, sum, records) VALUES(?, ?, ?, ?, ?)",
           position.stream, position.sequence, position.unix_ms,
           sum_of(position.stream, position.sequence, position.unix_ms, records), records);
}

std::vector<LogRow> log_rows_after(SqliteConnection& file, std::uint64_t id, std::size_t bytes) {
  std::vector<LogRow> rows;
  std::size_t read = 0;
  file.visit(
      "SELECT id, stream, sequence, unix_ms, sum, records FROM uncompacted WHERE id > ? "
      "ORDER BY id",
      [&](const SqliteRow& row) {
        LogRow& found = rows.emplace_back();
        found.id = row.number(0);
        found.stream = row.number(1);
        found.unix_ms = row.number(3);
        found.records = row.bytes(5);
        found.is_sound =
            row.number(4) == sum_of(found.stream, row.number(2), found.unix_ms, found.records);
        read += found.records.size();
        return read < bytes;
      },
      id);
  return rows;
}

std::uint64_t games_written(SqliteConnection& file) {
  return file.number_of("SELECT games FROM compaction");
}

void put_games_written(SqliteConnection& file, std::uint64_t through) {
  file.run("INSERT INTO compaction VALUES(1, 0, 0, ?1) ON CONFLICT(only) DO UPDATE SET games = ?1",
           through);
}

void put_games(SqliteConnection& file, std::span<const StoredGame> games) {
  // For a row that may replace another one, SQLite keeps a copy of each page.
  static const std::string add = std::string("INSERT INTO ") + game_columns;
  static const std::string replace = std::string("INSERT OR REPLACE INTO ") + game_columns;
  for (const StoredGame& game : games) {
    const auto reader = [&](std::uint64_t number) {
      return game.readers ? unless_zero(number) : std::nullopt;
    };
    file.run(game.id == 0 ? add : replace, unless_zero(game.id), game.unix_ms,
             std::uint64_t{game.readers.has_value()}, reader(game.readers ? game.readers->x() : 0),
             reader(game.readers ? game.readers->o() : 0), game.x_name, game.o_name, game.head,
             sum_of_head(game), game.moves, sum_of(game.moves));
  }
}

void move_games(SqliteConnection& file) {
  while (has_unwritten_games(file)) {
    file.transact([&] {
      std::vector<StoredGame> games;
      const auto rows = log_rows_after(file, games_written(file), bytes_at_once);
      for (const LogRow& row : rows) add_games_of(row, games);
      put_games(file, games);
      if (!rows.empty()) put_games_written(file, rows.back().id);
    });
  }
}

}  // namespace tictactoe::records
