#include "server/store/database.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/assert.hpp>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <limits>
#include <utility>

#include "server/store/rows.hpp"

namespace tictactoe::store {

namespace {

constexpr const char* in_memory = ":memory:";

// How long another process that adds games may hold the journal.
constexpr int longest_busy_ms = 5'000;

// Pages of the write-ahead log after which it is brought into the database (16 MiB): seldom, as
// that takes two more waits for the disk.
constexpr int checkpoint_pages = 4'096;

constexpr off_t smallest_page = 512;  // that a database can have, in bytes

// Thrown and caught within this file.
struct Refusal {
  Fault fault;
};

[[noreturn]] void damaged(std::string reason) {
  throw Refusal{{Fault::Kind::damaged, std::move(reason)}};
}

Fault fault_of(const SQLite::Exception& error) {
  const int code = error.getErrorCode();
  const bool is_damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
  return {is_damaged ? Fault::Kind::damaged : Fault::Kind::unusable, error.what()};
}

// Runs `work`, and turns what it throws into a fault.
template <typename Work>
auto guarded(Work work) -> Result<decltype(work())> {
  try {
    return work();
  } catch (const SQLite::Exception& error) {
    return fault_of(error);
  } catch (const Refusal& refusal) {
    return refusal.fault;
  }
}

// SQLite's integers are signed; all of ours come back as they were.
std::int64_t to_sql(std::uint64_t number) {
  return static_cast<std::int64_t>(number);
}

std::uint64_t number(SQLite::Statement& row, int column) {
  return static_cast<std::uint64_t>(row.getColumn(column).getInt64());
}

std::uint32_t small_number(SQLite::Statement& row, int column) {
  const std::uint64_t wide = number(row, column);
  if (wide > std::numeric_limits<std::uint32_t>::max()) damaged("a number is too large");
  return static_cast<std::uint32_t>(wide);
}

// Valid until the statement goes on.
std::string_view bytes(SQLite::Statement& row, int column) {
  const SQLite::Column value = row.getColumn(column);
  const void* data = value.getBlob();
  return {static_cast<const char*>(data), static_cast<std::size_t>(value.getBytes())};
}

void bind_blob(SQLite::Statement& statement, int parameter, const std::string& blob) {
  // An empty string must not be bound as a null pointer, which is NULL.
  statement.bindNoCopy(parameter, static_cast<const void*>(blob.data()),
                       static_cast<int>(blob.size()));
}

void run(SQLite::Statement& statement) {
  try {
    statement.exec();
  } catch (...) {
    statement.tryReset();  // or it would hold the journal
    throw;
  }
  statement.reset();
}

Fault unusable() {
  return {Fault::Kind::unusable, std::strerror(errno)};
}

// Makes the file where it is not there, with its name safe on the disk, and keeps others out.
std::optional<Fault> prepare_file(const std::string& path) {
  // A file that is there is not opened: closing it would end the locks that another connection of
  // this process has on it.
  struct stat status{};
  if (::stat(path.c_str(), &status) == 0) {
    // Which SQLite would take for one that has nothing in it yet.
    if (status.st_size > 0 && status.st_size < smallest_page) {
      return Fault{Fault::Kind::damaged, "file is not a database"};
    }
    if ((status.st_mode & 0077) != 0 && ::chmod(path.c_str(), 0600) != 0) return unusable();
    return std::nullopt;
  }
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return unusable();
  ::close(file);
  const std::string parent = std::filesystem::absolute(path).parent_path().string();
  const int folder = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    ::fsync(folder);  // some file systems have no such thing
    ::close(folder);
  }
  return std::nullopt;
}

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

// The tables and indexes of a database, as it was told to make them.
std::string outline(SQLite::Database& database) {
  std::string text;
  SQLite::Statement rows(database,
                         "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY 1, 2");
  while (rows.executeStep()) {
    for (int column = 0; column < 4; ++column) text += rows.getColumn(column).getString() + '\n';
  }
  return text;
}

void advance(SQLite::Database& database, Migrations migrations, std::size_t version) {
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  database.exec(std::string(migrations[version]));
  database.exec("PRAGMA user_version = " + std::to_string(version + 1));
  transaction.commit();
}

}  // namespace

// The statements of the writer, prepared once.
struct Database::Statements {
  explicit Statements(SQLite::Database& file)
      : put_player(file, "INSERT OR REPLACE INTO players VALUES(?, ?, ?, ?)"),
        forget_player(file, "DELETE FROM players WHERE id = ?"),
        put_room(file, "INSERT OR REPLACE INTO rooms VALUES(?, ?, ?)"),
        close_room(file, "DELETE FROM rooms WHERE serial = ?"),
        add_move(file, "INSERT INTO moves VALUES(?, ?, ?, ?, ?)"),
        undo_moves(file, "DELETE FROM moves WHERE room_and_ply BETWEEN ? AND ?"),
        last_line(file, "SELECT coalesce(max(number), 0) FROM chat WHERE room = ?"),
        add_line(file, "INSERT INTO chat VALUES(?, ?, ?, ?)"),
        forget_lines(file, "DELETE FROM chat WHERE room = ? AND number <= ?"),
        add_game(
            file,
            "INSERT INTO games(kept_unix_ms, x_name, o_name, head, head_sum, moves, moves_sum) "
            "VALUES(?, ?, ?, ?, ?, ?, ?)"),
        begin(file, "BEGIN IMMEDIATE"),
        commit(file, "COMMIT"),
        rollback(file, "ROLLBACK") {}

