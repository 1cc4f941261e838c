// The tables of a journal in SQLite.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/records/fault.hpp"

namespace tictactoe::records {

/// Of the tables in SQLite and in PostgreSQL: in a file it is `PRAGMA user_version`, in a database
/// the number in the table `schema_version`. A store with another number is refused and left as it
/// is. A release that changes the tables raises it and says how to convert what the last one wrote.
inline constexpr int schema_version = 4;

/// The fault of a store with the tables of another version.
inline Fault other_version(std::uint64_t found) {
  return {Fault::Kind::other_version, "it has schema version " + std::to_string(found) +
                                          ", and this program only knows version " +
                                          std::to_string(schema_version)};
}

/// Creates the tables in an empty file, without the indexes of games.
///
/// `sum` is a checksum of the other columns of its row: pages of SQLite have none, and a bit that
/// the disk has flipped must not become a move.
///
/// A player or room is one row: `state` is an encoded Player or SavedRoom. A game is an encoded
/// GameRecord in two parts: `head` has no moves, which is all that a list shows, and `moves` has
/// the rest. `x_name` and `o_name` are those of people, for the history of one person. Only its
/// players may read a private game: `x_reader` and `o_reader` are their numbers, NULL in public
/// games.
///
/// `uncompacted` has records as they were appended at `unix_ms`, in order: a commit is one row, or
/// several if it is large. `sequence` is that of the last event up to the row. Compaction replaces
/// many of them at once by rows of players, rooms and games, which needs fewer and smaller writes
/// than changing those with each commit. `compaction` has at most one row, its progress: rows up to
/// `through` are being compacted, rooms up to `room` are written, and so are the games of rows up
/// to `games`.
///
/// `set_aside` keeps what was damaged or refused, for people: no program reads it.
inline constexpr std::string_view sqlite_schema = R"sql(
CREATE TABLE identity(server_id INTEGER NOT NULL, sum INTEGER NOT NULL) STRICT;
CREATE TABLE streams(
  stream INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, sequence INTEGER NOT NULL,
  last_revision INTEGER NOT NULL, sum INTEGER NOT NULL
) STRICT;
CREATE TABLE uncompacted(
  id INTEGER PRIMARY KEY, stream INTEGER NOT NULL, sequence INTEGER NOT NULL,
  unix_ms INTEGER NOT NULL, sum INTEGER NOT NULL, records BLOB NOT NULL
) STRICT;
CREATE TABLE compaction(
  only INTEGER PRIMARY KEY CHECK(only = 1), through INTEGER NOT NULL, room INTEGER NOT NULL,
  games INTEGER NOT NULL
) STRICT;
CREATE TABLE players(
  id INTEGER PRIMARY KEY, stream INTEGER NOT NULL, state BLOB NOT NULL, sum INTEGER NOT NULL
) STRICT;
CREATE TABLE rooms(
  id INTEGER PRIMARY KEY, stream INTEGER NOT NULL, state BLOB NOT NULL, sum INTEGER NOT NULL
) STRICT;
CREATE TABLE games(
  id INTEGER PRIMARY KEY AUTOINCREMENT, kept_unix_ms INTEGER NOT NULL,
  is_private INTEGER NOT NULL, x_reader INTEGER, o_reader INTEGER, x_name BLOB, o_name BLOB,
  head BLOB NOT NULL, head_sum INTEGER NOT NULL, moves BLOB NOT NULL, moves_sum INTEGER NOT NULL
) STRICT;
CREATE TABLE bans(
  subject BLOB PRIMARY KEY, state BLOB NOT NULL, sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE set_aside(
  id INTEGER PRIMARY KEY, unix_ms INTEGER NOT NULL, kind TEXT NOT NULL, key INTEGER NOT NULL,
  reason TEXT NOT NULL, content BLOB NOT NULL
) STRICT;
)sql";

}  // namespace tictactoe::records
