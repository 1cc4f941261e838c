// The primitives of PostgreSQL.
#include <utility>

#include "server/records/postgres/store.hpp"
#include "server/records/rows.hpp"

namespace tictactoe::records {

namespace {

PostgresParameter name_of_person(const v1::Occupant& occupant) {
  return occupant.kind() == v1::Occupant::KIND_PERSON
             ? PostgresParameter(std::string_view(occupant.name()))
             : PostgresParameter(nullptr);
}

struct TableSql {
  const char* rows_with;
  const char* erase;
};

TableSql sql_of(Table table) {
  switch (table) {
    case Table::players:
      return {"SELECT id, 0::bigint, state FROM players WHERE position($1 IN state) > 0",
              "DELETE FROM players WHERE id = $1"};
    case Table::rooms:
      return {"SELECT serial, 0::bigint, state FROM rooms WHERE position($1 IN state) > 0",
              "DELETE FROM rooms WHERE serial = $1"};
    case Table::chat:
      return {"SELECT room, number, line FROM chat WHERE position($1 IN line) > 0",
              "DELETE FROM chat WHERE number = $1"};
    case Table::games:
      return {
          "SELECT id, 0::bigint, head, x_name, o_name FROM games WHERE position($1 IN head) > 0 "
          "OR position($1 IN x_name) > 0 OR position($1 IN o_name) > 0",
          "DELETE FROM games WHERE id = $1"};
  }
  return {};
}

}  // namespace

// Rows --------------------------------------------------------------------------------------------

std::vector<BackendRow> PostgresStore::rows_with(Table table, std::string_view with) {
  const PostgresRows rows = connection_.run(sql_of(table).rows_with, {with});
  std::vector<BackendRow> found;
  found.reserve(static_cast<std::size_t>(rows.size()));
  for (int row = 0; row < rows.size(); ++row) {
    found.push_back(
        {rows.number(row, 0), rows.number(row, 1), std::string(rows.bytes(row, 2)), true, "", ""});
    if (table != Table::games) continue;
    found.back().x_name = rows.bytes(row, 3);  // empty for NULL
    found.back().o_name = rows.bytes(row, 4);
  }
  return found;
}

// The server that has the player or the room next makes the keys of the name again.
void PostgresStore::replace(Table table, const BackendRow& row) {
  const std::string_view content = row.content;
  switch (table) {
    case Table::players:
      connection_.run(
          "UPDATE players SET state = $2, arrived = NULL, token_hash = NULL WHERE id = $1",
          {row.key, content});
      connection_.run("DELETE FROM player_names WHERE player = $1", {row.key});
      break;
    case Table::rooms:
      connection_.run("UPDATE rooms SET state = $2, name = NULL WHERE serial = $1",
                      {row.key, content});
      connection_.run("DELETE FROM room_names WHERE room = $1", {row.key});
      break;
    case Table::chat:
      connection_.run("UPDATE chat SET line = $2 WHERE number = $1", {row.number, content});
      break;
    case Table::games: {
      const auto game = decode_game(row.key, content);
      if (!game) break;
      connection_.run("UPDATE games SET head = $2, x_name = $3, o_name = $4 WHERE id = $1",
                      {row.key, content, name_of_person(game->x()), name_of_person(game->o())});
      break;
    }
  }
}

void PostgresStore::erase(Table table, const BackendRow& row) {
  connection_.run(sql_of(table).erase, {table == Table::chat ? row.number : row.key});
}

// Bans --------------------------------------------------------------------------------------------

std::vector<Backend::EncodedBan> PostgresStore::encoded_bans() {
  const PostgresRows rows = connection_.run("SELECT subject, state FROM bans ORDER BY subject");
  std::vector<EncodedBan> bans;
  bans.reserve(static_cast<std::size_t>(rows.size()));
  for (int row = 0; row < rows.size(); ++row) {
    bans.push_back({std::string(rows.bytes(row, 0)), std::string(rows.bytes(row, 1)), true});
  }
  return bans;
}

void PostgresStore::write_ban(const std::string& subject, const Compaction::Ban& ban) {
  if (!ban) {
    connection_.run("DELETE FROM bans WHERE subject = $1", {std::string_view(subject)});
    return;
  }
  const std::string state = ban->SerializeAsString();
  connection_.run(
      "INSERT INTO bans VALUES($1, $2) ON CONFLICT(subject) DO UPDATE SET state = excluded.state",
      {std::string_view(subject), std::string_view(state)});
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
      for (const EncodedBan& encoded : encoded_bans()) {
        if (auto ban = decode_ban(encoded)) *found.saved.add_bans() = *std::move(ban);
      }
      changed = std::move(found);
    });
    return changed;
  });
}

// What was set aside ------------------------------------------------------------------------------

void PostgresStore::put_aside(std::string_view kind, std::uint64_t key, std::string_view reason,
                              std::string_view content) {
  fill_aside(
      {0, settings_.unix_ms(), std::string(kind), key, std::string(reason), std::string(content)});
}

void PostgresStore::fill_aside(const AsideRow& row) {
  connection_.run(
      "INSERT INTO set_aside(unix_ms, kind, key, reason, content) VALUES($1, $2, $3, $4, $5)",
      {row.unix_ms, std::string_view(row.kind), row.key, std::string_view(row.reason),
       std::string_view(row.content)});
}

std::size_t PostgresStore::erase_asides_with(std::string_view with) {
  return connection_
      .run(
          "DELETE FROM set_aside WHERE position($1 IN content) > 0 OR "
          "position($1 IN convert_to(reason, 'UTF8')) > 0",
          {with})
      .changed();
}

}  // namespace tictactoe::records
