#include "server/store/schema.hpp"

#include <array>

namespace tictactoe::store {

namespace {

// `recent` has batches of records as they came, each one commit, until they are folded into the
// other tables: those need fewer and larger transactions.
//
// `sum` is a checksum of the other columns of its row: pages of SQLite have none, and a bit that a
// disk has turned must not become a move. Moves are the most of what is written, so their key is
// one number, which costs half of what two do; they lie together by room, so that those of many
// small games share the pages that one commit has to write.
//
// A game is split in two: `head` is an encoded GameRecord without moves, which is all that a list
// shows, `moves` one with nothing else; one after the other they are the whole record again. Names
// are those of people, for the history of one of them.
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

constexpr std::array versions{version_1};

}  // namespace

Migrations migrations() {
  return versions;
}

}  // namespace tictactoe::store
