#include "server/records/sqlite/database.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

namespace tictactoe::records {

namespace {

constexpr int max_busy_ms = 5'000;
// Pages (of 4 KiB) of the log after which they are moved into the file.
constexpr int pages_of_log = 8'000;

bool is_failed_sync(int code) {
  return code == SQLITE_IOERR_FSYNC || code == SQLITE_IOERR_DIR_FSYNC;
}

sqlite3* open_file(const std::string& path, int flags) {
  // Otherwise SQLite counts the memory of all connections under a lock.
  [[maybe_unused]] static const int first = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  sqlite3* file = nullptr;
  const int result = sqlite3_open_v2(path.c_str(), &file,
                                     flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
  if (result == SQLITE_OK) return file;
  std::string reason = file == nullptr ? "no memory" : sqlite3_errmsg(file);
  sqlite3_close(file);
  throw Failure{{Fault::Kind::unusable, std::move(reason)}};
}

class Row final : public SqlRow {
 public:
  explicit Row(sqlite3_stmt* statement) : statement_(statement) {}
  bool is_null(int column) const override {
    return sqlite3_column_type(statement_, column) == SQLITE_NULL;
  }
  std::uint64_t number(int column) const override {
    return static_cast<std::uint64_t>(sqlite3_column_int64(statement_, column));
  }
  std::string_view bytes(int column) const override {
    const void* data = sqlite3_column_blob(statement_, column);
    const int size = sqlite3_column_bytes(statement_, column);
    return {static_cast<const char*>(data), static_cast<std::size_t>(size)};
  }

 private:
  sqlite3_stmt* const statement_;
};

// Binds without a copy: the values outlive the statement's run.
struct Bind {
  sqlite3_stmt* statement;
  int at;
  int operator()(std::monostate /*null*/) const { return sqlite3_bind_null(statement, at); }
  int operator()(std::uint64_t number) const {
    return sqlite3_bind_int64(statement, at, static_cast<sqlite3_int64>(number));
  }
  int operator()(const std::string& text) const {
    return sqlite3_bind_text(statement, at, text.data(), static_cast<int>(text.size()),
                             SQLITE_STATIC);
  }
  int operator()(const Bytes& value) const {
    return sqlite3_bind_blob(statement, at, value.bytes.data(),
                             static_cast<int>(value.bytes.size()), SQLITE_STATIC);
  }
};

// If it weren't reset, a statement would hold its lock.
struct Running {
  sqlite3_stmt* statement;
  explicit Running(sqlite3_stmt* prepared) : statement(prepared) {}
  ~Running() { sqlite3_reset(statement); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
};

}  // namespace

SqliteDatabase::SqliteDatabase(const std::string& path, int flags, DiskFailure has_failed)
    : has_failed_(std::move(has_failed)), file_(open_file(path, flags), sqlite3_close) {
  sqlite3_busy_timeout(handle(), max_busy_ms);
}

void SqliteDatabase::use_log() {
  run_script(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = OFF; "
      "PRAGMA cache_size = -32768; PRAGMA temp_store = MEMORY");
  sqlite3_wal_hook(handle(), log_grew, this);
}

// The commit itself is on the disk.
int SqliteDatabase::log_grew(void* self, sqlite3* /*file*/, const char* /*name*/, int pages) {
  if (pages >= pages_of_log) static_cast<SqliteDatabase*>(self)->move_log();
  return SQLITE_OK;
}

bool SqliteDatabase::move_log() {
  const int result =
      sqlite3_wal_checkpoint_v2(handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  if (is_failed_sync(result)) *has_failed_ = true;
  is_log_stuck_ = result != SQLITE_OK && result != SQLITE_BUSY;
  return !is_log_stuck_;
}

void SqliteDatabase::empty_log(bool waits) {
  if (*has_failed_) fail();
  sqlite3_busy_timeout(handle(), waits ? max_busy_ms : 0);
  const int result =
      sqlite3_wal_checkpoint_v2(handle(), nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  sqlite3_busy_timeout(handle(), max_busy_ms);
  if (result == SQLITE_BUSY) {
    throw Failure{{Fault::Kind::unusable, "another program reads it. End that program first"}};
  }
  if (result != SQLITE_OK) fail();
}

void SqliteDatabase::copy_to(const std::string& file) {
  SqliteDatabase target(file, SQLITE_OPEN_READWRITE);
  sqlite3_backup* const backup = sqlite3_backup_init(target.handle(), "main", handle(), "main");
  if (backup == nullptr) target.fail();
  sqlite3_backup_step(backup, -1);
  if (sqlite3_backup_finish(backup) != SQLITE_OK) target.fail();
}

void SqliteDatabase::fail() {
  const int code = sqlite3_extended_errcode(handle());
  if (*has_failed_ || is_failed_sync(code)) {
    *has_failed_ = true;
    throw Failure{{Fault::Kind::sync_failed, "a sync to the disk failed"}};
  }
  const int kind = code & 0xFF;
  const bool is_damaged = kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB;
  std::string reason = sqlite3_errmsg(handle());
  if (kind == SQLITE_CANTOPEN || kind == SQLITE_IOERR) {
    const int error = sqlite3_system_errno(handle());
    if (error != 0) reason += std::string(" (") + std::strerror(error) + ")";
  }
  throw Failure{{is_damaged ? Fault::Kind::damaged : Fault::Kind::unusable, std::move(reason)}};
}

void SqliteDatabase::transact(Transaction /*kind*/, const std::function<void()>& work) {
  struct Rollback {
    explicit Rollback(sqlite3* of) : file(of) {}
    ~Rollback() {
      // A full disk may have ended the transaction already.
      if (sqlite3_get_autocommit(file) == 0)
        sqlite3_exec(file, "ROLLBACK", nullptr, nullptr, nullptr);
    }
    Rollback(const Rollback&) = delete;
    Rollback& operator=(const Rollback&) = delete;
    sqlite3* file;
  };
  static const std::string begin = "BEGIN IMMEDIATE";
  static const std::string commit = "COMMIT";
  if (*has_failed_) fail();  // this could begin the log again
  // Otherwise the log would grow without a word, until the disk is full.
  if (is_log_stuck_ && !move_log()) fail();
  const Rollback unless_committed(handle());
  run_now(begin, {});
  work();
  run_now(commit, {});
}

void SqliteDatabase::run_script(const std::string& sql) {
  if (sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

std::string SqliteDatabase::text_of(const std::string& sql) {
  std::string text;
  visit(sql, [&](const SqlRow& row) {
    text = row.bytes(0);
    return false;
  });
  return text;
}

// Statements --------------------------------------------------------------------------------------

sqlite3_stmt* SqliteDatabase::prepare(const std::string& sql, Values values) {
  auto found = statements_.find(sql);
  if (found == statements_.end()) {
    sqlite3_stmt* made = nullptr;
    if (sqlite3_prepare_v3(handle(), sql.c_str(), static_cast<int>(sql.size()),
                           SQLITE_PREPARE_PERSISTENT, &made, nullptr) != SQLITE_OK) {
      fail();
    }
    found = statements_.emplace(sql, Statement(made, sqlite3_finalize)).first;
  }
  sqlite3_stmt* statement = found->second.get();
  int at = 0;
  for (const Value& value : values) {
    if (std::visit(Bind{statement, ++at}, value) != SQLITE_OK) fail();
  }
  return statement;
}

std::size_t SqliteDatabase::run_now(const std::string& sql, Values values) {
  const Running running(prepare(sql, values));
  int result = SQLITE_ROW;
  while (result == SQLITE_ROW) result = sqlite3_step(running.statement);
  if (result != SQLITE_DONE) fail();
  return static_cast<std::size_t>(sqlite3_changes(handle()));
}

void SqliteDatabase::visit_rows(const std::string& sql, Values values,
                                const std::function<bool(const SqlRow&)>& visit) {
  const Running running(prepare(sql, values));
  const Row row(running.statement);
  for (;;) {
    const int result = sqlite3_step(running.statement);
    if (result == SQLITE_DONE) return;
    if (result != SQLITE_ROW) fail();
    if (!visit(row)) return;
  }
}

}  // namespace tictactoe::records
