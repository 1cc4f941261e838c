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

// The name of a table, and of its key.
struct Names {
  const char* table;
  const char* key;
};

Names names_of(Table table) {
  switch (table) {
    case Table::players:
      return {"players", "id"};
    case Table::rooms:
      return {"rooms", "serial"};
    case Table::games:
      return {"games", "id"};
  }
  return {};
}

PostgresParameter array_of(std::span<const std::uint64_t> numbers) {
  PostgresArray array;
  for (const std::uint64_t number : numbers) array.add(number);
  return array.parameter();
}

// Rows of `players` or `rooms` that satisfy a condition, by key.
std::vector<Row> read_rows(PostgresConnection& connection, Table table,
                           const std::string& condition,
                           std::initializer_list<PostgresParameter> parameters,
                           const char* lock = "") {
  const auto [name, key] = names_of(table);
  const std::string sql = std::string("SELECT ") + key + ", stream, state FROM " + name +
                          " WHERE " + condition + " ORDER BY " + key + lock;
  const PostgresRows rows = connection.run(sql.c_str(), parameters);
  std::vector<Row> found;
  found.reserve(static_cast<std::size_t>(rows.size()));
  for (int row = 0; row < rows.size(); ++row) {
    found.push_back({rows.number(row, 0), rows.number(row, 1), std::string(rows.bytes(row, 2))});
  }
  return found;
}

std::vector<StoredGame> read_games(PostgresConnection& connection, const char* condition,
                                   std::initializer_list<PostgresParameter> parameters) {
  const std::string sql =
      std::string(
          "SELECT id, kept_unix_ms, is_private, x_reader, o_reader, x_name, o_name, head, "
          "moves FROM games ") +
      condition;
  const PostgresRows rows = connection.run(sql.c_str(), parameters);
  std::vector<StoredGame> games;
  for (int row = 0; row < rows.size(); ++row) {
    StoredGame& game = games.emplace_back();
    game.id = rows.number(row, 0);
    game.unix_ms = rows.number(row, 1);
    if (rows.number(row, 2) != 0) {
      game.readers.emplace().set_x(rows.number(row, 3));
      game.readers->set_o(rows.number(row, 4));
    }
    if (!rows.is_null(row, 5)) game.x_name = rows.bytes(row, 5);
    if (!rows.is_null(row, 6)) game.o_name = rows.bytes(row, 6);
    game.head = rows.bytes(row, 7);
    game.moves = rows.bytes(row, 8);
  }
  return games;
}

}  // namespace

