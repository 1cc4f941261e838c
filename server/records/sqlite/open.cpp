#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <random>
#include <string>

#include "server/records/game_lists.hpp"
#include "server/records/rows.hpp"
#include "server/records/schema.hpp"
#include "server/records/sqlite/reader.hpp"
#include "server/records/sqlite/store.hpp"

namespace tictactoe::records {

namespace {

constexpr const char* in_memory = ":memory:";

constexpr off_t min_page = 512;  // of a database, in bytes

Fault unusable() {
  return {Fault::Kind::unusable, std::strerror(errno)};
}

// Creates the file if it is missing, syncs its name to the disk, and keeps other users out.
std::optional<Fault> prepare_file(const std::string& path) {
  // An existing file is not opened: closing it would release the locks of other connections of this
  // process.
  struct stat status{};
  if (::stat(path.c_str(), &status) == 0) {
    // SQLite would treat it as an empty database.
    if (status.st_size > 0 && status.st_size < min_page) {
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
    ::fsync(folder);  // not supported by all file systems
    ::close(folder);
  }
  return std::nullopt;
}

// What a database contains, by type and name, with its table and the SQL that created it.
using Outline = std::map<std::string, std::string>;

Outline outline(SQLite::Database& database) {
  Outline found;
  SQLite::Statement rows(database, "SELECT type, name, tbl_name, sql FROM sqlite_schema");
  const auto column = [&](int index) { return rows.getColumn(index).getString(); };
  while (rows.executeStep()) found[column(0) + ' ' + column(1)] = column(2) + ' ' + column(3);
  return found;
}

// The owner may add indexes and tables, such as those of ANALYZE. A trigger could change what is
// written. So could a unique index of a table of ours: INSERT OR REPLACE deletes each row that has
// the same key.
bool has_only_harmless_additions(const Outline& found, const Outline& expected) {
  const auto is_harmful = [&](const Outline::value_type& entry) {
    if (entry.first.starts_with("trigger ")) return true;
    const std::size_t end = entry.second.find(' ');
    return entry.second.substr(end + 1).starts_with("CREATE UNIQUE ") &&
           expected.contains("table " + entry.second.substr(0, end));
  };
  return std::ranges::includes(found, expected) && std::ranges::none_of(found, is_harmful);
}

void create_tables(SQLite::Database& database) {
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  database.exec(std::string(sqlite_schema));
  for (const std::string& index : create_game_indexes()) database.exec(index);
  database.exec("PRAGMA user_version = " + std::to_string(schema_version));
  transaction.commit();
}

// The outline of a database that create_tables() has made.
Outline expected_outline() {
  SQLite::Database fresh(in_memory, SQLite::OPEN_READWRITE);
  create_tables(fresh);
  return outline(fresh);
}

// Replaces SQLite's own checkpoints.
int note_log(void* log, sqlite3* /*file*/, const char* /*name*/, int pages) {
  static_cast<SqliteLog*>(log)->has(pages);
  return SQLITE_OK;
}

}  // namespace

// Opening -----------------------------------------------------------------------------------------

SqliteStore::SqliteStore(const std::string& path, Settings settings)
    : SqlStore(std::move(settings)),
      path_(path),
      file_(std::make_shared<SqliteConnection>(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)),
      log_(std::make_shared<SqliteLog>(path == in_memory ? "" : path)) {}

Result<std::unique_ptr<SqliteStore>> SqliteStore::open(const std::string& path, Settings settings) {
  // Otherwise SQLite counts the memory of all connections under a lock.
  [[maybe_unused]] static const int first = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  if (path != in_memory) {
    if (auto fault = prepare_file(path)) return *fault;
  }
  return guarded([&] {
    std::unique_ptr<SqliteStore> store(new SqliteStore(path, std::move(settings)));
    store->check();
    store->read_identity();
    return store;
  });
}

void SqliteStore::check() {
  // A file that is damaged or has another version must be left as it is, also by closing it.
  sqlite3_db_config(file_->handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  const bool is_empty = has_no_tables();
  require_writable();
  SQLite::Database& file = file_->database();
  if (log_->has_failed_before()) move_all();
  file.exec("PRAGMA journal_mode = WAL");
  file.exec("PRAGMA synchronous = FULL");
  file.exec("PRAGMA secure_delete = OFF");
  sqlite3_wal_hook(file_->handle(), note_log, log_.get());
  if (is_empty) create_tables(file);
}

// SQLite closes the log only if no other connection uses it, and has moved all its pages by then.
void SqliteStore::move_all() try {
  file_->database().exec("PRAGMA journal_mode = DELETE");
  log_->forget_failure();
} catch (const SQLite::Exception& error) {
  if (error.getErrorCode() != SQLITE_BUSY) throw;
  throw Failure{{Fault::Kind::unusable,
                 "a sync failed, and another program, such as a backup, still reads the file"}};
}

void SqliteStore::read_identity() {
  std::uint64_t id = 0;
  bool is_sound = false;
  file_->visit("SELECT server_id, sum FROM identity", [&](const SqliteRow& row) {
    id = row.number(0);
    is_sound = row.number(1) == sum_of(id);
    return false;
  });
  if (!is_sound) {
    std::random_device random;
    id = std::uint64_t{random()} << 32U | random();
    transact(Transaction::commit, [&] { put_identity(id, 0); });
  }
  set_identity(id, file_->number_of("SELECT sum(length(records)) FROM uncompacted"));
}

Result<std::unique_ptr<RecordReader>> SqliteStore::open_reader() {
  return guarded([&]() -> std::unique_ptr<RecordReader> {
    if (path_ == in_memory) return std::make_unique<SqliteReader>(file_, log_);
    auto file = std::make_shared<SqliteConnection>(path_, SQLite::OPEN_READWRITE);
    sqlite3_db_config(file->handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    file->database().exec("PRAGMA synchronous = NORMAL");
    sqlite3_wal_hook(file->handle(), note_log, log_.get());
    // Until the first read SQLite does not know that the file has a log, and moves nothing.
    file->database().execAndGet("PRAGMA schema_version");
    return std::make_unique<SqliteReader>(std::move(file), log_);
  });
}

bool SqliteStore::has_no_tables() try {
  const int version = file_->database().execAndGet("PRAGMA user_version").getInt();
  if (version != 0 && version != schema_version) {
    throw Failure{other_version(static_cast<std::uint32_t>(version))};
  }
  const std::string answer = file_->database().execAndGet("PRAGMA quick_check(1)").getString();
  if (answer != "ok") damaged(answer);
  const Outline found = outline(file_->database());
  if (version == 0 ? !found.empty() : !has_only_harmless_additions(found, expected_outline())) {
    damaged("it has other tables");
  }
  return version == 0;
} catch (const SQLite::Exception& error) {
  // SQLite reports some damaged headers with this generic code.
  if (error.getErrorCode() == SQLITE_ERROR) damaged(error.what());
  throw;
}

void SqliteStore::require_writable() {
  if (sqlite3_db_readonly(file_->handle(), "main") == 0) return;
  // A damaged header can mark the file as read-only.
  if (::access(path_.c_str(), W_OK) == 0) damaged("its header marks it as read-only");
  throw Failure{unusable()};
}

}  // namespace tictactoe::records
