// The tables of a journal.
#pragma once

#include <string>
#include <vector>

#include "server/records/table.hpp"
#include "tictactoe/journal/v1/journal.pb.h"

namespace tictactoe::records {

/// Of the tables in SQLite and in PostgreSQL: in a file it is `PRAGMA user_version`, in a database
/// the number in the table `schema_version`. A store with another number is refused and left as it
/// is. A release that changes the tables raises it and says how to convert what the last one wrote.
inline constexpr int schema_version = 6;

/// The fault of a store with the tables of another version.
Fault other_version(std::uint64_t found);

/// Tables whose rows are messages of journal.proto. `stream` says which of several servers has a
/// player or a room; 0 is a server that has the store to itself.
struct Tables {
  Table players;   ///< everybody whom the server knows
  Table requests;  ///< beside `players`, as it changes with each move: the last request done
  Table rooms;     ///< those that are open, with their seats, clocks and score
  Table moves;     ///< of the games on their boards
  Table chat;      ///< the latest lines of each room; `line` counts up
  Table games;     ///< finished ones, with their moves as text
  Table bans;      ///< `who`: a name, an address or a network
  Table accounts;  ///< only in PostgreSQL
};
const Tables& tables();

/// What a whole copy of a store has.
std::vector<const Table*> copied_tables();

/// Creates the tables, in a database without them, and draws the identity of the store. In a
/// transaction.
///
/// `streams` has the number of each stream's owner and of its last event, which a commit checks.
/// `last_revision` is the highest revision of the rooms that were closed.
///
/// The view `results` shows the public games, for programs of the server's owner.
///
/// In PostgreSQL, a row of players or rooms whose server has only claimed it has no `played` or
/// `game`. Two names look alike if they have a key in common. `arrived` marks what another server
/// has given to the stream, until that one's server takes it. `listed_rooms` is what the other
/// servers see of a room: it is not in `rooms`, whose rows commits change in any order.
void create_tables(Database& database);

/// The key of a ban, as in "203.0.113.0/24", "2001:db8:0:1::/64" or "player:ann".
std::string key_of(const journal::v1::BanSubject& subject);

}  // namespace tictactoe::records
