// Compaction: each step merges the oldest records in memory, and applies them in one transaction.
#include <algorithm>
#include <numeric>
#include <utility>

#include "server/records/postgres/store.hpp"
#include "server/records/rows.hpp"

namespace tictactoe::records {

namespace {

constexpr std::uint64_t rows_at_once = 200;
// The key of an advisory lock.
constexpr std::uint64_t compaction_lock = 0x7469637461637472;

}  // namespace

Result<CompactionStep> PostgresStore::compact() {
  auto step = compact_step(true);
  if (!step) return step.error();
  return **std::move(step);
}

Result<std::optional<CompactionStep>> PostgresStore::compact_step(bool waits) {
  SetAsideCounts counts;
  const auto bytes = guarded_postgres([&]() -> std::optional<std::size_t> {
    connect();
    std::size_t merged = 0;
    bool has_turn = true;
    connection_.transact("BEGIN", [&] {
      // One at a time: who comes second would wait for the first row.
      if (waits) {
        connection_.run("SELECT pg_advisory_xact_lock($1)", {compaction_lock});
      } else {
        has_turn = connection_.run("SELECT pg_try_advisory_xact_lock($1)", {compaction_lock})
                       .number(0, 0) != 0;
        if (!has_turn) return;
      }
      // If this transaction is lost, its records are still there.
      connection_.run("SET LOCAL synchronous_commit = off");
      Compaction state;
      merged = merge(state, counts);
      for (const auto& [id, change] : state.players) write_player(id, change);
      for (const auto& [serial, room] : state.rooms) write_room(serial, room, counts);
      // Bans, games and last revisions were written with their commits. Bans may have changed
      // since.
    });
    return has_turn ? std::optional(merged) : std::nullopt;
  });
  if (!bytes) return bytes.error();
  if (!*bytes) return std::optional<CompactionStep>();
  // Another server may have compacted some of them.
  uncompacted_bytes_ =
      **bytes == 0 ? 0 : uncompacted_bytes_ - std::min(uncompacted_bytes_, **bytes);
  return std::optional(CompactionStep{false, uncompacted_bytes_, counts.clause()});
}

// Takes the oldest rows out of the table. Returns their bytes.
std::size_t PostgresStore::merge(Compaction& state, SetAsideCounts& counts) {
  const PostgresRows rows = connection_.run(
      "DELETE FROM uncompacted WHERE id IN (SELECT id FROM (SELECT id, "
      "sum(length(records)) OVER (ORDER BY id) - length(records) AS before FROM "
      "(SELECT id, records FROM uncompacted ORDER BY id LIMIT $1 FOR UPDATE) AS oldest) AS sums "
      "WHERE before < $2) RETURNING id, stream, unix_ms, records",
      {rows_at_once, std::uint64_t{settings_.step_bytes}});
  std::vector<int> order(static_cast<std::size_t>(rows.size()));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int row) { return rows.number(row, 0); });
  std::size_t bytes = 0;
  for (const int row : order) {
    const std::string_view encoded = rows.bytes(row, 3);
    bytes += encoded.size();
    std::vector<journal::v1::Record> records;
    const bool is_sound = for_each_record(encoded, [&](std::string_view part) {
      journal::v1::Record& record = records.emplace_back();
      return record.ParseFromArray(part.data(), static_cast<int>(part.size())) &&
             Compaction::is_valid(record);
    });
    if (!is_sound) {
      put_aside("commit", rows.number(row, 0), "it is damaged", encoded);
      ++counts.commits;
      continue;
    }
    for (journal::v1::Record& record : records) {
      record.clear_game_finished();  // it was written with its commit
      state.add(record, rows.number(row, 1), rows.number(row, 2));
    }
  }
  return bytes;
}

