// Reading the state of a stream. A damaged row is set aside alone, a room with everything in it.
#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "server/records/rows.hpp"
#include "server/records/sqlite/progress.hpp"
#include "server/records/sqlite/statements.hpp"
#include "server/records/sqlite/store.hpp"

namespace tictactoe::records {

struct SqliteStore::Loading {
  StreamId stream = 0;
  journal::v1::Saved saved;
  std::map<std::uint64_t, std::string> broken;  // rooms by serial, with the reason
  SetAsideCounts set_aside;
};

Result<LoadedStream> SqliteStore::load(StreamId stream) {
  auto set_aside = compact_all(*this);
  if (!set_aside) return set_aside.error();
  Loading loading;
  loading.stream = stream;
  const auto done = guarded([&] {
    transact(Sync::synced, [&] {
      read_players(loading);
      read_rooms(loading);
      read_moves(loading);
      read_chat(loading);
      drop_broken_rooms(loading);
      loading.set_aside.bans = read_bans(*this, loading.saved);
      std::uint64_t epoch = 0;
      loading.saved.set_last_revision(read_stream(stream, epoch).last_revision);
    });
    return true;
  });
  if (!done) return done.error();
  add_clause(*set_aside, loading.set_aside.clause());
  return LoadedStream{std::move(loading.saved), *std::move(set_aside)};
}

// Rows --------------------------------------------------------------------------------------------

void SqliteStore::read_players(Loading& loading) {
  std::vector<std::uint64_t> bad;
  SQLite::Statement rows(
      file_, std::string(player_columns) + ", sum FROM players WHERE stream = ? ORDER BY id");
  rows.bind(1, to_sql(loading.stream));
  while (rows.executeStep()) {
    journal::v1::Player player = read_player(rows);
    if (number(rows, 5) == sum_of(player, loading.stream)) {
      *loading.saved.add_players() = std::move(player);
    } else {
      bad.push_back(player.id());
    }
  }
  rows.reset();
  for (const std::uint64_t id : bad) set_player_aside(id, "it is damaged");
  loading.set_aside.players += static_cast<int>(bad.size());
}

void SqliteStore::read_rooms(Loading& loading) {
  SQLite::Statement rows(file_,
                         "SELECT serial, state, sum FROM rooms WHERE stream = ? ORDER BY serial");
  rows.bind(1, to_sql(loading.stream));
  while (rows.executeStep()) {
    const std::uint64_t serial = number(rows, 0);
    auto room = decode_room(serial, bytes(rows, 1));
    if (room && number(rows, 2) == sum_of(serial, loading.stream, bytes(rows, 1))) {
      *loading.saved.add_rooms()->mutable_room() = *std::move(room);
    } else {
      loading.broken.emplace(serial, "it is damaged");
    }
  }
}

namespace {

// Nothing if the row is damaged.
std::optional<journal::v1::Move> read_move(SQLite::Statement& row) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  if (number(row, 1) > most || number(row, 2) > most || number(row, 3) > most) return std::nullopt;
  journal::v1::Move move;
  move.set_room(room_of_key(number(row, 0)));
  move.set_ply(ply_of_key(number(row, 0)));
  move.set_cell(static_cast<std::uint32_t>(number(row, 1)));
  move.set_spent_ms(static_cast<std::uint32_t>(number(row, 2)));
  move.set_time_left_ms(static_cast<std::uint32_t>(number(row, 3)));
  if (number(row, 4) != sum_of(move)) return std::nullopt;
  return move;
}

}  // namespace

void SqliteStore::read_moves(Loading& loading) {
  std::vector<std::uint64_t> strays;
  // Those of this stream, and those of no room at all.
  SQLite::Statement rows(file_,
                         "SELECT room_and_ply, cell, spent_ms, time_left_ms, sum FROM moves "
                         "WHERE (room_and_ply >> 20) NOT IN "
                         "(SELECT serial FROM rooms WHERE stream <> ?) ORDER BY room_and_ply");
  rows.bind(1, to_sql(loading.stream));
  while (rows.executeStep()) {
    const std::uint64_t serial = room_of_key(number(rows, 0));
    if (loading.broken.contains(serial)) continue;
    journal::v1::SavedRoom* room = find_room(loading.saved, serial);
    auto move = read_move(rows);
    if (room == nullptr) {
      strays.push_back(number(rows, 0));
    } else if (!move) {
      loading.broken.emplace(serial, "a move of its game is damaged");
    } else if (std::cmp_not_equal(move->ply(), room->moves_size() + 1)) {
      loading.broken.emplace(serial, "a move of its game is missing");
    } else {
      *room->add_moves() = *std::move(move);
    }
  }
  rows.reset();
  for (const std::uint64_t key : strays) {
    put_aside("move", key, "it belongs to no room", "");
    run_once(file_, "DELETE FROM moves WHERE room_and_ply = ?", key);
  }
  loading.set_aside.moves += static_cast<int>(strays.size());
}

