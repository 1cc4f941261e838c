#include "server/store/backup.hpp"

#include <SQLiteCpp/Backup.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <system_error>

#include "server/store/folder.hpp"
#include "server/store/sqlite_statements.hpp"
#include "server/store/sqlite_store.hpp"

namespace tictactoe::store {

namespace {

constexpr int longest_busy_ms = 5'000;

void copy(const std::string& from, const std::string& file, int access) {
  SQLite::Database source(from, access | SQLite::OPEN_NOMUTEX, longest_busy_ms);
  sqlite3_db_config(source.getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  SQLite::Database target(file, SQLite::OPEN_READWRITE | SQLite::OPEN_NOMUTEX);
  // All at once: a backup in steps begins again whenever another process writes. In a write-ahead
  // log, who reads keeps nobody from writing.
  const int result = SQLite::Backup(target, source).executeStep(-1);
  if (result != SQLITE_DONE) throw SQLite::Exception(sqlite3_errstr(result), result);
}

void check(const std::string& file) {
  SQLite::Database copied(file, SQLite::OPEN_READWRITE | SQLite::OPEN_NOMUTEX);
  // So that the backup is one file. A server turns the log on again.
  copied.exec("PRAGMA journal_mode = DELETE");
  const std::string answer = copied.execAndGet("PRAGMA integrity_check(1)").getString();
  if (answer != "ok") damaged(answer);
}

void sync_name(const std::filesystem::path& file) {
  const std::string parent = std::filesystem::absolute(file).parent_path().string();
  const int folder = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  ::fsync(folder);  // some file systems have no such thing
  ::close(folder);
}

// Only for this user.
std::optional<Fault> create(const std::filesystem::path& file) {
  const int created = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (created < 0) {
    return Fault{Fault::Kind::unusable,
                 "Can't create " + file.string() + ": " + std::strerror(errno) + "."};
  }
  ::close(created);
  return std::nullopt;
}

void remove_database(const std::string& file) {
  std::error_code gone;
  for (const char* suffix : {"", "-journal", "-wal", "-shm"}) {
    std::filesystem::remove(file + suffix, gone);
  }
}

// Reads the players and rooms of a copy as the start of a server does.
Result<Restored> read_all(const std::string& file) {
  const auto store = SqliteStore::open(file);
  if (!store) return store.error();
  const auto loaded = (*store)->load(local_stream);
  if (!loaded) return loaded.error();
  if (!loaded->set_aside.empty()) {
    return Fault{Fault::Kind::damaged, "damaged are " + loaded->set_aside};
  }
  return Restored{loaded->saved.players_size(), loaded->saved.rooms_size()};
}

}  // namespace

Result<std::uint64_t> back_up(const std::filesystem::path& folder,
                              const std::filesystem::path& file) {
  const std::string journal = Folder::journal_in(folder);
  std::error_code error;
  if (!std::filesystem::exists(journal, error)) {
    return Fault{Fault::Kind::unusable, "There is no journal in " + folder.string() + "."};
  }
  if (auto fault = create(file)) return *fault;
  const auto done = guarded([&] {
    copy(journal, file.string(), SQLite::OPEN_READWRITE);
    check(file.string());
    return true;
  });
  if (!done) {
    remove_database(file.string());
    return Fault{done.error().kind, "Can't back up " + journal + ": " + done.error().reason + "."};
  }
  sync_name(file);
  return std::uint64_t{std::filesystem::file_size(file, error)};
}

Result<Restored> restore(const std::filesystem::path& file, const std::filesystem::path& folder) {
  const auto claimed = Folder::claim(folder);
  if (!claimed) return claimed.error();
  std::error_code error;
  if (std::filesystem::exists(claimed->journal(), error) || claimed->has_only_a_log()) {
    return Fault{Fault::Kind::unusable, "There is a journal in " + folder.string() +
                                            " already. Move journal.db and journal.db-wal away."};
  }
  // Not the journal yet, in case this is interrupted.
  const std::string copied = claimed->journal() + ".restoring";
  remove_database(copied);
  if (auto fault = create(copied)) return *fault;
  auto restored = guarded([&]() -> Restored {
    copy(file.string(), copied, SQLite::OPEN_READONLY);
    check(copied);
    const auto read = read_all(copied);
    if (!read) throw Refusal{read.error()};
    check(copied);  // what reading has changed, as from an older version, is in the file now
    return *read;
  });
  if (!restored) {
    remove_database(copied);
    return Fault{restored.error().kind,
                 "Can't restore " + file.string() + ": " + restored.error().reason + "."};
  }
  std::filesystem::rename(copied, claimed->journal(), error);
  if (error) {
    remove_database(copied);
    return Fault{Fault::Kind::unusable, "Can't restore: " + error.message() + "."};
  }
  sync_name(claimed->journal());
  return restored;
}

}  // namespace tictactoe::store
