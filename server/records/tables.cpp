#include "server/records/tables.hpp"

#include <array>
#include <cstdio>
#include <random>

#include "server/records/game_lists.hpp"

namespace tictactoe::records {

namespace {

template <class Message>
Table table_of(Table::Form form) {
  return {Message::descriptor(), std::move(form)};
}

// Without what only the server needs.
std::string results_columns() {
  std::string names = tables().games.names();
  const std::string hidden = "readers_x, readers_o, kept_unix_ms, ";
  return names.erase(names.find(hidden), hidden.size());
}

constexpr const char* in_postgres = R"sql(
CREATE TABLE schema_version(version bigint NOT NULL);
CREATE SEQUENCE stream_numbers;
CREATE SEQUENCE player_ids;
CREATE SEQUENCE room_serials;
CREATE TABLE servers(
  stream bigint PRIMARY KEY, address text NOT NULL, key bytea NOT NULL,
  lease_until timestamptz NOT NULL, rooms bigint NOT NULL, is_draining boolean NOT NULL,
  players bigint NOT NULL DEFAULT 0, is_leaving boolean NOT NULL DEFAULT false,
  said bytea NOT NULL DEFAULT '', lines_said bigint NOT NULL DEFAULT 0,
  player_list bytea NOT NULL DEFAULT ''
);
CREATE TABLE listed_rooms(
  stream bigint, name text, info bytea NOT NULL, PRIMARY KEY(stream, name)
);
CREATE INDEX players_by_token ON players(token_hash);
CREATE UNIQUE INDEX shared_tokens ON players(token_hash) WHERE stream <> 0;
CREATE INDEX players_of_stream ON players(stream);
CREATE TABLE player_names(
  key bytea PRIMARY KEY, player bigint NOT NULL REFERENCES players ON DELETE CASCADE
);
CREATE INDEX names_of_player ON player_names(player);
CREATE INDEX rooms_by_name ON rooms(name);
CREATE UNIQUE INDEX shared_rooms ON rooms(name) WHERE stream <> 0;
CREATE INDEX rooms_of_stream ON rooms(stream);
CREATE INDEX rooms_of_creator ON rooms(creator);
CREATE INDEX arriving_rooms ON rooms(stream) WHERE arrived;
CREATE TABLE room_names(
  key bytea PRIMARY KEY, room bigint NOT NULL REFERENCES rooms ON DELETE CASCADE
);
CREATE INDEX names_of_room ON room_names(room);
)sql";

}  // namespace

Fault other_version(std::uint64_t found) {
  return {Fault::Kind::other_version,
          "it was written by another version of this program (it has schema version " +
              std::to_string(found) + ", and this program only knows version " +
              std::to_string(schema_version) +
              "). Export its games with that version, and import them with this one"};
}

const Tables& tables() {
  using enum ColumnType;
  static const ExtraColumn stream{"stream", number, false, "0"};
  static const ExtraColumn arrived{"arrived", truth, true};
  static const Tables all{
      .players = table_of<journal::v1::Player>({.name = "players",
                                                .key = {"id"},
                                                .extra = {stream, arrived},
                                                .left_out = {"last_request_done"},
                                                .recorded = "played"}),
      .requests = table_of<journal::v1::Request>({.name = "requests", .key = {"player"}}),
      .rooms = table_of<journal::v1::Room>({.name = "rooms",
                                            .key = {"serial"},
                                            .extra = {stream, arrived},
                                            .unnamed = {"rules", "options"},
                                            .recorded = "game"}),
      .moves = table_of<journal::v1::Move>(
          {.name = "moves", .key = {"room", "ply"}, .in_key_order = true}),
      .chat = table_of<journal::v1::Chat>({.name = "chat",
                                           .key = {"room", "line"},
                                           .extra = {{"line", number}},
                                           .renamed = {{"from", "name"}},
                                           .in_key_order = true}),
      .games = table_of<journal::v1::Game>(
          {.name = "games",
           .key = {"id"},
           .unnamed = {"record", "rules", "outcome"},
           .left_out = {"x_away", "x_away_ms_left", "o_away", "o_away_ms_left"},
           .counts = true}),
      .bans = table_of<journal::v1::Ban>({.name = "bans",
                                          .key = {"who"},
                                          .extra = {{"who", text}},
                                          .unnamed = {"subject", "range"}}),
      .accounts = table_of<journal::v1::Account>({.name = "accounts", .key = {"name"}}),
  };
  return all;
}

std::vector<const Table*> copied_tables() {
  const Tables& all = tables();
  return {&all.players, &all.requests, &all.rooms, &all.moves, &all.chat, &all.games, &all.bans};
}

void create_tables(Database& database) {
  const Database::Kind kind = database.kind();
  const bool is_sqlite = kind == Database::Kind::sqlite;
  const char* const number = is_sqlite ? " INTEGER" : " bigint";
  const char* const strict = is_sqlite ? " STRICT" : "";
  std::string sql = std::string("CREATE TABLE store(server_id") + number + " NOT NULL)" + strict +
                    ";\nCREATE TABLE streams(\n  stream" + number + " PRIMARY KEY, epoch" + number +
                    " NOT NULL, sequence" + number + " NOT NULL, last_revision" + number +
                    " NOT NULL\n)" + strict + ";\n";
  for (const Table* table : copied_tables()) sql += table->create(kind) + ";\n";
  for (const std::string& index : create_game_indexes()) sql += index + ";\n";
  sql += "CREATE VIEW results AS SELECT " + results_columns() +
         " FROM games WHERE readers_x IS NULL;\n";
  if (!is_sqlite) sql += tables().accounts.create(kind) + ";\n" + in_postgres;
  database.run_script(sql);
  std::random_device random;
  database.run("INSERT INTO store VALUES(?1)", std::uint64_t{random()} << 32U | random());
}

std::string key_of(const journal::v1::BanSubject& subject) {
  if (subject.has_player()) return "player:" + subject.player();
  const journal::v1::AddressRange& range = subject.range();
  std::array<char, 64> text{};
  const auto part = [&](int shift, unsigned mask) {
    return static_cast<unsigned>(range.bits() >> shift) & mask;
  };
  if (range.is_ipv6()) {
    std::snprintf(text.data(), text.size(), "%x:%x:%x:%x::/%u", part(48, 0xFFFF), part(32, 0xFFFF),
                  part(16, 0xFFFF), part(0, 0xFFFF), range.prefix());
  } else {
    std::snprintf(text.data(), text.size(), "%u.%u.%u.%u/%u", part(24, 0xFF), part(16, 0xFF),
                  part(8, 0xFF), part(0, 0xFF), range.prefix());
  }
  return text.data();
}

}  // namespace tictactoe::records
