#include "server/store/backup.hpp"

#include <SQLiteCpp/Backup.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "server/store/folder.hpp"
#include "server/store/sqlite_statements.hpp"

namespace tictactoe::store {

namespace {

constexpr int longest_busy_ms = 5'000;

void copy(const std::string& journal, const std::string& file) {
  SQLite::Database source(journal, SQLite::OPEN_READWRITE | SQLite::OPEN_NOMUTEX, longest_busy_ms);
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

}  // namespace

Result<std::uint64_t> back_up(const std::filesystem::path& folder,
                              const std::filesystem::path& file) {
  const std::string journal = Folder::journal_in(folder);
  std::error_code error;
  if (!std::filesystem::exists(journal, error)) {
    return Fault{Fault::Kind::unusable, "There is no journal in " + folder.string() + "."};
  }
  const int created = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (created < 0) {
    return Fault{Fault::Kind::unusable,
                 "Can't create " + file.string() + ": " + std::strerror(errno) + "."};
  }
  ::close(created);
  const auto done = guarded([&] {
    copy(journal, file.string());
    check(file.string());
    return true;
  });
  if (!done) {
    for (const char* suffix : {"", "-journal", "-wal", "-shm"}) {
      std::filesystem::remove(file.string() + suffix, error);
    }
    return Fault{done.error().kind, "Can't back up " + journal + ": " + done.error().reason + "."};
  }
  sync_name(file);
  return std::uint64_t{std::filesystem::file_size(file, error)};
}

}  // namespace tictactoe::store
