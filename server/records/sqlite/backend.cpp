// The primitives of SQLite.
#include <utility>

#include "server/records/rows.hpp"
#include "server/records/sqlite/statements.hpp"
#include "server/records/sqlite/store.hpp"

namespace tictactoe::records {

namespace {

std::uint32_t sum_of_ban(std::string_view subject, std::string_view state) {
  return Sum().add(subject).add(state).value();
}

std::optional<journal::v1::Readers> readers_of_game(SQLite::Statement& row, int column) {
  if (number(row, column) == 0) return std::nullopt;
  journal::v1::Readers readers;
  readers.set_x(number(row, column + 1));  // 0 for NULL
  readers.set_o(number(row, column + 2));
  return readers;
}

// The first number that the query gives for a key.
std::uint64_t number_for(SQLite::Database& file, const char* query, std::uint64_t key) {
  SQLite::Statement row(file, query);
  row.bind(1, to_sql(key));
  return row.executeStep() ? number(row, 0) : 0;
}

struct TableSql {
  const char* rows_with;
  const char* erase;
};

TableSql sql_of(Table table) {
  switch (table) {
    case Table::players:
      return {
          "SELECT id, name, token_hash, last_request_done, played FROM players "
          "WHERE instr(CAST(name AS BLOB), ?) > 0",
          "DELETE FROM players WHERE id = ?"};
    case Table::rooms:
      return {"SELECT serial, 0, state FROM rooms WHERE instr(state, ?) > 0",
              "DELETE FROM rooms WHERE serial = ?"};
    case Table::chat:
      return {"SELECT room, number, line FROM chat WHERE instr(line, ?) > 0",
              "DELETE FROM chat WHERE room = ? AND number = ?"};
    case Table::games:
      return {
          "SELECT id, 0, head, head_sum, is_private, x_reader, o_reader, x_name, o_name FROM games "
          "WHERE instr(head, ?1) > 0 OR instr(CAST(x_name AS BLOB), ?1) > 0 "
          "OR instr(CAST(o_name AS BLOB), ?1) > 0",
          "DELETE FROM games WHERE id = ?"};
  }
  return {};
}

}  // namespace

// Rows --------------------------------------------------------------------------------------------

// What load() has left in the tables of players, rooms and chat is sound.
std::vector<BackendRow> SqliteStore::rows_with(Table table, std::string_view with) {
  std::vector<BackendRow> found;
  SQLite::Statement rows(file_, sql_of(table).rows_with);
  bind_blob(rows, 1, with);
  while (rows.executeStep()) {
    BackendRow& row = found.emplace_back();
    row.key = number(rows, 0);
    if (table == Table::players) {
      row.content = read_player(rows).SerializeAsString();
      continue;
    }
    row.number = number(rows, 1);
    row.content = bytes(rows, 2);
    if (table != Table::games) continue;
    row.is_sound = number(rows, 3) == sum_of_head(row.content, readers_of_game(rows, 4));
    row.x_name = bytes(rows, 7);  // empty for NULL
    row.o_name = bytes(rows, 8);
  }
  return found;
}

void SqliteStore::replace(Table table, const BackendRow& row) {
  switch (table) {
    case Table::players: {
      Compaction::Player change;
      change.stream = number_for(file_, "SELECT stream FROM players WHERE id = ?", row.key);
      change.state.emplace().ParseFromString(row.content);
      return write_player(row.key, change);
    }
    case Table::rooms: {
      const StreamId stream =
          number_for(file_, "SELECT stream FROM rooms WHERE serial = ?", row.key);
      SQLite::Statement put(file_, "UPDATE rooms SET state = ?, sum = ? WHERE serial = ?");
      bind_blob(put, 1, row.content);
      put.bind(2, sum_of(row.key, stream, row.content));
      put.bind(3, to_sql(row.key));
      put.exec();
      return;
    }
    case Table::chat: {
      SQLite::Statement put(file_,
                            "UPDATE chat SET line = ?, sum = ? WHERE room = ? AND number = ?");
      bind_blob(put, 1, row.content);
      put.bind(2, sum_of(row.key, row.number, row.content));
      put.bind(3, to_sql(row.key));
      put.bind(4, to_sql(row.number));
      put.exec();
      return;
    }
    case Table::games:
      return replace_head(row);
  }
}

void SqliteStore::replace_head(const BackendRow& row) {
  SQLite::Statement readers(file_, "SELECT is_private, x_reader, o_reader FROM games WHERE id = ?");
  readers.bind(1, to_sql(row.key));
  if (!readers.executeStep()) return;
  const auto sum = sum_of_head(row.content, readers_of_game(readers, 0));
  readers.reset();
  const auto game = decode_game(row.key, row.content);
  SQLite::Statement put(
      file_, "UPDATE games SET head = ?, head_sum = ?, x_name = ?, o_name = ? WHERE id = ?");
  bind_blob(put, 1, row.content);
  put.bind(2, sum);
  if (game && game->x().kind() == v1::Occupant::KIND_PERSON) put.bind(3, game->x().name());
  if (game && game->o().kind() == v1::Occupant::KIND_PERSON) put.bind(4, game->o().name());
  put.bind(5, to_sql(row.key));
  put.exec();
}

void SqliteStore::erase(Table table, const BackendRow& row) {
  SQLite::Statement erase(file_, sql_of(table).erase);
  erase.bind(1, to_sql(row.key));
  if (table == Table::chat) erase.bind(2, to_sql(row.number));
  erase.exec();
}

// Bans --------------------------------------------------------------------------------------------

std::vector<Backend::EncodedBan> SqliteStore::encoded_bans() {
  std::vector<EncodedBan> bans;
  SQLite::Statement rows(file_, "SELECT subject, state, sum FROM bans ORDER BY subject");
  while (rows.executeStep()) {
    EncodedBan& ban = bans.emplace_back();
    ban.subject = bytes(rows, 0);
    ban.state = bytes(rows, 1);
    ban.is_sound = number(rows, 2) == sum_of_ban(ban.subject, ban.state);
  }
  return bans;
}

void SqliteStore::write_ban(const std::string& subject, const Compaction::Ban& ban) {
  SQLite::Statement put(file_, ban ? "INSERT OR REPLACE INTO bans VALUES(?, ?, ?)"
                                   : "DELETE FROM bans WHERE subject = ?");
  bind_blob(put, 1, subject);
  const std::string state = ban ? ban->SerializeAsString() : "";
  if (ban) {
    bind_blob(put, 2, state);
    put.bind(3, sum_of_ban(subject, state));
  }
  put.exec();
}

// What was set aside ------------------------------------------------------------------------------

void SqliteStore::put_aside(std::string_view kind, std::uint64_t key, std::string_view reason,
                            std::string_view content) {
  fill_aside(
      {0, settings_.unix_ms(), std::string(kind), key, std::string(reason), std::string(content)});
}

std::size_t SqliteStore::erase_asides_with(std::string_view with) {
  SQLite::Statement rows(file_,
                         "DELETE FROM set_aside WHERE instr(content, ?1) > 0 OR "
                         "instr(CAST(reason AS BLOB), ?1) > 0");
  bind_blob(rows, 1, with);
  return static_cast<std::size_t>(rows.exec());
}

}  // namespace tictactoe::records
