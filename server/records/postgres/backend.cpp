// The tables of a PostgreSQL database.
#include <string>
#include <utility>

#include "server/records/postgres/store.hpp"

namespace tictactoe::records {

namespace {

// The key of an advisory lock.
constexpr std::uint64_t compaction_lock = 0x7469637461637472;

constexpr std::uint64_t log_rows_at_once = 200;
constexpr std::size_t bytes_of_statement = std::size_t{1024} * 1024;

}  // namespace

void PostgresStore::transact(Transaction kind, const std::function<void()>& work) {
  connect();
  const bool is_whole = kind == Transaction::whole;
  connection_.transact(is_whole ? "BEGIN ISOLATION LEVEL REPEATABLE READ" : "BEGIN", [&] {
    // A short name can be in millions of games, which are decoded between two statements.
    if (is_whole) connection_.run(allow_long_pauses);
    if (kind == Transaction::compaction) {
      // One at a time: a second one would only wait for the locks of the first.
      if (waits_to_compact_) {
        connection_.run("SELECT pg_advisory_xact_lock($1)", {compaction_lock});
      } else if (connection_.run("SELECT pg_try_advisory_xact_lock($1)", {compaction_lock})
                     .number(0, 0) == 0) {
        throw Failure{{Fault::Kind::in_use, "another server compacts"}};
      }
      // If this transaction is lost, its records are still there.
      connection_.run("SET LOCAL synchronous_commit = off");
    }
    work();
  });
}

// Streams and the log -----------------------------------------------------------------------------

std::uint64_t PostgresStore::last_revision(std::optional<StreamId> stream) {
  return connection_.number_of(
      "SELECT coalesce(max(last_revision), 0) FROM streams WHERE stream IN ($1, $2) OR $1 IS NULL",
      stream, local_stream);
}

// In the row of local_stream, whose number counts for all. The row of the stream itself is locked
// by a commit, which may then wait for the rows of rooms that this transaction has locked.
void PostgresStore::raise_last_revision(StreamId /*stream*/, std::uint64_t revision) {
  connection_.run(
      "INSERT INTO streams VALUES($1, 0, 0, $2) ON CONFLICT(stream) DO UPDATE "
      "SET last_revision = greatest(streams.last_revision, excluded.last_revision)",
      {local_stream, revision});
}

std::vector<LogRow> PostgresStore::log_after(std::uint64_t id, std::size_t bytes) {
  std::vector<LogRow> found;
  connection_.visit(
      "SELECT id, stream, records FROM (SELECT id, stream, records, "
      "sum(length(records)) OVER (ORDER BY id) - length(records) AS before FROM "
      "(SELECT * FROM uncompacted WHERE id > $1 ORDER BY id LIMIT $2) AS oldest) AS sums "
      "WHERE before < $3 ORDER BY id",
      [&](const PostgresRow& row) {
        found.push_back({row.number(0), row.number(1), std::string(row.bytes(2))});
      },
      id, log_rows_at_once, bytes);
  return found;
}

// Not all up to the last one: one with a lower id may have been committed since they were read.
void PostgresStore::cut_log(std::span<const std::uint64_t> ids) {
  connection_.run("DELETE FROM uncompacted WHERE id = ANY($1::bigint[])", {PostgresArray::of(ids)});
}

// Players and rooms -------------------------------------------------------------------------------

std::vector<Row> PostgresStore::rows_at(Table table, std::span<const std::uint64_t> keys) {
  std::vector<Row> rows;
  add_rows(rows, rows_sql(table, key_of(table) + " = ANY($1::bigint[])", " FOR UPDATE"),
           PostgresArray::of(keys));
  return rows;
}

void PostgresStore::put(Table table, std::span<const Row> rows) {
  const std::string key = key_of(table);
  const std::string sql = "INSERT INTO " + name_of(table) + "(" + key +
                          ", stream, state) SELECT * FROM unnest($1::bigint[], $2::bigint[], "
                          "$3::bytea[]) ON CONFLICT(" +
                          key + ") DO UPDATE SET state = excluded.state";
  for (std::size_t next = 0; next < rows.size();) {
    PostgresArray keys;
    PostgresArray streams;
    PostgresArray states;
    for (std::size_t bytes = 0; next < rows.size() && bytes < bytes_of_statement; ++next) {
      keys.add(rows[next].key);
      streams.add(rows[next].stream);
      states.add(rows[next].content);
      bytes += rows[next].content.size();
    }
    connection_.run(sql, {keys, streams, states});
  }
}

void PostgresStore::erase(Table table, std::span<const std::uint64_t> keys) {
  if (keys.empty()) return;
  connection_.run(
      "DELETE FROM " + name_of(table) + " WHERE " + key_of(table) + " = ANY($1::bigint[])",
      {PostgresArray::of(keys)});
}

// The server that has the player or the room next makes the keys of the name again, and publishes
// the rooms, which show who plays.
void PostgresStore::drop_names(Table table, std::span<const Row> rows) {
  PostgresArray keys;
  for (const Row& row : rows) keys.add(row.key);
  if (table == Table::players) {
    connection_.run(
        "UPDATE players SET arrived = NULL, token_hash = NULL WHERE id = ANY($1::bigint[])",
        {keys});
    connection_.run("DELETE FROM player_names WHERE player = ANY($1::bigint[])", {keys});
  } else {
    connection_.run("UPDATE rooms SET name = NULL WHERE serial = ANY($1::bigint[])", {keys});
    connection_.run("DELETE FROM room_names WHERE room = ANY($1::bigint[])", {keys});
  }
  connection_.run("UPDATE rooms SET info = NULL WHERE info IS NOT NULL");
}

// Games -------------------------------------------------------------------------------------------

void PostgresStore::put_games(std::span<const StoredGame> games) {
  PostgresArray ids, times, is_private, x_readers, o_readers, x_names, o_names, heads, moves;
  const auto add_number = [](PostgresArray& array, std::uint64_t number) {
    number == 0 ? array.add_null() : array.add(number);
  };
  const auto add_name = [](PostgresArray& array, const std::optional<std::string>& name) {
    name ? array.add(*name) : array.add_null();
  };
  std::size_t bytes = 0;
  std::size_t added = 0;
  for (; added < games.size() && bytes < bytes_of_statement; ++added) {
    const StoredGame& game = games[added];
    bytes += game.head.size() + game.moves.size();
    add_number(ids, game.id);
    times.add(game.unix_ms);
    is_private.add(std::uint64_t{game.readers.has_value()});
    add_number(x_readers, game.readers ? game.readers->x() : 0);
    add_number(o_readers, game.readers ? game.readers->o() : 0);
    add_name(x_names, game.x_name);
    add_name(o_names, game.o_name);
    heads.add(game.head);
    moves.add(game.moves);
  }
  if (games.empty()) return;
  connection_.run(
      "INSERT INTO games SELECT coalesce(id, nextval('games_id_seq')), kept_unix_ms, is_private, "
      "x_name, o_name, x_reader, o_reader, head, moves FROM unnest($1::bigint[], $2::bigint[], "
      "$3::boolean[], $4::bytea[], $5::bytea[], $6::bigint[], $7::bigint[], $8::bytea[], "
      "$9::bytea[]) AS g(id, kept_unix_ms, is_private, x_name, o_name, x_reader, o_reader, head, "
      "moves) ON CONFLICT(id) DO UPDATE SET x_name = excluded.x_name, o_name = excluded.o_name, "
      "head = excluded.head",
      {ids, times, is_private, x_names, o_names, x_readers, o_readers, heads, moves});
  put_games(games.subspan(added));
}

// Only reads: every server calls it again and again. load() sets damaged bans aside and reports
// them.
Result<std::optional<SharedBans>> PostgresStore::bans(const std::string& known_version) {
  return attempt([&]() -> std::optional<SharedBans> {
    connect();
    std::optional<SharedBans> changed;
    connection_.transact("BEGIN ISOLATION LEVEL REPEATABLE READ", [&] {
      const PostgresRows row = connection_.run(
          "SELECT md5(coalesce(string_agg(state, ''::bytea ORDER BY subject), ''::bytea)) "
          "FROM bans");
      SharedBans found{std::string(row.bytes(0, 0)), {}};
      if (found.version == known_version) return;
      for (const BanRow& encoded : bans()) {
        if (auto ban = decode_ban(encoded)) *found.saved.add_bans() = *std::move(ban);
      }
      changed = std::move(found);
    });
    return changed;
  });
}

// The rest ----------------------------------------------------------------------------------------

std::uint64_t PostgresStore::last_game() {
  return connection_.number_of(
      "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM games_id_seq");
}

void PostgresStore::put_identity(std::uint64_t server_id, std::uint64_t last_game) {
  connection_.run("UPDATE identity SET server_id = $1", {server_id});
  connection_.run("SELECT setval('games_id_seq', greatest($1::bigint, 1), $1::bigint > 0)",
                  {PostgresParameter::parsed(std::to_string(last_game))});
}

std::optional<Fault> PostgresStore::rewrite() {
  return attempt([&] {
    // A claim has a name, and belongs to a server that has ended.
    connection_.run("DELETE FROM players WHERE state = ''");
    connection_.run("DELETE FROM rooms WHERE state = ''");
    // Of servers that were killed.
    connection_.run("UPDATE servers SET said = '', player_list = ''");
    for (const char* table :
         {"VACUUM FULL players", "VACUUM FULL player_names", "VACUUM FULL rooms",
          "VACUUM FULL room_names", "VACUUM FULL games", "VACUUM FULL bans", "VACUUM FULL servers",
          "VACUUM FULL set_aside", "VACUUM FULL uncompacted"}) {
      connection_.run(table);
    }
  });
}

}  // namespace tictactoe::records
