#include "server/store/backup.hpp"

#include <SQLiteCpp/Backup.h>
#include <fcntl.h>
#include <sys/stat.h>
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

// Only for this user; if that is root, for the owner of the folder, whose server has to read it.
std::optional<Fault> create(const std::filesystem::path& file,
                            const std::filesystem::path& folder) {
  const int created = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  struct stat owner{};
  if (created < 0 || (::geteuid() == 0 && (::stat(folder.c_str(), &owner) != 0 ||
                                           ::fchown(created, owner.st_uid, owner.st_gid) != 0))) {
    const std::string why = std::strerror(errno);
    if (created >= 0) ::close(created);
    return Fault{Fault::Kind::unusable, "Can't create " + file.string() + ": " + why + "."};
  }
  ::close(created);
  return std::nullopt;
}

// What root has made in a folder belongs to the owner of the folder, whose server has to use it; a
// new folder to the owner of the one that it is in. If that fails, the server says that it can't
// use the files.
void give_to_owner(const std::filesystem::path& folder, bool is_new) {
  const std::filesystem::path whole = std::filesystem::absolute(folder / "").parent_path();
  struct stat owner{};
  if (::geteuid() != 0 || ::stat((is_new ? whole.parent_path() : whole).c_str(), &owner) != 0) {
    return;
  }
  const auto give = [&](const std::filesystem::path& path) {
    static_cast<void>(::lchown(path.c_str(), owner.st_uid, owner.st_gid) == 0);
  };
  if (is_new) give(whole);
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(whole, error)) {
    struct stat made{};
    // Nothing that is somewhere else, too.
    if (::lstat(entry.path().c_str(), &made) == 0 && S_ISREG(made.st_mode) && made.st_uid == 0 &&
        made.st_nlink == 1) {
      give(entry.path());
    }
  }
}

void remove_database(const std::string& file) {
  std::error_code gone;
  for (const char* suffix : {"", "-journal", "-wal", "-shm"}) {
    std::filesystem::remove(file + suffix, gone);
  }
}

// Reads the players and rooms of a copy as the start of a server does.
Result<Restored> read_all(const std::string& file) {
  // Opening a database that has nothing in it would make it a journal.
  if (!SQLite::Database(file).tableExists("players")) {
    return Fault{Fault::Kind::damaged, "it is no journal of tictactoe-server"};
  }
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
  if (auto fault = create(file, folder)) return *fault;
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
  std::error_code error;
  const bool is_new = !std::filesystem::exists(folder, error);
  const auto claimed = Folder::claim(folder);
  if (!claimed) return claimed.error();
  if (std::filesystem::exists(claimed->journal(), error) || claimed->has_only_a_log()) {
    return Fault{Fault::Kind::unusable, "There is a journal in " + folder.string() +
                                            " already. Move journal.db and journal.db-wal away."};
  }
  if (!std::filesystem::is_regular_file(file, error) || ::access(file.c_str(), R_OK) != 0) {
    const std::string why = error ? error.message() : std::strerror(errno);
    return Fault{
        Fault::Kind::unusable,
        "Can't read " + file.string() + ": " +
            (std::filesystem::is_regular_file(file, error) || error ? why : "it is no file") + "."};
  }
  // Not the journal yet, in case this is interrupted.
  const std::string copied = claimed->journal() + ".restoring";
  remove_database(copied);
  if (auto fault = create(copied, folder)) return *fault;
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
  give_to_owner(folder, is_new);
  return restored;
}

}  // namespace tictactoe::store
