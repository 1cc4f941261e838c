// Copying a whole store from and to SQLite.
#include <utility>

#include "server/records/sqlite/statements.hpp"
#include "server/records/sqlite/store.hpp"

namespace tictactoe::records {

namespace {

void bind_name(SQLite::Statement& put, int parameter, const v1::Occupant& occupant) {
  if (occupant.kind() == v1::Occupant::KIND_PERSON) {
    put.bind(parameter, occupant.name());
  } else {
    put.bind(parameter);
  }
}

void bind_reader(SQLite::Statement& put, int parameter, std::uint64_t reader) {
  reader == 0 ? put.bind(parameter) : put.bind(parameter, to_sql(reader));
}

}  // namespace

// Reading -----------------------------------------------------------------------------------------

Result<StoreState> SqliteStore::state() {
  auto loaded = load(local_stream);
  if (!loaded) return loaded.error();
  return guarded([&] {
    StoreState state{server_id_, 0, std::move(loaded->saved), std::move(loaded->set_aside)};
    SQLite::Statement last(file_, "SELECT seq FROM sqlite_sequence WHERE name = 'games'");
    if (last.executeStep()) state.last_game = number(last, 0);
    return state;
  });
}

Result<std::vector<StoredGame>> SqliteStore::games_after(std::uint64_t id) {
  return guarded([&] {
    std::vector<StoredGame> games;
    SQLite::Statement row(file_,
                          "SELECT id, kept_unix_ms, is_private, x_reader, o_reader, head, "
                          "head_sum, moves, moves_sum FROM games WHERE id > ? ORDER BY id");
    row.bind(1, to_sql(id));
    while (games.size() < rows_of_page && row.executeStep()) {
      StoredGame game{number(row, 0), number(row, 1), std::nullopt, {}};
      if (number(row, 2) != 0) {
        game.readers.emplace().set_x(number(row, 3));
        game.readers->set_o(number(row, 4));
      }
      game.parts = {std::string(bytes(row, 5)), std::string(bytes(row, 7))};
      if (number(row, 6) == sum_of_head(game.parts.head, game.readers) &&
          number(row, 8) == Sum().add(game.parts.moves).value()) {
        games.push_back(std::move(game));
      } else {
        ++damaged_games_;
      }
    }
    return games;
  });
}

Result<std::vector<AsideRow>> SqliteStore::asides_after(std::uint64_t id) {
  return guarded([&] {
    std::vector<AsideRow> rows;
    SQLite::Statement row(file_,
                          "SELECT id, unix_ms, kind, key, reason, content FROM set_aside "
                          "WHERE id > ? ORDER BY id LIMIT ?");
    row.bind(1, to_sql(id));
    row.bind(2, to_sql(rows_of_page));
    while (row.executeStep()) {
      rows.push_back({number(row, 0), number(row, 1), std::string(bytes(row, 2)), number(row, 3),
                      std::string(bytes(row, 4)), std::string(bytes(row, 5))});
    }
    return rows;
  });
}

Result<bool> SqliteStore::is_empty() {
  return guarded([&] {
    for (const char* table : {"players", "rooms", "games", "uncompacted", "bans", "set_aside"}) {
      SQLite::Statement any(file_, std::string("SELECT 1 FROM ") + table + " LIMIT 1");
      if (any.executeStep()) return false;
    }
    return true;
  });
}

// Writing -----------------------------------------------------------------------------------------

std::optional<Fault> SqliteStore::fill(StoreContent& content) {
  const auto done = guarded([&] {
    transact(Sync::synced, [&] {
      std::uint64_t last_game = 0;
      const auto fault = read_all(content, {[&](const StoreState& state) {
                                              fill_state(state);
                                              last_game = state.last_game;
                                            },
                                            [&](const auto& games) {
                                              for (const StoredGame& game : games) fill_game(game);
                                            },
                                            [&](const AsideRow& row) { fill_aside(row); }});
      if (fault) throw Refusal{*fault};
      file_.exec("DELETE FROM sqlite_sequence WHERE name = 'games'");
      run_once(file_, "INSERT INTO sqlite_sequence VALUES('games', ?)", last_game);
    });
    return true;
  });
  return done ? std::nullopt : std::optional(done.error());
}

void SqliteStore::fill_state(const StoreState& state) {
  server_id_ = state.server_id;
  file_.exec("DELETE FROM identity");
  run_once(file_, "INSERT INTO identity VALUES(?, ?)", server_id_,
           std::uint64_t{Sum().add(server_id_).value()});
  std::uint64_t epoch = 0;
  Compaction::Stream stream = read_stream(local_stream, epoch);
  stream.last_revision = state.saved.last_revision();
  put_stream(local_stream, epoch, stream);
  for (const journal::v1::Player& player : state.saved.players()) {
    write_player(player.id(), {local_stream, player, false, 0});
  }
  for (const journal::v1::SavedRoom& saved : state.saved.rooms()) fill_room(saved);
  for (const journal::v1::Ban& ban : state.saved.bans()) {
    write_ban(ban.subject().SerializeAsString(), ban);
  }
}

void SqliteStore::fill_room(const journal::v1::SavedRoom& saved) {
  Statements& to = *statements_;
  const std::uint64_t serial = saved.room().serial();
  saved.room().SerializeToString(&bytes_);
  to.put_room.bind(1, to_sql(serial));
  bind_blob(to.put_room, 2, bytes_);
  to.put_room.bind(3, sum_of(serial, local_stream, bytes_));
  to.put_room.bind(4, to_sql(local_stream));
  run(to.put_room);
  for (const journal::v1::Move& move : saved.moves()) write(move);
  for (const journal::v1::Chat& line : saved.chat()) write(line);
}

void SqliteStore::fill_game(const StoredGame& game) {
  SQLite::Statement put(
      file_,
      "INSERT INTO games(id, kept_unix_ms, x_name, o_name, head, head_sum, moves, moves_sum, "
      "is_private, x_reader, o_reader) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const auto head = decode_game(game.id, game.parts.head);
  put.bind(1, to_sql(game.id));
  put.bind(2, to_sql(game.unix_ms));
  bind_name(put, 3, head ? head->x() : v1::Occupant());
  bind_name(put, 4, head ? head->o() : v1::Occupant());
  bind_blob(put, 5, game.parts.head);
  put.bind(6, sum_of_head(game.parts.head, game.readers));
  bind_blob(put, 7, game.parts.moves);
  put.bind(8, Sum().add(game.parts.moves).value());
  put.bind(9, game.readers ? 1 : 0);
  bind_reader(put, 10, game.readers ? game.readers->x() : 0);
  bind_reader(put, 11, game.readers ? game.readers->o() : 0);
  put.exec();
}

void SqliteStore::fill_aside(const AsideRow& row) {
  SQLite::Statement put(file_,
                        "INSERT INTO set_aside(unix_ms, kind, key, reason, content) "
                        "VALUES(?, ?, ?, ?, ?)");
  put.bind(1, to_sql(row.unix_ms));
  put.bind(2, row.kind);
  put.bind(3, to_sql(row.key));
  put.bind(4, row.reason);
  bind_blob(put, 5, row.content);
  put.exec();
}

}  // namespace tictactoe::records
