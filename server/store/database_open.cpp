#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "server/store/rows.hpp"
#include "server/store/statements.hpp"

namespace tictactoe::store {

namespace {

constexpr const char* in_memory = ":memory:";

// How long another process that adds games may hold the journal.
constexpr int longest_busy_ms = 5'000;

// Pages of the write-ahead log after which it is brought into the database (16 MiB): seldom, as
// that takes two more waits for the disk.
constexpr int checkpoint_pages = 4'096;

constexpr off_t smallest_page = 512;  // that a database can have, in bytes

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

}  // namespace tictactoe::store
