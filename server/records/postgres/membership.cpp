#include "server/records/postgres/membership.hpp"

namespace tictactoe::records {

namespace {

PostgresParameter truth(bool value) {
  return PostgresParameter::parsed(value ? "t" : "f");
}

// Locks the rooms by serial, as compaction does: in another order, the two could wait for each
// other.
constexpr const char* publish_rooms =
    "WITH shown AS (SELECT r.serial, s.info FROM rooms AS r "
    "JOIN unnest($2::bytea[], $3::bytea[]) AS s(name, info) ON s.name = r.name "
    "WHERE r.stream = $1 ORDER BY r.serial FOR NO KEY UPDATE OF r) "
    "UPDATE rooms AS r SET info = shown.info FROM shown WHERE r.serial = shown.serial";

std::uint64_t ms(std::chrono::milliseconds time) {
  return static_cast<std::uint64_t>(time.count());
}

}  // namespace

Result<StreamId> PostgresMembership::new_stream() {
  return connection_.attempt(
      [&] { return connection_.number_of("SELECT nextval('stream_numbers')"); });
}

std::optional<Fault> PostgresMembership::join(const Member& self, std::chrono::milliseconds lease) {
  return connection_.attempt([&] {
    // A server that had the database to itself has given numbers without these sequences.
    while (compact_unowned()) {
    }
    if (const auto fault = store_->index_names()) throw PostgresFailure{*fault};
    if (const auto fault = store_->start_serving()) throw PostgresFailure{*fault};
    for (const char* sql : {"SELECT setval('player_ids', greatest(nextval('player_ids'), "
                            "(SELECT coalesce(max(id), 0) + 1 FROM players)))",
                            "SELECT setval('room_serials', greatest(nextval('room_serials'), "
                            "(SELECT coalesce(max(serial), 0) + 1 FROM rooms)))"}) {
      connection_.run(sql);
    }
    connection_.run(
        "INSERT INTO servers(stream, address, key, lease_until, rooms, players, is_draining) "
        "VALUES($1, $2, $3, clock_timestamp() + $4 * interval '1 ms', $5, $6, $7)",
        {self.stream, self.address, self.key, ms(lease), self.rooms, self.players,
         truth(self.is_draining)});
  });
}

Result<bool> PostgresMembership::renew(const Member& self, std::chrono::milliseconds lease) {
  return connection_.attempt([&] {
    return connection_.change(
               "UPDATE servers SET lease_until = clock_timestamp() + $2 * interval '1 ms', "
               "rooms = $3, players = $4, is_draining = $5, is_leaving = $6, key = $7, "
               "said = $8, lines_said = $9 WHERE stream = $1",
               self.stream, ms(lease), self.rooms, self.players, truth(self.is_draining),
               truth(self.is_leaving), self.key, self.said, self.lines_said) == 1;
  });
}

std::optional<Fault> PostgresMembership::leave(StreamId stream) {
  return connection_.attempt([&] {
    connection_.transact("BEGIN", [&] {
      // In the order in which a takeover locks them.
      connection_.run("DELETE FROM servers WHERE stream = $1", {stream});
      connection_.run("UPDATE streams SET epoch = epoch + 1 WHERE stream = $1", {stream});
    });
  });
}

Result<std::vector<Member>> PostgresMembership::members() {
  return connection_.attempt([&] {
    std::vector<Member> members;
    connection_.visit(
        "SELECT stream, address, key, rooms, players, is_draining, is_leaving, said, "
        "lines_said FROM servers ORDER BY stream",
        [&](const PostgresRow& row) {
          members.push_back({row.number(0), std::string(row.bytes(1)), std::string(row.bytes(2)),
                             row.number(3), row.number(4), row.number(5) != 0, row.number(6) != 0,
                             std::string(row.bytes(7)), row.number(8)});
        });
    return members;
  });
}

Result<bool> PostgresMembership::take_over() {
  return connection_.attempt([&] {
    if (fence_one() || compact_unowned()) return true;
    compact_of_leaving();
    return false;  // there is more as long as they run
  });
}

bool PostgresMembership::compact_unowned() {
  const auto had_some = store_->compact_unowned();
  if (!had_some) throw PostgresFailure{had_some.error()};
  return *had_some;
}

void PostgresMembership::compact_of_leaving() {
  constexpr int steps_at_once = 4;
  for (int step = 0; step < steps_at_once; ++step) {
    const auto had_some = store_->compact_of_leaving();
    if (!had_some) throw PostgresFailure{had_some.error()};
    if (!*had_some) return;
  }
}

// From the commit of this on, nothing that the lost server appends is taken, and everything that it
// has appended is there to be read.
bool PostgresMembership::fence_one() {
  bool was_one = false;
  connection_.transact("BEGIN", [&] {
    const PostgresRows lost = connection_.run(
        "SELECT stream FROM servers WHERE lease_until < clock_timestamp() "
        "ORDER BY stream LIMIT 1 FOR UPDATE SKIP LOCKED");
    if (lost.empty()) return;
    const StreamId stream = lost.number(0, 0);
    connection_.run("UPDATE streams SET epoch = epoch + 1 WHERE stream = $1", {stream});
    connection_.run("DELETE FROM servers WHERE stream = $1", {stream});
    was_one = true;
  });
  return was_one;
}

Result<std::size_t> PostgresMembership::count_arriving(std::size_t most) {
  return connection_.attempt([&]() -> std::size_t {
    return connection_.number_of(
        "SELECT count(*) FROM (SELECT 1 FROM rooms WHERE arrived_after IS NOT NULL LIMIT $1) "
        "AS arriving",
        most);
  });
}

std::optional<Fault> PostgresMembership::publish(StreamId stream,
                                                 std::span<const PublishedRoom> rooms) {
  if (rooms.empty()) return std::nullopt;
  PostgresArray names;
  PostgresArray infos;
  for (const PublishedRoom& room : rooms) {
    names.add(room.name);
    room.info.empty() ? infos.add_null() : infos.add(room.info);
  }
  return connection_.attempt([&] {
    connection_.transact("BEGIN", [&] {
      // Durable with the next commit of this connection that waits, such as a renewal.
      connection_.run("SET LOCAL synchronous_commit = off");
      connection_.run(publish_rooms, {stream, names, infos});
    });
  });
}

Result<std::vector<PublishedRoom>> PostgresMembership::rooms_of_others(StreamId stream) {
  return connection_.attempt([&] {
    std::vector<PublishedRoom> found;
    connection_.visit(
        "SELECT r.name, r.info, r.stream FROM rooms AS r "
        "JOIN servers AS s ON s.stream = r.stream WHERE r.stream <> $1 AND r.info IS NOT NULL",
        [&](const PostgresRow& row) {
          found.push_back({std::string(row.bytes(0)), std::string(row.bytes(1)), row.number(2)});
        },
        stream);
    return found;
  });
}

std::optional<Fault> PostgresMembership::publish_players(StreamId stream,
                                                         const std::string& players) {
  return connection_.attempt([&] {
    connection_.run("UPDATE servers SET player_list = $2 WHERE stream = $1", {stream, players});
  });
}

Result<std::vector<std::string>> PostgresMembership::players_of_others(StreamId stream) {
  return connection_.attempt([&] {
    std::vector<std::string> lists;
    connection_.visit(
        "SELECT player_list FROM servers WHERE stream <> $1",
        [&](const PostgresRow& row) { lists.emplace_back(row.bytes(0)); }, stream);
    return lists;
  });
}

}  // namespace tictactoe::records
