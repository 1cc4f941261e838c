// The tables of a record store in PostgreSQL.
#pragma once

#include <array>
#include <string_view>

namespace tictactoe::records {

/// Creates the tables in a database without them, except for the row of `schema_version`: see
/// records::schema_version.
///
/// Rows have no checksums, because pages of PostgreSQL can have them. `streams` has the sequence
/// number of the last event: each commit locks and changes the row, which is its fence.
/// `uncompacted` has the records of each commit until compaction has applied them to the tables of
/// players, rooms, moves and chat. Finished games go to their table with their commit. Names are
/// bytes, so that any text can be kept. 64-bit numbers come back as they were; those over 2^63 look
/// negative here.
///
/// Servers share more than their streams. A row of players or rooms without a state is a claim: it
/// has its names before the first record of it is compacted. It belongs to a stream, and to nobody
/// if no server has that stream. Two names look alike if they have a key in common.
/// `rooms.arrived_after` is set while a room goes from one running server to the stream of another:
/// the id of the row of `uncompacted` that has the commit. The room can be read once that row is
/// compacted.
inline constexpr std::string_view postgres_schema = R"sql(
CREATE TABLE schema_version(version bigint NOT NULL);
CREATE TABLE identity(server_id bigint NOT NULL);
CREATE TABLE streams(
  stream bigint PRIMARY KEY, epoch bigint NOT NULL, sequence bigint NOT NULL,
  last_revision bigint NOT NULL
);
CREATE TABLE uncompacted(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, stream bigint NOT NULL,
  unix_ms bigint NOT NULL, records bytea NOT NULL
);
CREATE SEQUENCE stream_numbers;
CREATE SEQUENCE player_ids;
CREATE SEQUENCE room_serials;
CREATE TABLE servers(
  stream bigint PRIMARY KEY, address bytea NOT NULL, key bytea NOT NULL,
  lease_until timestamptz NOT NULL, rooms bigint NOT NULL, is_draining boolean NOT NULL,
  players bigint NOT NULL DEFAULT 0, is_leaving boolean NOT NULL DEFAULT false
);
CREATE TABLE players(
  id bigint PRIMARY KEY, stream bigint NOT NULL, state bytea NOT NULL,
  last_request_done bigint NOT NULL, token_hash bytea UNIQUE, arrived bytea
);
CREATE INDEX players_of_stream ON players(stream);
CREATE TABLE player_names(
  key bytea PRIMARY KEY, player bigint NOT NULL REFERENCES players ON DELETE CASCADE
);
CREATE INDEX names_of_player ON player_names(player);
CREATE TABLE rooms(
  serial bigint PRIMARY KEY, stream bigint NOT NULL, state bytea NOT NULL, name bytea UNIQUE,
  creator bigint, info bytea, arrived_after bigint
);
CREATE INDEX rooms_of_stream ON rooms(stream);
CREATE INDEX rooms_of_creator ON rooms(creator);
CREATE INDEX arriving_rooms ON rooms(stream, arrived_after) WHERE arrived_after IS NOT NULL;
CREATE TABLE room_names(
  key bytea PRIMARY KEY, room bigint NOT NULL REFERENCES rooms ON DELETE CASCADE
);
CREATE INDEX names_of_room ON room_names(room);
CREATE TABLE moves(
  room bigint NOT NULL, ply bigint NOT NULL, cell bigint NOT NULL, spent_ms bigint NOT NULL,
  time_left_ms bigint NOT NULL, PRIMARY KEY(room, ply)
);
CREATE TABLE chat(
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, room bigint NOT NULL, line bytea NOT NULL
);
CREATE INDEX chat_of_room ON chat(room, number);
CREATE TABLE games(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, kept_unix_ms bigint NOT NULL,
  is_private boolean NOT NULL, x_name bytea, o_name bytea, x_reader bigint, o_reader bigint,
  head bytea NOT NULL, moves bytea NOT NULL
);
CREATE TABLE bans(subject bytea PRIMARY KEY, state bytea NOT NULL);
CREATE TABLE accounts(name bytea PRIMARY KEY, state bytea NOT NULL);
CREATE TABLE set_aside(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, unix_ms bigint NOT NULL, kind text NOT NULL,
  key bigint NOT NULL, reason text NOT NULL, content bytea NOT NULL
);
)sql";

struct PostgresIndex {
  const char* name;
  const char* create;
};

/// The indexes of `games`, with which a page of a list costs the same however many games of others
/// lie between. Earlier databases have some of them. An index that changes gets another name.
inline constexpr std::array<PostgresIndex, 9> postgres_game_indexes{{
    {"public_games", "CREATE INDEX public_games ON games(id) WHERE NOT is_private"},
    {"public_games_of_x",
     "CREATE INDEX public_games_of_x ON games(x_name, id) "
     "WHERE NOT is_private AND x_name IS NOT NULL"},
    {"public_games_of_o",
     "CREATE INDEX public_games_of_o ON games(o_name, id) "
     "WHERE NOT is_private AND o_name IS NOT NULL"},
    {"games_for_x", "CREATE INDEX games_for_x ON games(x_reader, id) WHERE x_reader IS NOT NULL"},
    {"games_for_o", "CREATE INDEX games_for_o ON games(o_reader, id) WHERE o_reader IS NOT NULL"},
    {"games_for_x_of_x",
     "CREATE INDEX games_for_x_of_x ON games(x_reader, x_name, id) WHERE x_reader IS NOT NULL"},
    {"games_for_x_of_o",
     "CREATE INDEX games_for_x_of_o ON games(x_reader, o_name, id) WHERE x_reader IS NOT NULL"},
    {"games_for_o_of_x",
     "CREATE INDEX games_for_o_of_x ON games(o_reader, x_name, id) WHERE o_reader IS NOT NULL"},
    {"games_for_o_of_o",
     "CREATE INDEX games_for_o_of_o ON games(o_reader, o_name, id) WHERE o_reader IS NOT NULL"},
}};
/// Those of earlier databases that nothing uses any more.
inline constexpr const char* postgres_drop_old_indexes =
    "DROP INDEX IF EXISTS games_of_x, games_of_o";

}  // namespace tictactoe::records
