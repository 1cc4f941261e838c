#include "server/journal/backup.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "common/posix/file.hpp"
#include "server/journal/folder.hpp"
#include "server/journal/owner.hpp"
#include "server/records/sqlite/store.hpp"

namespace tictactoe::records {

namespace {

constexpr std::size_t max_file = std::size_t{64} * 1024 * 1024;

// Opens a copy, which nobody else uses.
SqliteDatabase open(const std::string& file) {
  return {file, SQLITE_OPEN_READWRITE};
}

void copy(const std::string& from, const std::string& file, int access) {
  SqliteDatabase source(from, access);
  sqlite3_db_config(source.handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  source.copy_to(file);
}

void check(const std::string& file) {
  SqliteDatabase copied = open(file);
  // So that the backup is one file. A server turns the log on again.
  copied.run_script("PRAGMA journal_mode = DELETE");
  const std::string answer = copied.text_of("PRAGMA integrity_check(1)");
  if (answer != "ok") throw Failure{{Fault::Kind::damaged, answer}};
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

// The companions of the journals, by name.
using Files = std::map<std::string, std::string>;

Fault cannot(const char* act, const std::filesystem::path& file,
             const std::string& reason = std::strerror(errno)) {
  return {Fault::Kind::unusable,
          std::string("Can't ") + act + " " + file.string() + ": " + reason + "."};
}

// Nothing if the file is missing.
Result<std::optional<std::string>> read_file(const std::filesystem::path& path,
                                             const std::filesystem::path& shown) {
  auto text = posix::read_file(path.string(), max_file + 1);
  const int error = text ? 0 : errno;
  std::error_code ignored;
  if (error == ENOENT && !std::filesystem::is_symlink(path, ignored))
    return std::optional<std::string>();
  if (!text) return cannot("read", shown, posix::why_unreadable(shown.string(), error));
  if (text->size() > max_file) {
    return Fault{Fault::Kind::unusable, shown.string() + " is too large for a backup."};
  }
  return text;
}

// Acts as the owner of the folder: root must not follow a link of that user to a file that only
// root can read.
Result<Files> read_companions(const std::filesystem::path& folder, Companions names) {
  const AsOwner owner(folder);
  Files files;
  for (const std::string_view name : names) {
    auto text = read_file(owner.place() / name, folder / name);
    if (!text) return text.error();
    if (*text) files.emplace(name, **std::move(text));
  }
  return files;
}

void put_companions(const std::string& file, const Files& files) {
  SqliteDatabase backup = open(file);
  backup.run_script("CREATE TABLE companions (name TEXT PRIMARY KEY, content BLOB NOT NULL)");
  for (const auto& [name, content] : files) {
    backup.run("INSERT INTO companions VALUES (?1, ?2)", name, Value(Bytes{content}));
  }
}

bool has_table(SqliteDatabase& database, const char* name) {
  return database.number_of("SELECT count(*) FROM sqlite_schema WHERE name = ?1", name) > 0;
}

// Takes only known names: the backup may be forged.
Files take_companions(const std::string& file, Companions names) {
  SqliteDatabase backup = open(file);
  Files files;
  if (!has_table(backup, "companions")) return files;
  backup.visit("SELECT name, content FROM companions", [&](const SqlRow& row) {
    const std::string_view name = row.bytes(0);
    if (std::ranges::find(names, name) != names.end()) files[std::string(name)] = row.bytes(1);
  });
  backup.run_script("PRAGMA secure_delete = ON");  // the journal must not keep the key
  backup.run_script("DROP TABLE companions");
  return files;
}

// Nothing if the folder lacks these files, or has equal ones.
std::optional<Fault> fault_of_others(const std::filesystem::path& folder, const Files& files) {
  const AsOwner owner(folder);
  for (const auto& [name, content] : files) {
    const auto there = read_file(owner.place() / name, folder / name);
    if (there && (!*there || **there == content)) continue;
    return Fault{Fault::Kind::unusable,
                 there ? (folder / name).string() + " differs from the backup: move it away"
                       : "can't read " + (folder / name).string()};
  }
  return std::nullopt;
}

std::optional<Fault> write_companions(const std::filesystem::path& folder, const Files& files) {
  const AsOwner owner(folder);
  for (const auto& [name, content] : files) {
    if (const auto fault = posix::replace_file((owner.place() / name).string(), content)) {
      return cannot("write", folder / name, fault.message());
    }
  }
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
  // Opening a database that has nothing in it would make it a journal.
  if (SqliteDatabase copied = open(file); !has_table(copied, "players")) {
    return Fault{Fault::Kind::damaged, "it is not a journal of tictactoe-server"};
  }
  const auto store = SqliteStore::open(file);
  if (!store) return store.error();
  const auto loaded = (*store)->load(local_stream);
  if (!loaded) return loaded.error();
  return Restored{loaded->players_size(), loaded->rooms_size(), {}};
}

/// What claiming the folder of a journal creates: removed at the end, unless it is wanted.
class Leftovers {
 public:
  explicit Leftovers(const std::filesystem::path& folder) : lock_(folder / "lock") {
    std::error_code error;
    has_lock_ = std::filesystem::exists(lock_, error);
    for (auto path = std::filesystem::absolute(folder).lexically_normal();
         path.has_relative_path() && !std::filesystem::exists(path, error);
         path = path.parent_path()) {
      if (path.has_filename()) folders_.push_back(path);
    }
  }
  ~Leftovers() {
    if (!are_ours_) return;
    std::error_code error;
    if (!has_lock_) std::filesystem::remove(lock_, error);
    for (const auto& folder : folders_) std::filesystem::remove(folder, error);  // if it is empty
  }
  Leftovers(const Leftovers&) = delete;
  Leftovers& operator=(const Leftovers&) = delete;

  void are_ours() { are_ours_ = true; }
  void are_wanted() { are_ours_ = false; }

 private:
  std::filesystem::path lock_;
  std::vector<std::filesystem::path> folders_;  // that were missing, the innermost first
  bool has_lock_ = false;
  bool are_ours_ = false;
};

}  // namespace

Result<std::uint64_t> back_up(const std::filesystem::path& folder,
                              const std::filesystem::path& file, Companions companions) {
  const std::string journal = Folder::journal_in(folder);
  std::error_code error;
  if (!std::filesystem::exists(journal, error)) {
    return Fault{Fault::Kind::unusable, "There is no journal in " + folder.string() + "."};
  }
  const auto files = read_companions(folder, companions);
  if (!files) return files.error();
  if (auto fault = create(file, folder)) return *fault;
  const auto fault = attempt([&] {
    copy(journal, file.string(), SQLITE_OPEN_READWRITE);
    check(file.string());
    put_companions(file.string(), *files);
    check(file.string());
  });
  if (fault) {
    remove_database(file.string());
    return Fault{fault->kind, "Can't back up " + journal + ": " + fault->reason + "."};
  }
  if (const auto lost = posix::sync_name(file.string()))
    return cannot("write", file, lost.message());
  return std::uint64_t{std::filesystem::file_size(file, error)};
}

Result<Restored> restore(const std::filesystem::path& file, const std::filesystem::path& folder,
                         Companions companions) {
  std::error_code error;
  Leftovers leftovers(folder);
  const auto claimed = [&] {
    const AsOwner owner(folder);
    return Folder::claim(folder, owner.place());
  }();
  if (!claimed) return claimed.error();
  leftovers.are_ours();
  if (std::filesystem::exists(claimed->journal(), error) || claimed->has_only_a_log()) {
    return Fault{Fault::Kind::unusable, "There is a journal in " + folder.string() +
                                            " already. Move journal.db and journal.db-wal away."};
  }
  std::string why = posix::why_not_regular(file.string());
  if (why.empty() && ::access(file.c_str(), R_OK) != 0) why = std::strerror(errno);
  if (!why.empty()) return cannot("read", file, why);
  // Not the journal yet, in case this is interrupted.
  const std::string copied = claimed->journal() + ".restoring";
  remove_database(copied);
  if (auto fault = create(copied, folder)) return *fault;
  Files files;
  auto restored = attempt([&]() -> Restored {
    copy(file.string(), copied, SQLITE_OPEN_READONLY);
    check(copied);
    files = take_companions(copied, companions);
    if (auto fault = fault_of_others(folder, files)) {
      throw Failure{*std::move(fault)};
    }
    const auto read = read_all(copied);
    if (!read) throw Failure{read.error()};
    check(copied);  // moves what reading has written from the log into the file
    return *read;
  });
  if (!restored) {
    remove_database(copied);
    return Fault{restored.error().kind,
                 "Can't restore " + file.string() + ": " + restored.error().reason + "."};
  }
  for (const auto& [name, content] : files) restored->companions.push_back(name);
  // The journal last: with it the folder is complete.
  if (const auto fault = write_companions(folder, files)) {
    remove_database(copied);
    return *fault;
  }
  std::filesystem::rename(copied, claimed->journal(), error);
  if (error) {
    remove_database(copied);
    return Fault{Fault::Kind::unusable, "Can't restore: " + error.message() + "."};
  }
  if (const auto lost = posix::sync_name(claimed->journal())) {
    return cannot("write", claimed->journal(), lost.message());
  }
  leftovers.are_wanted();
  return restored;
}

}  // namespace tictactoe::records
