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
inline constexpr int schema_version = 1;

/// The fault of a store with the tables of another version.
inline Fault other_version(std::uint64_t found) {
  return {Fault::Kind::other_version, "it has schema version " + std::to_string(found) +
                                          ", and this program only knows version " +
                                          std::to_string(schema_version)};
}

/// Creates the tables in an empty file.
///
/// `sum` is a checksum of the other columns of its row: pages of SQLite have none, and a bit that
/// the disk has flipped must not become a move. Moves are most of what is written, so their key is
/// one number, which costs half of what two do. They lie together by room, so that the moves of
/// many small games share pages.
///
/// A game is split in two: `head` is an encoded GameRecord without moves, which is all that a list
/// shows, and `moves` has nothing else. One after the other they are the whole record. `x_name` and
/// `o_name` are those of people, for the history of one person. Only its players may read a private
/// game: `x_reader` and `o_reader` are their numbers, NULL in public games. The partial indexes
/// make a page of a list cost the same however many games of others lie between.
///
/// `uncompacted` has records as they were appended, in order: a commit is one row, or several if it
/// is large. `sequence` is that of the last event up to the row. Compaction replaces many of them
/// at once by rows of the other tables, which needs fewer and smaller writes than changing those
/// tables with each commit. `compaction` has at most one row, its progress: rows up to `through`
/// are being compacted; rooms before `room` and this many `games` are done.
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
  id INTEGER PRIMARY KEY, stream INTEGER NOT NULL, name TEXT NOT NULL, token_hash BLOB NOT NULL,
  last_request_done INTEGER NOT NULL, played INTEGER NOT NULL, sum INTEGER NOT NULL
) STRICT;
CREATE TABLE rooms(
  serial INTEGER PRIMARY KEY, stream INTEGER NOT NULL, state BLOB NOT NULL, sum INTEGER NOT NULL
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
  id INTEGER PRIMARY KEY AUTOINCREMENT, kept_unix_ms INTEGER NOT NULL,
  is_private INTEGER NOT NULL, x_reader INTEGER, o_reader INTEGER, x_name TEXT, o_name TEXT,
  head BLOB NOT NULL, head_sum INTEGER NOT NULL, moves BLOB NOT NULL, moves_sum INTEGER NOT NULL
) STRICT;
CREATE INDEX public_games ON games(id) WHERE is_private = 0;
CREATE INDEX games_of_x ON games(x_name) WHERE is_private = 0 AND x_name IS NOT NULL;
CREATE INDEX games_of_o ON games(o_name) WHERE is_private = 0 AND o_name IS NOT NULL;
CREATE INDEX games_for_x ON games(x_reader) WHERE x_reader IS NOT NULL;
CREATE INDEX games_for_o ON games(o_reader) WHERE o_reader IS NOT NULL;
CREATE INDEX games_for_x_of_x ON games(x_reader, x_name) WHERE x_reader IS NOT NULL;
CREATE INDEX games_for_x_of_o ON games(x_reader, o_name) WHERE x_reader IS NOT NULL;
CREATE INDEX games_for_o_of_x ON games(o_reader, x_name) WHERE o_reader IS NOT NULL;
CREATE INDEX games_for_o_of_o ON games(o_reader, o_name) WHERE o_reader IS NOT NULL;
CREATE TABLE bans(
  subject BLOB PRIMARY KEY, state BLOB NOT NULL, sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE set_aside(
  id INTEGER PRIMARY KEY, unix_ms INTEGER NOT NULL, kind TEXT NOT NULL, key INTEGER NOT NULL,
  reason TEXT NOT NULL, content BLOB NOT NULL
) STRICT;
)sql";

}  // namespace tictactoe::records
