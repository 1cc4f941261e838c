#include "server/store/schema.hpp"

#include <array>

namespace tictactoe::store {

namespace {

// `sum` is a checksum of the other columns of its row: pages of SQLite have none, and a bit that
// the disk has flipped must not become a move. Moves are the most of what is written, so their key
// is one number, which costs half of what two do; they lie together by room, so that the moves of
// many small games share pages.
//
// A game is split in two: `head` is an encoded GameRecord without moves, which is all that a list
// shows, `moves` has nothing else; one after the other they are the whole record. Names are those
// of people, for the history of one person.
constexpr std::string_view version_1 = R"sql(
CREATE TABLE recent(
  id INTEGER PRIMARY KEY, unix_ms INTEGER NOT NULL, records BLOB NOT NULL, sum INTEGER NOT NULL
) STRICT;
CREATE TABLE players(
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, token_hash BLOB NOT NULL, sum INTEGER NOT NULL
) STRICT;
CREATE TABLE rooms(
  serial INTEGER PRIMARY KEY, state BLOB NOT NULL, sum INTEGER NOT NULL
) STRICT;
CREATE TABLE moves(
  room_and_ply INTEGER PRIMARY KEY, cell INTEGER NOT NULL, spent_ms INTEGER NOT NULL,
  time_left_ms INTEGER NOT NULL, sum INTEGER NOT NULL
) STRICT;
CREATE TABLE chat(
  room INTEGER NOT NULL, number INTEGER NOT NULL, line BLOB NOT NULL, sum INTEGER NOT NULL,
  PRIMARY KEY(room, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE games(
  id INTEGER PRIMARY KEY AUTOINCREMENT, kept_unix_ms INTEGER NOT NULL, x_name TEXT, o_name TEXT,
  head BLOB NOT NULL, head_sum INTEGER NOT NULL, moves BLOB NOT NULL, moves_sum INTEGER NOT NULL
) STRICT;
CREATE INDEX games_of_x ON games(x_name) WHERE x_name IS NOT NULL;
CREATE INDEX games_of_o ON games(o_name) WHERE o_name IS NOT NULL;
)sql";

// `uncompacted` has records as they were appended, in order: one commit is one row, or several for
// a large one. `sequence` is that of the last event up to the row. Compaction replaces them, many
// together, by the rows of the other tables; that needs fewer and smaller writes than a change of
// those tables with each commit. `compaction` has at most one row, its progress: all rows up to
// `through` are being compacted; rooms before `room` and this many `games` are done.
//
// `set_aside` keeps what was damaged or refused: nothing reads it but people.
constexpr std::string_view version_2 = R"sql(
CREATE TABLE uncompacted(
  id INTEGER PRIMARY KEY, stream INTEGER NOT NULL, sequence INTEGER NOT NULL,
  unix_ms INTEGER NOT NULL, sum INTEGER NOT NULL, records BLOB NOT NULL
) STRICT;
INSERT INTO uncompacted SELECT id, 0, 0, unix_ms, sum, records FROM recent;
DROP TABLE recent;
ALTER TABLE players ADD COLUMN stream INTEGER NOT NULL DEFAULT 0;
ALTER TABLE players ADD COLUMN last_request_done INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rooms ADD COLUMN stream INTEGER NOT NULL DEFAULT 0;
CREATE TABLE streams(
  stream INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, sequence INTEGER NOT NULL,
  last_revision INTEGER NOT NULL, sum INTEGER NOT NULL
) STRICT;
CREATE TABLE identity(server_id INTEGER NOT NULL, sum INTEGER NOT NULL) STRICT;
CREATE TABLE compaction(
  only INTEGER PRIMARY KEY CHECK(only = 1), through INTEGER NOT NULL, room INTEGER NOT NULL,
  games INTEGER NOT NULL
) STRICT;
CREATE TABLE set_aside(
  id INTEGER PRIMARY KEY, unix_ms INTEGER NOT NULL, kind TEXT NOT NULL, key INTEGER NOT NULL,
  reason TEXT NOT NULL, content BLOB NOT NULL
) STRICT;
)sql";

// Games that only their players may read. `x_reader` and `o_reader` are the players' numbers, NULL
// in public games. The index of public games makes a page of them cost the same however many
// private ones lie between. SQLite keeps a 0 or 1 without content, so that nothing behind `moves`
// is read to find out.
constexpr std::string_view version_3 = R"sql(
ALTER TABLE games ADD COLUMN is_private INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN x_reader INTEGER;
ALTER TABLE games ADD COLUMN o_reader INTEGER;
DROP INDEX games_of_x;
DROP INDEX games_of_o;
CREATE INDEX public_games ON games(id) WHERE is_private = 0;
CREATE INDEX games_of_x ON games(x_name) WHERE is_private = 0 AND x_name IS NOT NULL;
CREATE INDEX games_of_o ON games(o_name) WHERE is_private = 0 AND o_name IS NOT NULL;
CREATE INDEX games_for_x ON games(x_reader) WHERE x_reader IS NOT NULL;
CREATE INDEX games_for_o ON games(o_reader) WHERE o_reader IS NOT NULL;
)sql";

// The private games of a reader with one person: a page of them costs the same however many of the
// reader's games are with others.
constexpr std::string_view version_4 = R"sql(
CREATE INDEX games_for_x_of_x ON games(x_reader, x_name) WHERE x_reader IS NOT NULL;
CREATE INDEX games_for_x_of_o ON games(x_reader, o_name) WHERE x_reader IS NOT NULL;
CREATE INDEX games_for_o_of_x ON games(o_reader, x_name) WHERE o_reader IS NOT NULL;
CREATE INDEX games_for_o_of_o ON games(o_reader, o_name) WHERE o_reader IS NOT NULL;
)sql";

// Whether a player has made a move. NULL: not known, in rows of older versions.
constexpr std::string_view version_5 = R"sql(
ALTER TABLE players ADD COLUMN played INTEGER;
)sql";

// Whom the server's owner has banned.
constexpr std::string_view version_6 = R"sql(
CREATE TABLE bans(
  subject BLOB PRIMARY KEY, state BLOB NOT NULL, sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
)sql";

constexpr std::array versions{version_1, version_2, version_3, version_4, version_5, version_6};

}  // namespace

Migrations migrations() {
  return versions;
}

}  // namespace tictactoe::store
