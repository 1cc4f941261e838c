#include "server/store/postgres_schema.hpp"

#include <array>

namespace tictactoe::store {

namespace {

// Unlike SQLite, PostgreSQL has checksums of its pages, so that rows need none. `streams` has the
// sequence number of the last event: the row is locked and changed by each commit, which is its
// fence. `uncompacted` has the records of each commit until compaction has applied them to the
// tables of players, rooms, moves and chat. Finished games go to their table with their commit.
// Names are bytes, so that any text can be kept. 64-bit numbers come back as they were; those over
// 2^63 look negative here.
constexpr std::string_view shared_version_1 = R"sql(
CREATE TABLE schema_version(version bigint NOT NULL);
INSERT INTO schema_version VALUES(0);
CREATE TABLE identity(server_id bigint NOT NULL);
CREATE TABLE streams(
  stream bigint PRIMARY KEY, epoch bigint NOT NULL, sequence bigint NOT NULL,
  last_revision bigint NOT NULL
);
CREATE TABLE uncompacted(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, stream bigint NOT NULL,
  unix_ms bigint NOT NULL, records bytea NOT NULL
);
CREATE TABLE players(
  id bigint PRIMARY KEY, stream bigint NOT NULL, state bytea NOT NULL,
  last_request_done bigint NOT NULL
);
CREATE TABLE rooms(serial bigint PRIMARY KEY, stream bigint NOT NULL, state bytea NOT NULL);
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
CREATE INDEX games_of_x ON games(x_name, id) WHERE x_name IS NOT NULL;
CREATE INDEX games_of_o ON games(o_name, id) WHERE o_name IS NOT NULL;
CREATE INDEX games_for_x ON games(x_reader, id) WHERE x_reader IS NOT NULL;
CREATE INDEX games_for_o ON games(o_reader, id) WHERE o_reader IS NOT NULL;
CREATE TABLE set_aside(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, unix_ms bigint NOT NULL, kind text NOT NULL,
  key bigint NOT NULL, reason text NOT NULL, content bytea NOT NULL
);
)sql";

// What servers share beside their streams. A row of players or rooms without a state is a claim: it
// has its names before the first record of it is compacted. It belongs to a stream, and to nobody
// if no server has that stream. Two names look alike if they have a key in common.
constexpr std::string_view shared_version_2 = R"sql(
CREATE SEQUENCE stream_numbers;
CREATE SEQUENCE player_ids;
CREATE SEQUENCE room_serials;
CREATE TABLE servers(
  stream bigint PRIMARY KEY, address bytea NOT NULL, key bytea NOT NULL,
  lease_until timestamptz NOT NULL, rooms bigint NOT NULL, is_draining boolean NOT NULL
);
ALTER TABLE players ADD COLUMN token_hash bytea UNIQUE, ADD COLUMN arrived bytea;
CREATE INDEX players_of_stream ON players(stream);
CREATE TABLE player_names(
  key bytea PRIMARY KEY, player bigint NOT NULL REFERENCES players ON DELETE CASCADE
);
CREATE INDEX names_of_player ON player_names(player);
ALTER TABLE rooms ADD COLUMN name bytea UNIQUE, ADD COLUMN creator bigint, ADD COLUMN info bytea;
CREATE INDEX rooms_of_stream ON rooms(stream);
CREATE INDEX rooms_of_creator ON rooms(creator);
CREATE TABLE room_names(
  key bytea PRIMARY KEY, room bigint NOT NULL REFERENCES rooms ON DELETE CASCADE
);
CREATE INDEX names_of_room ON room_names(room);
)sql";

// Whom the server's owner has banned.
constexpr std::string_view shared_version_3 = R"sql(
CREATE TABLE bans(subject bytea PRIMARY KEY, state bytea NOT NULL);
)sql";

// Names that need a password, by their bytes; how many are connected to each server, and whether
// nobody should be sent there.
constexpr std::string_view shared_version_4 = R"sql(
CREATE TABLE accounts(name bytea PRIMARY KEY, state bytea NOT NULL);
ALTER TABLE servers ADD COLUMN players bigint NOT NULL DEFAULT 0,
  ADD COLUMN is_leaving boolean NOT NULL DEFAULT false;
)sql";

// Rooms that were given to a stream while both servers run, until the new one takes them: the id of
// the row of `uncompacted` that has the commit. They can be read once that row is compacted.
constexpr std::string_view shared_version_5 = R"sql(
ALTER TABLE rooms ADD COLUMN arrived_after bigint;
CREATE INDEX arriving_rooms ON rooms(stream, arrived_after) WHERE arrived_after IS NOT NULL;
)sql";

constexpr std::array shared_versions{shared_version_1, shared_version_2, shared_version_3,
                                     shared_version_4, shared_version_5};

}  // namespace

Migrations postgres_migrations() {
  return shared_versions;
}

}  // namespace tictactoe::store
