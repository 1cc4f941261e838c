#include "server/store/database.hpp"

#include <boost/assert.hpp>
#include <chrono>
#include <limits>
#include <utility>

#include "server/store/rows.hpp"
#include "server/store/statements.hpp"

namespace tictactoe::store {

namespace {

// A blob of a game, with its checksum in the next column.
std::string part_of_game(SQLite::Statement& row, int column) {
  const std::string part(bytes(row, column));
  if (number(row, column + 1) != Sum().add(part).value())
    damaged("a game is not as it was written");
  return part;
}

v1::GameRecord game_of(std::uint64_t id, const std::string& encoded) {
  auto game = decode_game(id, encoded);
  if (!game) damaged("a game is not as it was written");
  return *std::move(game);
}

}  // namespace

// Writing -----------------------------------------------------------------------------------------

template <typename Work>
std::optional<Fault> Database::in_transaction(Work work) {
  try {
    run(statements_->begin);
    work();
    run(statements_->commit);
    return std::nullopt;
  } catch (const SQLite::Exception& error) {
    Fault fault = fault_of(error);
    // A full disk may have ended the transaction already.
    if (sqlite3_get_autocommit(file_.getHandle()) == 0) {
      statements_->rollback.tryExecuteStep();
      statements_->rollback.tryReset();
    }
    return fault;
  }
}

std::optional<Fault> Database::apply(const Batch& batch) {
  return in_transaction([&] {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const std::string_view encoded = batch[i];
      const bool well_formed =
          record_.ParseFromArray(encoded.data(), static_cast<int>(encoded.size()));
      BOOST_VERIFY_MSG(well_formed, "records are made by this program");
      write(record_);
    }
  });
}

void Database::write(const journal::v1::Record& record) {
  Statements& to = *statements_;
  switch (record.record_case()) {
    case journal::v1::Record::kPlayer: {
      const journal::v1::Player& player = record.player();
      to.put_player.bind(1, to_sql(player.id()));
      to.put_player.bindNoCopy(2, player.name());
      bind_blob(to.put_player, 3, player.token_hash());
      to.put_player.bind(4, sum_of(player));
      return run(to.put_player);
    }
    case journal::v1::Record::kPlayerForgotten:
      to.forget_player.bind(1, to_sql(record.player_forgotten()));
      return run(to.forget_player);
    case journal::v1::Record::kRoom: {
      const std::uint64_t serial = record.room().serial();
      BOOST_ASSERT_MSG(serial <= last_serial, "serials count up from 1");
      record.room().SerializeToString(&bytes_);
      to.put_room.bind(1, to_sql(serial));
      bind_blob(to.put_room, 2, bytes_);
      to.put_room.bind(3, sum_of(serial, 0, bytes_));
      return run(to.put_room);
    }
    case journal::v1::Record::kRoomClosed: {
      to.close_room.bind(1, to_sql(record.room_closed()));
      run(to.close_room);
      undo_moves(record.room_closed(), 0);
      to.forget_lines.bind(1, to_sql(record.room_closed()));
      to.forget_lines.bind(2, std::numeric_limits<std::int64_t>::max());
      return run(to.forget_lines);
    }
    case journal::v1::Record::kMove: {
      const journal::v1::Move& move = record.move();
      to.add_move.bind(1, to_sql(key_of_move(move.room(), move.ply())));
      to.add_move.bind(2, move.cell());
      to.add_move.bind(3, move.spent_ms());
      to.add_move.bind(4, move.time_left_ms());
      to.add_move.bind(5, sum_of(move));
      return run(to.add_move);
    }
    case journal::v1::Record::kMovesUndone:
      return undo_moves(record.moves_undone().room(), record.moves_undone().ply());
    case journal::v1::Record::kChat:
      return write(record.chat());
    case journal::v1::Record::kGameFinished: {
      const std::uint64_t now = settings_.unix_ms();
      v1::GameRecord game = record.game_finished();
      game.set_ended_unix_ms(now);
      return write(game, now);
    }
    case journal::v1::Record::RECORD_NOT_SET:
      BOOST_ASSERT_MSG(false, "records are made by this program");
  }
}

void Database::undo_moves(std::uint64_t room, std::uint32_t left) {
  SQLite::Statement& undo = statements_->undo_moves;
  undo.bind(1, to_sql(key_of_move(room, left) + 1));
  undo.bind(2, to_sql(key_of_move(room + 1, 0) - 1));
  run(undo);
}

std::int64_t Database::last_line(std::int64_t room) {
  SQLite::Statement& query = statements_->last_line;
  query.bind(1, room);
  const std::int64_t last = query.executeStep() ? query.getColumn(0).getInt64() : 0;
  query.reset();
  return last;
}

