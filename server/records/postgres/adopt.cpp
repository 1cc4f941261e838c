// Giving what is nobody's, or what another server has given, to a stream.
#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/records/postgres/store.hpp"

namespace tictactoe::records {

namespace {

constexpr std::uint64_t names_lock = 0x7469637461637471;
constexpr std::uint64_t names_at_once = 500;

constexpr const char* records_of_leaving =
    "SELECT 1 FROM uncompacted AS u JOIN servers AS s ON s.stream = u.stream WHERE s.is_draining "
    "LIMIT 1";
constexpr const char* unowned_records =
    "SELECT 1 FROM uncompacted AS u WHERE NOT EXISTS "
    "(SELECT 1 FROM servers AS s WHERE s.stream = u.stream) LIMIT 1";
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
// They were given to a server that was lost before it took them. Who has given them may run.
constexpr const char* unowned_unreadable_rooms =
    "SELECT 1 FROM rooms AS r WHERE arrived_after >= (SELECT min(id) FROM uncompacted) AND "
    "NOT EXISTS (SELECT 1 FROM servers AS s WHERE s.stream = r.stream) LIMIT 1";

// A room has no seats that were ever recorded, and a player no token, if nothing but a claim is
// there.
constexpr const char* delete_claimed_rooms =
    "DELETE FROM rooms AS r WHERE state = '' AND NOT EXISTS "
    "(SELECT 1 FROM servers AS s WHERE s.stream = r.stream)";
constexpr const char* delete_claimed_players =
    "DELETE FROM players AS p WHERE state = '' AND NOT EXISTS "
    "(SELECT 1 FROM servers AS s WHERE s.stream = p.stream)";

constexpr const char* take_rooms =
    "UPDATE rooms SET stream = $1, info = NULL, arrived_after = NULL WHERE serial IN "
    "(SELECT serial FROM rooms AS r "
    "WHERE NOT EXISTS (SELECT 1 FROM servers AS s WHERE s.stream = r.stream) "
    "ORDER BY serial LIMIT $2 FOR UPDATE SKIP LOCKED)";
constexpr const char* take_players =
    "UPDATE players SET stream = $1, arrived = NULL WHERE id IN (SELECT id FROM players AS p "
    "WHERE NOT EXISTS (SELECT 1 FROM servers AS s WHERE s.stream = p.stream) "
    "ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)";
// With the same condition: a row that says that somebody has a seat who is elsewhere is damaged.
constexpr const char* take_these_players =
    "UPDATE players SET stream = $1, arrived = NULL WHERE id IN (SELECT id FROM players AS p "
    "WHERE id = ANY($2::bigint[]) AND NOT EXISTS "
    "(SELECT 1 FROM servers AS s WHERE s.stream = p.stream) ORDER BY id FOR UPDATE)";

constexpr const char* arrived_rooms =
    "SELECT 1 FROM rooms WHERE stream = $1 AND arrived_after IS NOT NULL LIMIT 1";
constexpr const char* take_arrived_rooms =
    "UPDATE rooms SET stream = $1, arrived_after = NULL WHERE serial IN "
    "(SELECT serial FROM rooms WHERE stream = $2 AND arrived_after IS NOT NULL AND "
    "arrived_after < (SELECT coalesce(min(id), $3) FROM uncompacted) "
    "ORDER BY arrived_after LIMIT $4 FOR UPDATE)";
constexpr const char* take_arrived_players =
    "UPDATE players SET stream = $1, arrived = NULL WHERE id IN "
    "(SELECT id FROM players WHERE id = ANY($2::bigint[]) AND stream = $3 ORDER BY id FOR UPDATE)";

}  // namespace

// A single transaction with one view of the servers: removing one meanwhile has no effect on it.
// Moves the rows to a stream of their own first, so that read() can read them.
template <class Choose>
Result<LoadedStream> PostgresStore::take(StreamId stream, Choose choose) {
  return attempt([&] {
    connect();
    // The answer to the last commit was lost: these rows may belong to the stream already.
    if (auto last = std::exchange(unknown_adoption_, std::nullopt)) {
      unknown_adoption_ = *last;  // this question can fail, too
      const bool was_committed = has_adopted(stream, *last);
      unknown_adoption_.reset();
      if (was_committed) return *std::move(last);
    }
    LoadedStream adopted;
    connection_.transact("BEGIN ISOLATION LEVEL REPEATABLE READ", [&] {
      const StreamId taken = connection_.number_of("SELECT nextval('stream_numbers')");
      if (!choose(taken)) return;
      adopted = read(taken);
      connection_.run("UPDATE rooms SET stream = $2 WHERE stream = $1", {taken, stream});
      connection_.run("UPDATE players SET stream = $2 WHERE stream = $1", {taken, stream});
      unknown_adoption_ = adopted;
    });
    unknown_adoption_.reset();
    return adopted;
  });
}

Result<LoadedStream> PostgresStore::adopt(StreamId stream, std::size_t most) {
  auto adopted = take(stream, [&](StreamId taken) { return take_unowned(taken, most); });
  if (adopted) add_clause(adopted->set_aside, std::exchange(set_aside_, ""));
  return adopted;
}

bool PostgresStore::take_unowned(StreamId taken, std::size_t most) {
  if (connection_.run(unowned_streams).empty()) return false;
  if (!connection_.run(unowned_records).empty()) return false;
  if (!connection_.run(unowned_unreadable_rooms).empty()) return false;
  connection_.run(delete_claimed_rooms);
  connection_.run(delete_claimed_players);
  if (connection_.run(take_rooms, {taken, std::uint64_t{most}}).changed() == 0) {
    // Others may be taking the last rooms, and with them their players.
    if (!connection_.run(unowned_rooms).empty()) return false;
    return connection_.run(take_players, {taken, std::uint64_t{most}}).changed() > 0;
  }
  connection_.run(take_these_players, {taken, PostgresArray::of(players_of_rooms(taken))});
  return true;
}

Result<LoadedStream> PostgresStore::take_arrived(StreamId stream, std::size_t most) {
  constexpr std::uint64_t last_id = std::numeric_limits<std::int64_t>::max();
  return take(stream, [&](StreamId taken) {
    if (connection_.run(arrived_rooms, {stream}).empty()) return false;
    if (connection_.run(take_arrived_rooms, {taken, stream, last_id, std::uint64_t{most}})
            .changed() == 0) {
      return false;
    }
    connection_.run(take_arrived_players,
                    {taken, PostgresArray::of(players_of_rooms(taken)), stream});
    return true;
  });
}

// Everything was committed, or nothing, so one row tells. If the commit is still under way, for
// instance waiting for a standby, this waits for its lock on that row.
bool PostgresStore::has_adopted(StreamId stream, const LoadedStream& adopted) {
  const journal::v1::Saved& saved = adopted.saved;
  if (saved.rooms_size() > 0) {
    const PostgresRows row =
        connection_.run("SELECT stream, arrived_after FROM rooms WHERE serial = $1 FOR UPDATE",
                        {saved.rooms(0).room().serial()});
    return !row.empty() && row.number(0, 0) == stream && row.is_null(0, 1);
  }
  if (saved.players_size() == 0) return false;
  const PostgresRows row = connection_.run("SELECT stream FROM players WHERE id = $1 FOR UPDATE",
                                           {saved.players(0).id()});
  return !row.empty() && row.number(0, 0) == stream;
}

Result<bool> PostgresStore::compact_unowned() {
  auto is_left = attempt([&] {
    connect();
    return !connection_.run(unowned_records).empty();
  });
  if (!is_left || !*is_left) return is_left;
  const auto step = compact();
  if (!step) return step.error();
  add_clause(set_aside_, step->set_aside);
  return true;
}

Result<bool> PostgresStore::compact_of_leaving() {
  auto is_left = attempt([&] {
    connect();
    return !connection_.run(records_of_leaving).empty();
  });
  if (!is_left || !*is_left) return is_left;
  waits_to_compact_ = false;
  const auto step = compact();
  waits_to_compact_ = true;
  if (!step && step.error().kind != Fault::Kind::in_use) return step.error();
  if (step) add_clause(set_aside_, step->set_aside);
  return step.has_value();
}

std::vector<std::uint64_t> PostgresStore::players_of_rooms(StreamId stream) {
  std::vector<std::uint64_t> players;
  for (const Row& row : rows_of(Table::rooms, stream)) {
    journal::v1::SavedRoom saved;
    if (!saved.ParseFromString(row.content)) continue;
    for (const journal::v1::Seat* seat : {&saved.room().x(), &saved.room().o()}) {
      if (seat->player() != 0) players.push_back(seat->player());
    }
  }
  return players;
}

// Names of rows that were written by a server that had the database to itself -------------------

std::optional<Fault> PostgresStore::index_names() {
  return attempt([&] {
    connect();
    connection_.transact("BEGIN", [&] {
      connection_.run("SELECT pg_advisory_xact_lock($1)", {names_lock});
      for (const Table table : {Table::players, Table::rooms}) {
        while (index_some(table)) {
        }
      }
    });
  });
}

bool PostgresStore::index_some(Table table) {
  const bool is_room = table == Table::rooms;
  const PostgresRows rows = connection_.run(
      is_room
          ? "SELECT serial, stream, state FROM rooms WHERE name IS NULL AND state <> '' LIMIT $1"
          : "SELECT id, stream, state FROM players WHERE token_hash IS NULL AND state <> '' "
            "LIMIT $1",
      {names_at_once});
  int refused = 0;
  const auto refuse = [&](const Row& row, const char* reason) {
    set_aside(table, row, reason);
    ++refused;
  };
  for (int i = 0; i < rows.size(); ++i) {
    const Row row{rows.number(i, 0), rows.number(i, 1), std::string(rows.bytes(i, 2))};
    journal::v1::SavedRoom saved;
    journal::v1::Player player;
    if (!(is_room ? saved.ParseFromString(row.content) : player.ParseFromString(row.content))) {
      refuse(row, "it is damaged");
      continue;
    }
    const std::string_view name = is_room ? saved.room().name() : player.name();
    const PostgresRows indexed =
        is_room ? connection_.run(
                      "UPDATE rooms SET name = $2, creator = $3 WHERE serial = $1 AND "
                      "NOT EXISTS (SELECT 1 FROM rooms WHERE name = $2)",
                      {row.key, name, saved.room().creator()})
                : connection_.run(
                      "UPDATE players SET token_hash = $2 WHERE id = $1 AND "
                      "NOT EXISTS (SELECT 1 FROM players WHERE token_hash = $2)",
                      {row.key, player.token_hash()});
    if (indexed.changed() == 0) {
      refuse(row, is_room ? "another room has the same name" : "another player has the same token");
      continue;
    }
    for (const std::string& key : postgres_settings_.look_alike_keys(name)) {
      connection_.run(is_room ? "INSERT INTO room_names VALUES($1, $2) ON CONFLICT DO NOTHING"
                              : "INSERT INTO player_names VALUES($1, $2) ON CONFLICT DO NOTHING",
                      {key, row.key});
    }
  }
  add_count(set_aside_, refused, is_room ? "room" : "player");
  return !rows.empty();
}

}  // namespace tictactoe::records