  SQLite::Statement put_player, forget_player, put_room, close_room, add_move, undo_moves,
      last_line, add_line, forget_lines, add_game, begin, commit, rollback;
};

// Opening -----------------------------------------------------------------------------------------

Database::Database(const std::string& path, Settings settings)
    : settings_(std::move(settings)),
      file_(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_NOMUTEX,
            longest_busy_ms) {}

Database::~Database() = default;

Result<std::unique_ptr<Database>> Database::open(const std::string& path, Settings settings) {
  if (path != in_memory) {
    if (auto fault = prepare_file(path)) return *fault;
  }
  return guarded([&] {
    std::unique_ptr<Database> database(new Database(path, std::move(settings)));
    database->check(path);
    database->statements_ = std::make_unique<Statements>(database->file_);
    return database;
  });
}

void Database::check(const std::string& path) {
  // A file that turns out to be damaged or too new must be left as it is, also by closing it.
  sqlite3_db_config(file_.getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  const std::size_t version = judge();
  require_writable(path);
  file_.exec("PRAGMA journal_mode = WAL");
  file_.exec("PRAGMA synchronous = FULL");
  file_.exec("PRAGMA secure_delete = OFF");
  file_.exec("PRAGMA wal_autocheckpoint = " + std::to_string(checkpoint_pages));
  migrate(version);
}

std::size_t Database::judge() try {
  const int version = file_.execAndGet("PRAGMA user_version").getInt();
  const Migrations known = settings_.migrations;
  if (version < 0) damaged("its version makes no sense");
  if (std::cmp_greater(version, known.size())) {
    throw Refusal{{Fault::Kind::newer, "it has schema version " + std::to_string(version) +
                                           ", and this program knows none after " +
                                           std::to_string(known.size())}};
  }
  const std::string answer = file_.execAndGet("PRAGMA quick_check(1)").getString();
  if (answer != "ok") damaged(answer);
  const auto seen = static_cast<std::size_t>(version);
  if (!looks_as_written(seen)) damaged("it has other tables");
  return seen;
} catch (const SQLite::Exception& error) {
  // What SQLite says of a header that it has no better word for.
  if (error.getErrorCode() == SQLITE_ERROR) damaged(error.what());
  throw;
}

void Database::require_writable(const std::string& path) {
  if (sqlite3_db_readonly(file_.getHandle(), "main") == 0) return;
  // Its header can say that it is only to be read, which ours never does.
  if (::access(path.c_str(), W_OK) == 0) damaged("it says that it must not be written");
  throw Refusal{unusable()};
}

bool Database::looks_as_written(std::size_t version) {
  SQLite::Database fresh(in_memory, SQLite::OPEN_READWRITE);
  for (std::size_t done = 0; done < version; ++done) advance(fresh, settings_.migrations, done);
  return outline(fresh) == outline(file_);
}

void Database::migrate(std::size_t version) {
  for (; version < settings_.migrations.size(); ++version) {
    advance(file_, settings_.migrations, version);
  }
}

// Reading what was saved --------------------------------------------------------------------------

Result<journal::v1::Saved> Database::load() {
  return guarded([&] { return read_all(); });
}

journal::v1::Saved Database::read_all() {
  // One moment of the journal, though another process may add to it.
  SQLite::Transaction moment(file_);
  journal::v1::Saved saved;
  const auto require = [](bool fine, const char* what) {
    if (!fine) damaged(std::string(what) + " is not as it was written");
  };

  SQLite::Statement players(file_, "SELECT * FROM players ORDER BY id");
  while (players.executeStep()) {
    journal::v1::Player& player = *saved.add_players();
    player.set_id(number(players, 0));
    player.set_name(std::string(bytes(players, 1)));
    player.set_token_hash(std::string(bytes(players, 2)));
    require(number(players, 3) == sum_of(player), "a player");
  }

  SQLite::Statement rooms(file_, "SELECT * FROM rooms ORDER BY serial");
  while (rooms.executeStep()) {
    const std::uint64_t serial = number(rooms, 0);
    auto room = decode_room(serial, bytes(rooms, 1));
    require(room && number(rooms, 2) == sum_of(serial, 0, bytes(rooms, 1)), "a room");
    *saved.add_rooms()->mutable_room() = *std::move(room);
  }

  SQLite::Statement moves(file_, "SELECT * FROM moves ORDER BY room_and_ply");
  while (moves.executeStep()) {
    journal::v1::Move move;
    move.set_room(room_of_key(number(moves, 0)));
    move.set_ply(ply_of_key(number(moves, 0)));
    move.set_cell(small_number(moves, 1));
    move.set_spent_ms(small_number(moves, 2));
    move.set_time_left_ms(small_number(moves, 3));
    require(number(moves, 4) == sum_of(move), "a move");
    require(place(saved, std::move(move)), "a game");
  }

  SQLite::Statement chat(file_, "SELECT * FROM chat ORDER BY room, number");
  while (chat.executeStep()) {
    const std::uint64_t room = number(chat, 0);
    auto line = decode_chat(room, bytes(chat, 2));
    require(line && number(chat, 3) == sum_of(room, number(chat, 1), bytes(chat, 2)), "a chat");
    require(place(saved, *std::move(line)), "a chat");
  }
  return saved;
}

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