void Database::write(const journal::v1::Chat& line) {
  Statements& to = *statements_;
  const std::int64_t room = to_sql(line.room());
  const std::int64_t next = last_line(room) + 1;
  line.SerializeToString(&bytes_);
  to.add_line.bind(1, room);
  to.add_line.bind(2, next);
  bind_blob(to.add_line, 3, bytes_);
  to.add_line.bind(4, sum_of(line.room(), static_cast<std::uint64_t>(next), bytes_));
  run(to.add_line);
  to.forget_lines.bind(1, room);
  to.forget_lines.bind(2, next - settings_.kept_chat);
  run(to.forget_lines);
}

// Games -------------------------------------------------------------------------------------------

void Database::write(const v1::GameRecord& game, std::uint64_t kept_unix_ms) {
  Statements& to = *statements_;
  const auto bind_name = [&](int parameter, const v1::Occupant& occupant) {
    if (occupant.kind() == v1::Occupant::KIND_PERSON) {
      to.add_game.bindNoCopy(parameter, occupant.name());
    } else {
      to.add_game.bind(parameter);
    }
  };
  const SplitGame parts = split(game);
  to.add_game.bind(1, to_sql(kept_unix_ms));
  bind_name(2, game.x());
  bind_name(3, game.o());
  bind_blob(to.add_game, 4, parts.head);
  to.add_game.bind(5, Sum().add(parts.head).value());
  bind_blob(to.add_game, 6, parts.moves);
  to.add_game.bind(7, Sum().add(parts.moves).value());
  run(to.add_game);
}

std::optional<Fault> Database::add_games(std::span<const v1::GameRecord> games) {
  return in_transaction([&] {
    const std::uint64_t now = settings_.unix_ms();
    for (const v1::GameRecord& game : games) write(game, now);
  });
}

Result<v1::GameList> Database::list_games(std::uint64_t before, const std::string& player,
                                          std::size_t limit) {
  return guarded([&] {
    SQLite::Statement rows(
        file_, player.empty()
                   ? "SELECT id, head, head_sum FROM games WHERE id < ?1 ORDER BY id DESC LIMIT ?2"
                   : "SELECT id, head, head_sum FROM games WHERE id IN ("
                     "SELECT * FROM (SELECT id FROM games WHERE x_name = ?3 AND id < ?1 "
                     "ORDER BY id DESC LIMIT ?2) UNION "
                     "SELECT * FROM (SELECT id FROM games WHERE o_name = ?3 AND id < ?1 "
                     "ORDER BY id DESC LIMIT ?2)) ORDER BY id DESC LIMIT ?2");
    const auto top = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    rows.bind(1, to_sql(before == 0 || before > top ? top : before));
    rows.bind(2, static_cast<std::int64_t>(limit) + 1);
    if (!player.empty()) rows.bind(3, player);
    v1::GameList list;
    while (rows.executeStep()) {
      if (std::cmp_equal(list.games_size(), limit)) {
        list.set_more(true);
        break;
      }
      *list.add_games() = game_of(number(rows, 0), part_of_game(rows, 1));
    }
    return list;
  });
}

Result<std::optional<v1::GameRecord>> Database::game(std::uint64_t id) {
  return guarded([&]() -> std::optional<v1::GameRecord> {
    SQLite::Statement row(file_, "SELECT head, head_sum, moves, moves_sum FROM games WHERE id = ?");
    row.bind(1, to_sql(id));
    if (!row.executeStep()) return std::nullopt;
    return game_of(id, part_of_game(row, 0) + part_of_game(row, 2));
  });
}

Result<std::size_t> Database::forget_games_before(std::uint64_t unix_ms, std::size_t limit) {
  std::size_t forgotten = 0;
  const auto fault = in_transaction([&] {
    // Ids and times grow together, so this reads no further than what it forgets.
    SQLite::Statement games(
        file_,
        "DELETE FROM games WHERE id IN (SELECT id FROM (SELECT id, kept_unix_ms FROM games "
        "ORDER BY id LIMIT ?2) WHERE kept_unix_ms < ?1)");
    games.bind(1, to_sql(unix_ms));
    games.bind(2, static_cast<std::int64_t>(limit));
    forgotten = static_cast<std::size_t>(games.exec());
  });
  if (fault) return *fault;
  return forgotten;
}

// Upkeep ------------------------------------------------------------------------------------------

std::optional<Fault> Database::checkpoint() {
  const auto done = guarded([&] { return file_.exec("PRAGMA wal_checkpoint(TRUNCATE)"); });
  if (!done) return done.error();
  return std::nullopt;
}

void Database::limit_pages(std::uint32_t pages) {
  file_.exec("PRAGMA max_page_count = " + std::to_string(pages));
}

std::uint64_t Database::system_unix_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

}  // namespace tictactoe::store
