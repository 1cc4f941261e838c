#include "server/records/sqlite/store.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <utility>

namespace tictactoe::records {

namespace {

constexpr const char* in_memory = ":memory:";

constexpr off_t min_page = 512;  // of a database, in bytes

Fault unusable() {
  return {Fault::Kind::unusable, std::strerror(errno)};
}

[[noreturn]] void damaged(std::string reason) {
  throw Failure{{Fault::Kind::damaged, std::move(reason)}};
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

Outline outline(Database& database) {
  Outline found;
  database.visit("SELECT type, name, tbl_name, sql FROM sqlite_schema", [&](const SqlRow& row) {
    found[std::string(row.bytes(0)) + ' ' + std::string(row.bytes(1))] =
        std::string(row.bytes(2)) + ' ' + std::string(row.bytes(3));
  });
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

void fill_empty_file(Database& database) {
  database.transact(Database::Transaction::commit, [&] {
    create_tables(database);
    database.run_script("PRAGMA user_version = " + std::to_string(schema_version));
  });
}

// The outline of a database that this has made.
Outline expected_outline() {
  SqliteDatabase fresh(in_memory, SQLITE_OPEN_READWRITE);
  fill_empty_file(fresh);
  return outline(fresh);
}

}  // namespace

// Opening -----------------------------------------------------------------------------------------

SqliteStore::SqliteStore(const std::string& path, Settings settings,
                         std::shared_ptr<SqliteDatabase> file)
    : SqlStore(std::move(settings), file), path_(path), file_(std::move(file)) {}

Result<std::unique_ptr<SqliteStore>> SqliteStore::open(const std::string& path, Settings settings) {
  if (path != in_memory) {
    if (auto fault = prepare_file(path)) return *fault;
  }
  return attempt([&] {
    auto file = std::make_shared<SqliteDatabase>(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    std::unique_ptr<SqliteStore> store(new SqliteStore(path, std::move(settings), std::move(file)));
    store->check();
    store->read_identity();
    return store;
  });
}

void SqliteStore::check() {
  // A file that is damaged or has another version must be left as it is, also by closing it.
  sqlite3_db_config(file_->handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  const bool is_empty = check_content();
  require_writable();
  file_->use_log();
  if (is_empty) fill_empty_file(*file_);
}

bool SqliteStore::check_content() try {
  const std::uint64_t version = file_->number_of("PRAGMA user_version");
  if (version != 0 && version != schema_version) throw Failure{other_version(version)};
  const std::string answer = file_->text_of("PRAGMA quick_check(1)");
  if (answer != "ok") damaged(answer);
  const Outline found = outline(*file_);
  if (version == 0 ? !found.empty() : !has_only_harmless_additions(found, expected_outline())) {
    throw Failure{{Fault::Kind::other_version,
                   "its tables, indexes or triggers are not those of a journal of this version. "
                   "Move the file away, or remove what was added to it"}};
  }
  return version == 0;
} catch (const Failure& failure) {
  // SQLite reports some damaged headers with this generic code.
  if (sqlite3_errcode(file_->handle()) == SQLITE_ERROR) damaged(failure.fault.reason);
  throw;
}

void SqliteStore::require_writable() {
  if (sqlite3_db_readonly(file_->handle(), "main") == 0) return;
  // A damaged header can mark the file as read-only.
  if (::access(path_.c_str(), W_OK) == 0) damaged("its header marks it as read-only");
  throw Failure{unusable()};
}

// Further connections -----------------------------------------------------------------------------

Result<std::unique_ptr<RecordReader>> SqliteStore::open_reader() {
  return attempt([&]() -> std::unique_ptr<RecordReader> {
    if (path_ == in_memory) return std::make_unique<SqlReader>(file_);
    auto file = std::make_shared<SqliteDatabase>(path_, SQLITE_OPEN_READWRITE, file_->failure());
    sqlite3_db_config(file->handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    return std::make_unique<SqlReader>(std::move(file));
  });
}

// The whole file ----------------------------------------------------------------------------------

std::optional<Fault> SqliteStore::finish() {
  return attempt([&] { file_->empty_log(false); });
}

std::optional<Fault> SqliteStore::settle() {
  return attempt([&] { file_->empty_log(true); });
}

std::uint64_t SqliteStore::last_game() {
  return file_->number_of("SELECT seq FROM sqlite_sequence WHERE name = 'games'");
}

void SqliteStore::set_last_game(std::uint64_t id) {
  file_->run("DELETE FROM sqlite_sequence WHERE name = 'games'");
  if (id > 0) file_->run("INSERT INTO sqlite_sequence VALUES('games', ?1)", id);
}

void SqliteStore::rewrite() {
  file_->run_script("VACUUM");
  file_->empty_log(true);
}

void SqliteStore::limit_pages(std::uint32_t pages) {
  file_->run_script("PRAGMA max_page_count = " + std::to_string(pages));
}

}  // namespace tictactoe::records