void SqliteStore::read_chat(Loading& loading) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> bad;
  SQLite::Statement rows(file_,
                         "SELECT room, number, line, sum FROM chat WHERE room NOT IN "
                         "(SELECT serial FROM rooms WHERE stream <> ?) ORDER BY room, number");
  rows.bind(1, to_sql(loading.stream));
  while (rows.executeStep()) {
    const std::uint64_t serial = number(rows, 0);
    if (loading.broken.contains(serial)) continue;
    journal::v1::SavedRoom* room = find_room(loading.saved, serial);
    auto line = decode_chat(serial, bytes(rows, 2));
    if (room != nullptr && line &&
        number(rows, 3) == sum_of(serial, number(rows, 1), bytes(rows, 2))) {
      *room->add_chat() = *std::move(line);
    } else {
      bad.emplace_back(serial, number(rows, 1));
    }
  }
  rows.reset();
  for (const auto& [room, line] : bad) {
    put_aside("chat", room, "a line is damaged", "");
    run_once(file_, "DELETE FROM chat WHERE room = ? AND number = ?", room, line);
  }
  loading.set_aside.lines += static_cast<int>(bad.size());
}

void SqliteStore::drop_broken_rooms(Loading& loading) {
  auto& rooms = *loading.saved.mutable_rooms();
  const auto is_broken = [&](const journal::v1::SavedRoom& room) {
    return loading.broken.contains(room.room().serial());
  };
  rooms.erase(std::remove_if(rooms.begin(), rooms.end(), is_broken), rooms.end());
  for (const auto& [serial, reason] : loading.broken) {
    set_room_aside(serial, reason);
    ++loading.set_aside.rooms;
  }
}

// Setting aside -----------------------------------------------------------------------------------

std::optional<Fault> SqliteStore::set_aside(std::span<const RefusedRow> refused) {
  const auto done = guarded([&] {
    transact(Sync::synced, [&] {
      for (const RefusedRow& row : refused) {
        if (row.kind == RefusedRow::Kind::player) {
          set_player_aside(row.id, row.reason);
        } else {
          set_room_aside(row.id, row.reason);
        }
      }
    });
    return true;
  });
  if (!done) return done.error();
  return std::nullopt;
}

void SqliteStore::set_player_aside(std::uint64_t id, const std::string& reason) {
  SQLite::Statement row(file_,
                        "SELECT name, token_hash, last_request_done FROM players WHERE id = ?");
  row.bind(1, to_sql(id));
  if (!row.executeStep()) return;
  // Names and hashes can be any bytes now, so this is no encoded Player.
  put_aside("player", id, reason,
            "name: " + std::string(bytes(row, 0)) + "\ntoken_hash: " + std::string(bytes(row, 1)) +
                "\nlast_request_done: " + std::to_string(number(row, 2)) + "\n");
  row.reset();
  run_once(file_, "DELETE FROM players WHERE id = ?", id);
}

// As a SavedRoom, with the rows that can be read.
journal::v1::SavedRoom SqliteStore::copy_room(std::uint64_t serial) {
  journal::v1::SavedRoom copy;
  SQLite::Statement room(file_, "SELECT state FROM rooms WHERE serial = ?");
  room.bind(1, to_sql(serial));
  if (room.executeStep()) {
    if (auto state = decode_room(serial, bytes(room, 0))) *copy.mutable_room() = *std::move(state);
  }
  SQLite::Statement moves(file_,
                          "SELECT room_and_ply, cell, spent_ms, time_left_ms, sum FROM moves "
                          "WHERE room_and_ply BETWEEN ? AND ? ORDER BY room_and_ply");
  moves.bind(1, to_sql(key_of_move(serial, 0)));
  moves.bind(2, to_sql(key_of_move(serial + 1, 0) - 1));
  while (moves.executeStep()) {
    if (auto move = read_move(moves)) *copy.add_moves() = *std::move(move);
  }
  SQLite::Statement chat(file_, "SELECT line FROM chat WHERE room = ? ORDER BY number");
  chat.bind(1, to_sql(serial));
  while (chat.executeStep()) {
    if (auto line = decode_chat(serial, bytes(chat, 0))) *copy.add_chat() = *std::move(line);
  }
  return copy;
}

void SqliteStore::set_room_aside(std::uint64_t serial, const std::string& reason) {
  SQLite::Statement room(file_, "SELECT state, stream FROM rooms WHERE serial = ?");
  room.bind(1, to_sql(serial));
  if (room.executeStep()) {
    const journal::v1::SavedRoom copy = copy_room(serial);
    put_aside("room", serial, reason, copy.SerializeAsString());
    if (!copy.has_room()) put_aside("room state", serial, reason, bytes(room, 0));
    // A later room of its name must not repeat its revisions.
    std::uint64_t epoch = 0;
    Compaction::Stream state = read_stream(number(room, 1), epoch);
    state.last_revision = std::max(state.last_revision, copy.room().revision());
    put_stream(number(room, 1), epoch, state);
  }
  room.reset();
  run_once(file_, "DELETE FROM rooms WHERE serial = ?", serial);
  run_once(file_, "DELETE FROM moves WHERE room_and_ply BETWEEN ? AND ?", key_of_move(serial, 0),
           key_of_move(serial + 1, 0) - 1);
  run_once(file_, "DELETE FROM chat WHERE room = ?", serial);
}

}  // namespace tictactoe::records
