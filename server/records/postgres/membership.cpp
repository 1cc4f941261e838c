#include "server/records/postgres/membership.hpp"

namespace tictactoe::records {

using Transaction = Database::Transaction;

namespace {

std::uint64_t ms(std::chrono::milliseconds time) {
  return static_cast<std::uint64_t>(time.count());
}

Value bytes(const std::string& content) {
  return Bytes{content};
}

}  // namespace

Result<StreamId> PostgresMembership::new_stream() {
  return attempt([&] { return database_.number_of("SELECT nextval('stream_numbers')"); });
}

std::optional<Fault> PostgresMembership::join(const Member& self, std::chrono::milliseconds lease) {
  return attempt([&] {
    // A server that had the database to itself has given numbers without these sequences.
    if (const auto fault = store_->index_names()) throw PostgresFailure{*fault};
    if (const auto fault = store_->start_serving()) throw PostgresFailure{*fault};
    for (const char* sql : {"SELECT setval('player_ids', greatest(nextval('player_ids'), "
                            "(SELECT coalesce(max(id), 0) + 1 FROM players)))",
                            "SELECT setval('room_serials', greatest(nextval('room_serials'), "
                            "(SELECT coalesce(max(serial), 0) + 1 FROM rooms)))"}) {
      database_.number_of(sql);
    }
    database_.run(
        "INSERT INTO servers(stream, address, key, lease_until, rooms, players, is_draining) "
        "VALUES(?1, ?2, ?3, clock_timestamp() + ?4 * interval '1 ms', ?5, ?6, ?7)",
        self.stream, self.address, bytes(self.key), ms(lease), self.rooms, self.players,
        self.is_draining);
  });
}

Result<bool> PostgresMembership::renew(const Member& self, std::chrono::milliseconds lease) {
  return attempt([&] {
    return database_.run(
               "UPDATE servers SET lease_until = clock_timestamp() + ?2 * interval '1 ms', "
               "rooms = ?3, players = ?4, is_draining = ?5, is_leaving = ?6, key = ?7, "
               "said = ?8, lines_said = ?9 WHERE stream = ?1",
               self.stream, ms(lease), self.rooms, self.players, self.is_draining, self.is_leaving,
               bytes(self.key), bytes(self.said), self.lines_said) == 1;
  });
}

std::optional<Fault> PostgresMembership::leave(StreamId stream) {
  return attempt([&] {
    database_.transact(Transaction::commit, [&] {
      // In the order in which a takeover locks them.
      database_.run("DELETE FROM servers WHERE stream = ?1", stream);
      database_.run("UPDATE streams SET epoch = epoch + 1 WHERE stream = ?1", stream);
      database_.run("DELETE FROM listed_rooms WHERE stream = ?1", stream);
    });
  });
}

Result<std::vector<Member>> PostgresMembership::members() {
  return attempt([&] {
    std::vector<Member> members;
    database_.visit(
        "SELECT stream, address, key, rooms, players, is_draining, is_leaving, said, "
        "lines_said FROM servers ORDER BY stream",
        [&](const SqlRow& row) {
          members.push_back({row.number(0), std::string(row.bytes(1)), std::string(row.bytes(2)),
                             row.number(3), row.number(4), row.number(5) != 0, row.number(6) != 0,
                             std::string(row.bytes(7)), row.number(8)});
        });
    return members;
  });
}

// From the commit of this on, nothing that the lost server appends is taken, and everything that it
// has appended is there to be read.
Result<bool> PostgresMembership::take_over() {
  return attempt([&] {
    bool was_one = false;
    database_.transact(Transaction::commit, [&] {
      StreamId stream = 0;
      database_.visit(
          "SELECT stream FROM servers WHERE lease_until < clock_timestamp() "
          "ORDER BY stream LIMIT 1 FOR UPDATE SKIP LOCKED",
          [&](const SqlRow& row) {
            stream = row.number(0);
            was_one = true;
          });
      if (!was_one) return;
      database_.run("UPDATE streams SET epoch = epoch + 1 WHERE stream = ?1", stream);
      database_.run("DELETE FROM servers WHERE stream = ?1", stream);
      database_.run("DELETE FROM listed_rooms WHERE stream = ?1", stream);
    });
    return was_one;
  });
}

Result<std::size_t> PostgresMembership::count_arriving(std::size_t most) {
  return attempt([&]() -> std::size_t {
    return database_.number_of(
        "SELECT count(*) FROM (SELECT 1 FROM rooms WHERE arrived LIMIT ?1) AS arriving", most);
  });
}

std::optional<Fault> PostgresMembership::publish(StreamId stream,
                                                 std::span<const PublishedRoom> rooms) {
  if (rooms.empty()) return std::nullopt;
  return attempt([&] {
    database_.transact(Transaction::commit, [&] {
      // Durable with the next commit of this connection that waits, such as a renewal.
      database_.put("SET LOCAL synchronous_commit = off");
      for (const PublishedRoom& room : rooms) {
        if (room.info.empty()) {
          database_.put("DELETE FROM listed_rooms WHERE stream = ?1 AND name = ?2", stream,
                        room.name);
        } else {
          database_.put(
              "INSERT INTO listed_rooms VALUES(?1, ?2, ?3) ON CONFLICT(stream, name) "
              "DO UPDATE SET info = excluded.info",
              stream, room.name, bytes(room.info));
        }
      }
    });
  });
}

Result<std::vector<PublishedRoom>> PostgresMembership::rooms_of_others(StreamId stream) {
  return attempt([&] {
    std::vector<PublishedRoom> found;
    database_.visit(
        "SELECT l.name, l.info, l.stream FROM listed_rooms AS l JOIN servers USING(stream) "
        "JOIN rooms AS r ON r.name = l.name AND r.stream = l.stream WHERE l.stream <> ?1",
        [&](const SqlRow& row) {
          found.push_back({std::string(row.bytes(0)), std::string(row.bytes(1)), row.number(2)});
        },
        stream);
    return found;
  });
}

std::optional<Fault> PostgresMembership::publish_players(StreamId stream,
                                                         const std::string& players) {
  return attempt([&] {
    database_.run("UPDATE servers SET player_list = ?2 WHERE stream = ?1", stream, bytes(players));
  });
}

Result<std::vector<std::string>> PostgresMembership::players_of_others(StreamId stream) {
  return attempt([&] {
    std::vector<std::string> lists;
    database_.visit(
        "SELECT player_list FROM servers WHERE stream <> ?1",
        [&](const SqlRow& row) { lists.emplace_back(row.bytes(0)); }, stream);
    return lists;
  });
}

}  // namespace tictactoe::records
