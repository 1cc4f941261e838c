// Reading the state of a stream. What can't be decoded is set aside, a room with everything in it.
#include <algorithm>
#include <utility>

#include "server/records/postgres/store.hpp"
#include "server/records/rows.hpp"

namespace tictactoe::records {

Result<LoadedStream> PostgresStore::load(StreamId stream) {
  auto set_aside = compact_all(*this);
  if (!set_aside) return set_aside.error();
  SetAsideCounts damaged;
  auto loaded = guarded_postgres([&] {
    LoadedStream read_now;
    connection_.transact("BEGIN ISOLATION LEVEL REPEATABLE READ", [&] {
      read_now = read(stream);
      damaged.bans = read_bans(*this, read_now.saved);
    });
    return read_now;
  });
  if (loaded) {
    add_clause(*set_aside, loaded->set_aside);
    add_clause(*set_aside, damaged.clause());
    loaded->set_aside = *std::move(set_aside);
  }
  return loaded;
}

LoadedStream PostgresStore::read(StreamId stream) {
  LoadedStream loaded;
  SetAsideCounts counts;
  const PostgresRows row =
      connection_.run("SELECT last_revision FROM streams WHERE stream = $1", {stream});
  if (!row.empty()) loaded.saved.set_last_revision(row.number(0, 0));
  read_players(stream, loaded, counts);
  read_rooms(stream, loaded, counts);
  loaded.set_aside = counts.clause();
  return loaded;
}

// Rows without a state are claims of names.
void PostgresStore::read_players(StreamId stream, LoadedStream& loaded, SetAsideCounts& counts) {
  const PostgresRows rows = connection_.run(
      "SELECT id, state, last_request_done FROM players "
      "WHERE stream = $1 AND state <> '' ORDER BY id",
      {stream});
  for (int row = 0; row < rows.size(); ++row) {
    const std::string_view state = rows.bytes(row, 1);
    journal::v1::Player player;
    if (!player.ParseFromArray(state.data(), static_cast<int>(state.size())) ||
        player.id() != rows.number(row, 0)) {
      set_player_aside(rows.number(row, 0), "it is damaged");
      ++counts.players;
      continue;
    }
    player.set_last_request_done(rows.number(row, 2));
    *loaded.saved.add_players() = std::move(player);
  }
}

void PostgresStore::read_rooms(StreamId stream, LoadedStream& loaded, SetAsideCounts& counts) {
  const PostgresRows rows = connection_.run(
      "SELECT serial, state FROM rooms WHERE stream = $1 AND state <> '' ORDER BY serial",
      {stream});
  for (int row = 0; row < rows.size(); ++row) {
    const std::uint64_t serial = rows.number(row, 0);
    journal::v1::SavedRoom room;
    if (read_room(serial, rows.bytes(row, 1), room)) {
      *loaded.saved.add_rooms() = std::move(room);
    } else {
      set_room_aside(serial, "it is damaged, or moves of its game are missing");
      ++counts.rooms;
    }
  }
}

bool PostgresStore::read_room(std::uint64_t serial, std::string_view state,
                              journal::v1::SavedRoom& room) {
  auto decoded = decode_room(serial, state);
  if (decoded) *room.mutable_room() = *std::move(decoded);
  const PostgresRows moves = connection_.run(
      "SELECT ply, cell, spent_ms, time_left_ms FROM moves WHERE room = $1 ORDER BY ply", {serial});
  bool is_whole = room.has_room();
  for (int row = 0; row < moves.size(); ++row) {
    journal::v1::Move& move = *room.add_moves();
    move.set_room(serial);
    move.set_ply(static_cast<std::uint32_t>(moves.number(row, 0)));
    move.set_cell(static_cast<std::uint32_t>(moves.number(row, 1)));
    move.set_spent_ms(static_cast<std::uint32_t>(moves.number(row, 2)));
    move.set_time_left_ms(static_cast<std::uint32_t>(moves.number(row, 3)));
    is_whole = is_whole && std::cmp_equal(move.ply(), row + 1);
  }
  const PostgresRows chat =
      connection_.run("SELECT line FROM chat WHERE room = $1 ORDER BY number", {serial});
  for (int row = 0; row < chat.size(); ++row) {
    if (auto line = decode_chat(serial, chat.bytes(row, 0))) *room.add_chat() = *std::move(line);
  }
  return is_whole;
}

// Setting aside -----------------------------------------------------------------------------------

std::optional<Fault> PostgresStore::set_aside(std::span<const RefusedRow> refused) {
  const auto done = guarded_postgres([&] {
    connect();
    connection_.transact("BEGIN", [&] {
      for (const RefusedRow& row : refused) {
        row.kind == RefusedRow::Kind::player ? set_player_aside(row.id, row.reason)
                                             : set_room_aside(row.id, row.reason);
      }
    });
    return true;
  });
  return done ? std::nullopt : std::optional(done.error());
}

void PostgresStore::set_player_aside(std::uint64_t id, const std::string& reason) {
  const PostgresRows row =
      connection_.run("DELETE FROM players WHERE id = $1 RETURNING state", {id});
  if (!row.empty()) put_aside("player", id, reason, row.bytes(0, 0));
}

void PostgresStore::set_room_aside(std::uint64_t serial, const std::string& reason) {
  const PostgresRows row =
      connection_.run("SELECT state, stream FROM rooms WHERE serial = $1", {serial});
  if (!row.empty()) {
    journal::v1::SavedRoom copy;
    read_room(serial, row.bytes(0, 0), copy);
    put_aside("room", serial, reason, copy.SerializeAsString());
    if (!copy.has_room()) put_aside("room state", serial, reason, row.bytes(0, 0));
    // A later room of its name must not repeat its revisions.
    connection_.run(
        "UPDATE streams SET last_revision = greatest(last_revision, $2) WHERE stream = $1",
        {row.number(0, 1), copy.room().revision()});
  }
  delete_room(serial);
}

}  // namespace tictactoe::records