void PostgresStore::transact(Transaction kind, const std::function<void()>& work) {
  connect();
  const bool is_whole = kind == Transaction::whole;
  connection_.transact(is_whole ? "BEGIN ISOLATION LEVEL REPEATABLE READ" : "BEGIN", [&] {
    // A short name can be in millions of games, which are decoded between two statements.
    if (is_whole) connection_.run(allow_long_pauses);
    if (kind == Transaction::compaction) {
      // One at a time: who comes second would wait for the first row.
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
  return connection_
      .run("SELECT coalesce(max(last_revision), 0) FROM streams WHERE $1 OR stream = $2",
           {PostgresParameter::parsed(stream ? "f" : "t"), stream.value_or(0)})
      .number(0, 0);
}

void PostgresStore::raise_last_revision(StreamId stream, std::uint64_t revision) {
  connection_.run(
      "INSERT INTO streams VALUES($1, 0, 0, $2) ON CONFLICT(stream) DO UPDATE "
      "SET last_revision = greatest(streams.last_revision, excluded.last_revision)",
      {stream, revision});
}

std::vector<LogRow> PostgresStore::log_after(std::uint64_t id, std::size_t bytes) {
  const PostgresRows rows = connection_.run(
      "SELECT id, stream, records FROM (SELECT id, stream, records, "
      "sum(length(records)) OVER (ORDER BY id) - length(records) AS before FROM "
      "(SELECT * FROM uncompacted WHERE id > $1 ORDER BY id LIMIT $2) AS oldest) AS sums "
      "WHERE before < $3 ORDER BY id",
      {id, log_rows_at_once, std::uint64_t{bytes}});
  std::vector<LogRow> found;
  for (int row = 0; row < rows.size(); ++row) {
    found.push_back({rows.number(row, 0), rows.number(row, 1), std::string(rows.bytes(row, 2))});
  }
  return found;
}

// Not all up to the last one: one with a lower id may have been committed since they were read.
void PostgresStore::cut_log(std::span<const std::uint64_t> ids) {
  connection_.run("DELETE FROM uncompacted WHERE id = ANY($1::bigint[])", {array_of(ids)});
}

// Players and rooms -------------------------------------------------------------------------------

std::vector<Row> PostgresStore::rows_of(Table table, std::optional<StreamId> stream) {
  return stream ? read_rows(connection_, table, "state <> '' AND stream = $1", {*stream})
                : read_rows(connection_, table, "state <> ''", {});
}

std::vector<Row> PostgresStore::rows_at(Table table, std::span<const std::uint64_t> keys) {
  return read_rows(connection_, table, names_of(table).key + std::string(" = ANY($1::bigint[])"),
                   {array_of(keys)}, " FOR UPDATE");
}

std::vector<Row> PostgresStore::rows_with(Table table, std::string_view bytes) {
  return read_rows(connection_, table, "position($1 IN state) > 0", {bytes});
}

void PostgresStore::put(Table table, std::span<const Row> rows) {
  const auto [name, key] = names_of(table);
  const std::string sql = std::string("INSERT INTO ") + name + "(" + key +
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
      states.add(std::string_view(rows[next].content));
      bytes += rows[next].content.size();
    }
    connection_.run(sql.c_str(), {keys.parameter(), streams.parameter(), states.parameter()});
  }
}

void PostgresStore::erase(Table table, std::span<const std::uint64_t> keys) {
  if (keys.empty()) return;
  const auto [name, key] = names_of(table);
  const std::string sql =
      std::string("DELETE FROM ") + name + " WHERE " + key + " = ANY($1::bigint[])";
  connection_.run(sql.c_str(), {array_of(keys)});
}

// The server that has the player or the room next makes the keys of the name again, and publishes
// the rooms, which show who plays.
void PostgresStore::drop_names(Table table, std::span<const Row> rows) {
  PostgresArray keys;
  for (const Row& row : rows) keys.add(row.key);
  if (table == Table::players) {
    connection_.run(
        "UPDATE players SET arrived = NULL, token_hash = NULL WHERE id = ANY($1::bigint[])",
        {keys.parameter()});
    connection_.run("DELETE FROM player_names WHERE player = ANY($1::bigint[])",
                    {keys.parameter()});
  } else {
    connection_.run("UPDATE rooms SET name = NULL WHERE serial = ANY($1::bigint[])",
                    {keys.parameter()});
    connection_.run("DELETE FROM room_names WHERE room = ANY($1::bigint[])", {keys.parameter()});
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
    name ? array.add(std::string_view(*name)) : array.add_null();
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
    heads.add(std::string_view(game.head));
    moves.add(std::string_view(game.moves));
  }
  if (games.empty()) return;
  connection_.run(
      "INSERT INTO games SELECT coalesce(id, nextval('games_id_seq')), kept_unix_ms, is_private, "
      "x_name, o_name, x_reader, o_reader, head, moves FROM unnest($1::bigint[], $2::bigint[], "
      "$3::boolean[], $4::bytea[], $5::bytea[], $6::bigint[], $7::bigint[], $8::bytea[], "
      "$9::bytea[]) AS g(id, kept_unix_ms, is_private, x_name, o_name, x_reader, o_reader, head, "
      "moves) ON CONFLICT(id) DO UPDATE SET x_name = excluded.x_name, o_name = excluded.o_name, "
      "head = excluded.head",
      {ids.parameter(), times.parameter(), is_private.parameter(), x_names.parameter(),
       o_names.parameter(), x_readers.parameter(), o_readers.parameter(), heads.parameter(),
       moves.parameter()});
  put_games(games.subspan(added));
}

std::vector<StoredGame> PostgresStore::games_after(std::uint64_t id, std::size_t most) {
  return read_games(connection_, "WHERE id > $1 ORDER BY id LIMIT $2", {id, std::uint64_t{most}});
}

std::vector<StoredGame> PostgresStore::games_with(std::string_view bytes) {
  return read_games(connection_,
                    "WHERE position($1 IN head) > 0 OR position($1 IN x_name) > 0 "
                    "OR position($1 IN o_name) > 0",
                    {bytes});
}

// Ids and times grow together, so this reads no further than what it deletes.
std::size_t PostgresStore::delete_games(std::uint64_t before_unix_ms, std::size_t most) {
  return connection_
      .run(
          "DELETE FROM games WHERE id IN (SELECT id FROM (SELECT id, kept_unix_ms FROM games "
          "ORDER BY id LIMIT $2) AS oldest WHERE kept_unix_ms < $1)",
          {before_unix_ms, std::uint64_t{most}})
      .changed();
}

// Bans --------------------------------------------------------------------------------------------

std::vector<BanRow> PostgresStore::bans() {
  const PostgresRows rows = connection_.run("SELECT subject, state FROM bans ORDER BY subject");
  std::vector<BanRow> bans;
  for (int row = 0; row < rows.size(); ++row) {
    bans.push_back({std::string(rows.bytes(row, 0)), std::string(rows.bytes(row, 1))});
  }
  return bans;
}

void PostgresStore::put_ban(const std::string& subject,
                            const std::optional<journal::v1::Ban>& ban) {
  if (!ban) {
    connection_.run("DELETE FROM bans WHERE subject = $1", {std::string_view(subject)});
    return;
  }
  connection_.run(
      "INSERT INTO bans VALUES($1, $2) ON CONFLICT(subject) DO UPDATE SET state = excluded.state",
      {std::string_view(subject), std::string_view(ban->SerializeAsString())});
}

// Only reads: every server calls it again and again. load() sets damaged bans aside and reports
// them.
Result<std::optional<SharedBans>> PostgresStore::bans(const std::string& known_version) {
  return guarded_postgres([&]() -> std::optional<SharedBans> {
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

void PostgresStore::put_aside(const AsideRow& row) {
  connection_.run(
      "INSERT INTO set_aside(unix_ms, kind, key, reason, content) VALUES($1, $2, $3, $4, $5)",
      {row.unix_ms, std::string_view(row.kind), row.key, std::string_view(row.reason),
       std::string_view(row.content)});
}

std::vector<AsideRow> PostgresStore::asides_after(std::uint64_t id, std::size_t most) {
  const PostgresRows rows = connection_.run(
      "SELECT id, unix_ms, kind, key, reason, content FROM set_aside WHERE id > $1 ORDER BY id "
      "LIMIT $2",
      {id, std::uint64_t{most}});
  std::vector<AsideRow> asides;
  for (int row = 0; row < rows.size(); ++row) {
    asides.push_back({rows.number(row, 0), rows.number(row, 1), std::string(rows.bytes(row, 2)),
                      rows.number(row, 3), std::string(rows.bytes(row, 4)),
                      std::string(rows.bytes(row, 5))});
  }
  return asides;
}

std::size_t PostgresStore::erase_asides_with(std::string_view bytes) {
  return connection_
      .run(
          "DELETE FROM set_aside WHERE position($1 IN content) > 0 OR "
          "position($1 IN convert_to(reason, 'UTF8')) > 0",
          {bytes})
      .changed();
}

bool PostgresStore::has_nothing() {
  return connection_
      .run(
          "SELECT 1 WHERE EXISTS (SELECT 1 FROM players) OR EXISTS (SELECT 1 FROM rooms) OR "
          "EXISTS (SELECT 1 FROM games) OR EXISTS (SELECT 1 FROM uncompacted) OR "
          "EXISTS (SELECT 1 FROM bans) OR EXISTS (SELECT 1 FROM set_aside)")
      .empty();
}

std::uint64_t PostgresStore::last_game() {
  return connection_.run("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM games_id_seq")
      .number(0, 0);
}

void PostgresStore::put_identity(std::uint64_t server_id, std::uint64_t last_game) {
  connection_.run("UPDATE identity SET server_id = $1", {server_id});
  connection_.run("SELECT setval('games_id_seq', greatest($1::bigint, 1), $1::bigint > 0)",
                  {PostgresParameter::parsed(std::to_string(last_game))});
}

std::optional<Fault> PostgresStore::rewrite() {
  return fault_of_postgres([&] {
    // A claim has a name, and belongs to a server that has ended.
    connection_.run("DELETE FROM players WHERE state = ''");
    connection_.run("DELETE FROM rooms WHERE state = ''");
    for (const char* table :
         {"VACUUM FULL players", "VACUUM FULL games", "VACUUM FULL rooms", "VACUUM FULL bans",
          "VACUUM FULL set_aside", "VACUUM FULL uncompacted"}) {
      connection_.run(table);
    }
  });
}

}  // namespace tictactoe::records