// The stream of a row that is there is left alone: it can have been given to another one since the
// record was appended, with a later number of the last request. If servers share the database, the
// row is there from the claim of the name until the commit that forgets the player.
void PostgresStore::write_player(std::uint64_t id, const Compaction::Player& change) {
  if (change.forgotten) {
    connection_.run("DELETE FROM players WHERE id = $1", {id});
  } else if (!change.state) {
    connection_.run(
        "UPDATE players SET last_request_done = greatest(last_request_done, $2) WHERE id = $1",
        {id, change.request_done});
  } else {
    const std::string state = change.state->SerializeAsString();
    constexpr const char* insert =
        "INSERT INTO players(id, stream, state, last_request_done) VALUES($1, $2, $3, $4) "
        "ON CONFLICT(id) DO UPDATE SET state = excluded.state, "
        "last_request_done = greatest(players.last_request_done, excluded.last_request_done)";
    constexpr const char* update =
        "UPDATE players SET state = $2, last_request_done = greatest(last_request_done, $3) "
        "WHERE id = $1";
    const std::uint64_t request = std::max(change.state->last_request_done(), change.request_done);
    if (change.stream == local_stream) {
      connection_.run(insert, {id, change.stream, std::string_view(state), request});
    } else {
      connection_.run(update, {id, std::string_view(state), request});
    }
  }
}

void PostgresStore::delete_room(std::uint64_t serial) {
  connection_.run("DELETE FROM rooms WHERE serial = $1", {serial});
  connection_.run("DELETE FROM moves WHERE room = $1", {serial});
  connection_.run("DELETE FROM chat WHERE room = $1", {serial});
}

void PostgresStore::write_room(std::uint64_t serial, const Compaction::Room& room,
                               SetAsideCounts& counts) {
  if (room.closed) {
    delete_room(serial);
  } else if (room.moves_left <= last_ply) {
    connection_.run("DELETE FROM moves WHERE room = $1 AND ply > $2",
                    {serial, std::uint64_t{room.moves_left}});
  }
  if (room.state && room.stream == local_stream) {
    connection_.run(
        "INSERT INTO rooms(serial, stream, state) VALUES($1, $2, $3) "
        "ON CONFLICT(serial) DO UPDATE SET state = excluded.state",
        {serial, room.stream, std::string_view(*room.state)});
  } else if (room.state) {  // as with players
    connection_.run("UPDATE rooms SET state = $2 WHERE serial = $1",
                    {serial, std::string_view(*room.state)});
  }
  if (!room.moves.empty()) {
    const PostgresRows last =
        connection_.run("SELECT coalesce(max(ply), 0) FROM moves WHERE room = $1", {serial});
    if (room.broken || room.moves.front().ply() != last.number(0, 0) + 1) {
      set_room_aside(serial, "moves of its game are missing");
      ++counts.rooms;
      return;
    }
    write_moves(serial, room);
  }
  if (!room.chat.empty()) write_chat(serial, room);
}

void PostgresStore::write_moves(std::uint64_t serial, const Compaction::Room& room) {
  PostgresArray plies;
  PostgresArray cells;
  PostgresArray spent;
  PostgresArray left;
  for (const journal::v1::Move& move : room.moves) {
    plies.add(move.ply());
    cells.add(move.cell());
    spent.add(move.spent_ms());
    left.add(move.time_left_ms());
  }
  connection_.run(
      "INSERT INTO moves SELECT $1::bigint, * FROM unnest($2::bigint[], $3::bigint[], "
      "$4::bigint[], "
      "$5::bigint[])",
      {serial, plies.parameter(), cells.parameter(), spent.parameter(), left.parameter()});
}

void PostgresStore::insert_chat(std::uint64_t serial, const PostgresArray& lines) {
  connection_.run(
      "INSERT INTO chat(room, line) SELECT $1::bigint, line FROM "
      "unnest($2::bytea[]) WITH ORDINALITY AS rows(line, place) ORDER BY place",
      {serial, lines.parameter()});
}

void PostgresStore::write_chat(std::uint64_t serial, const Compaction::Room& room) {
  const std::size_t kept = std::min<std::size_t>(room.chat.size(), settings_.kept_chat);
  PostgresArray lines;
  for (std::size_t i = room.chat.size() - kept; i < room.chat.size(); ++i) {
    lines.add(std::string_view(room.chat[i].SerializeAsString()));
  }
  insert_chat(serial, lines);
  connection_.run(
      "DELETE FROM chat WHERE room = $1 AND number NOT IN (SELECT number FROM chat "
      "WHERE room = $1 ORDER BY number DESC LIMIT $2)",
      {serial, std::uint64_t{settings_.kept_chat}});
}

}  // namespace tictactoe::records
