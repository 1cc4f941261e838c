// Giving what is nobody's, or what another server has given, to a stream.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/records/postgres/store.hpp"

namespace tictactoe::records {

namespace {

// Looks at each stream once, not at each row.
constexpr const char* unowned_streams =
    "WITH RECURSIVE of_rooms(stream) AS (SELECT min(stream) FROM rooms UNION ALL "
    "SELECT (SELECT min(stream) FROM rooms AS r WHERE r.stream > of_rooms.stream) FROM of_rooms "
    "WHERE of_rooms.stream IS NOT NULL), "
    "of_players(stream) AS (SELECT min(stream) FROM players UNION ALL "
    "SELECT (SELECT min(stream) FROM players AS p WHERE p.stream > of_players.stream) "
    "FROM of_players WHERE of_players.stream IS NOT NULL) "
    "SELECT 1 FROM (SELECT stream FROM of_rooms UNION SELECT stream FROM of_players) AS found "
    "WHERE stream IS NOT NULL AND NOT EXISTS "
    "(SELECT 1 FROM servers AS s WHERE s.stream = found.stream) LIMIT 1";
constexpr const char* unowned_rooms =
    "SELECT 1 FROM rooms AS r WHERE NOT EXISTS "
    "(SELECT 1 FROM servers AS s WHERE s.stream = r.stream) LIMIT 1";
// Rows that are only claimed have no `game` and no `played`.
constexpr const char* delete_claimed_rooms =
    "DELETE FROM rooms AS r WHERE game IS NULL AND NOT EXISTS "
    "(SELECT 1 FROM servers AS s WHERE s.stream = r.stream)";
constexpr const char* delete_claimed_players =
    "DELETE FROM players AS p WHERE played IS NULL AND NOT EXISTS "
    "(SELECT 1 FROM servers AS s WHERE s.stream = p.stream)";

constexpr const char* take_rooms =
    "UPDATE rooms SET stream = ?1, arrived = NULL WHERE serial IN "
    "(SELECT serial FROM rooms AS r "
    "WHERE NOT EXISTS (SELECT 1 FROM servers AS s WHERE s.stream = r.stream) "
    "ORDER BY serial LIMIT ?2 FOR UPDATE SKIP LOCKED)";
constexpr const char* take_players =
    "UPDATE players SET stream = ?1, arrived = NULL WHERE id IN (SELECT id FROM players AS p "
    "WHERE NOT EXISTS (SELECT 1 FROM servers AS s WHERE s.stream = p.stream) "
    "ORDER BY id LIMIT ?2 FOR UPDATE SKIP LOCKED)";
// With the same condition: a row that says that somebody has a seat who is elsewhere is damaged.
constexpr const char* take_these_players =
    "UPDATE players SET stream = ?1, arrived = NULL WHERE id IN (SELECT id FROM players AS p "
    "WHERE id = ANY(CAST(?2 AS bigint[])) AND NOT EXISTS "
    "(SELECT 1 FROM servers AS s WHERE s.stream = p.stream) ORDER BY id FOR UPDATE)";

constexpr const char* take_arrived_rooms =
    "UPDATE rooms SET stream = ?1, arrived = NULL WHERE serial IN (SELECT serial FROM rooms "
    "WHERE stream = ?2 AND arrived ORDER BY serial LIMIT ?3 FOR UPDATE)";
constexpr const char* take_arrived_players =
    "UPDATE players SET stream = ?1, arrived = NULL WHERE id IN (SELECT id FROM players "
    "WHERE id = ANY(CAST(?2 AS bigint[])) AND stream = ?3 ORDER BY id FOR UPDATE)";

}  // namespace

// A single transaction with one view of the servers: removing one meanwhile has no effect on it.
// Moves the rows to a stream of their own first, so that read() can read them.
template <class Choose>
Result<journal::v1::Saved> PostgresStore::take(StreamId stream, Choose choose) {
  return attempt([&] {
    // The answer to the last commit was lost: these rows may belong to the stream already.
    if (auto last = std::exchange(unknown_adoption_, std::nullopt)) {
      unknown_adoption_ = *last;  // this question can fail, too
      const bool was_committed = has_adopted(stream, *last);
      unknown_adoption_.reset();
      if (was_committed) return *std::move(last);
    }
    journal::v1::Saved adopted;
    database().transact(Database::Transaction::whole, [&] {
      const StreamId taken = database().number_of("SELECT nextval('stream_numbers')");
      if (!choose(taken)) return;
      adopted = read(taken);
      database().run("UPDATE rooms SET stream = ?2 WHERE stream = ?1", taken, stream);
      database().run("UPDATE players SET stream = ?2 WHERE stream = ?1", taken, stream);
      unknown_adoption_ = adopted;
    });
    unknown_adoption_.reset();
    return adopted;
  });
}

Result<journal::v1::Saved> PostgresStore::adopt(StreamId stream, std::size_t most) {
  return take(stream, [&](StreamId taken) { return take_unowned(taken, most); });
}

bool PostgresStore::take_unowned(StreamId taken, std::size_t most) {
  if (database().number_of(unowned_streams) == 0) return false;
  database().run(delete_claimed_rooms);
  database().run(delete_claimed_players);
  if (database().run(take_rooms, taken, most) == 0) {
    // Others may be taking the last rooms, and with them their players.
    if (database().number_of(unowned_rooms) != 0) return false;
    return database().run(take_players, taken, most) > 0;
  }
  database().run(take_these_players, taken, PostgresArray::of(players_of_rooms(taken)));
  return true;
}

Result<journal::v1::Saved> PostgresStore::take_arrived(StreamId stream, std::size_t most) {
  return take(stream, [&](StreamId taken) {
    if (database().run(take_arrived_rooms, taken, stream, most) == 0) return false;
    database().run(take_arrived_players, taken, PostgresArray::of(players_of_rooms(taken)), stream);
    return true;
  });
}

// Everything was committed, or nothing, so one row tells. If the commit is still under way, for
// instance waiting for a standby, this waits for its lock on that row.
bool PostgresStore::has_adopted(StreamId stream, const journal::v1::Saved& saved) {
  bool is_here = false;
  const auto look = [&](const SqlRow& row) {
    is_here = row.number(0) == stream && row.number(1) == 0;
  };
  if (saved.rooms_size() > 0) {
    database().visit("SELECT stream, arrived FROM rooms WHERE serial = ?1 FOR UPDATE", look,
                     saved.rooms(0).room().serial());
  } else if (saved.players_size() > 0) {
    database().visit("SELECT stream, arrived FROM players WHERE id = ?1 FOR UPDATE", look,
                     saved.players(0).id());
  }
  return is_here;
}

std::vector<std::uint64_t> PostgresStore::players_of_rooms(StreamId stream) {
  std::vector<std::uint64_t> players;
  database().visit(
      "SELECT x_player, o_player FROM rooms WHERE stream = ?1",
      [&](const SqlRow& row) {
        for (const int seat : {0, 1}) {
          if (row.number(seat) != 0) players.push_back(row.number(seat));
        }
      },
      stream);
  return players;
}

}  // namespace tictactoe::records
