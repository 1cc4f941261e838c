#include "server/records/sqlite/log.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>

namespace tictactoe::records {

namespace {

constexpr int bytes_of_page = 4'096 + 24;  // with its header in the log

// SQLite itself waits for the file only when the last page is moved. Then it is the writer that
// waits, and finds little left to write. Returns whether the file is on the disk.
bool sync(SQLite::Database& connection) {
  sqlite3_file* file = nullptr;
  if (sqlite3_file_control(connection.getHandle(), "main", SQLITE_FCNTL_FILE_POINTER,
                           static_cast<void*>(&file)) != SQLITE_OK ||
      file == nullptr || file->pMethods == nullptr) {
    return true;  // in memory
  }
  return file->pMethods->xSync(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY) == SQLITE_OK;
}

}  // namespace

bool is_failed_sync(int code) {
  return code == SQLITE_IOERR_FSYNC || code == SQLITE_IOERR_DIR_FSYNC;
}

Fault failed_sync() {
  return {Fault::Kind::sync_failed, "a sync to the disk failed"};
}

bool SqliteLog::has_failed() const {
  const std::scoped_lock lock(mutex_);
  return has_failed_;
}

void SqliteLog::fail() {
  {
    const std::scoped_lock lock(mutex_);
    has_failed_ = true;
  }
  if (database_.empty()) return;
  const int file = ::open(note().c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0) ::close(file);
}

bool SqliteLog::has_failed_before() const {
  return !database_.empty() && ::access(note().c_str(), F_OK) == 0;
}

void SqliteLog::forget_failure() {
  ::unlink(note().c_str());
}

void SqliteLog::make_room(SQLite::Database& connection) {
  const std::scoped_lock lock(mutex_);
  if (database_.empty() || room_ >= pages_ + min_room / 2) return;
  room_ = pages_ + std::clamp(pages_, min_room, max_room);
  sqlite3_file* file = nullptr;
  if (sqlite3_file_control(connection.getHandle(), "main", SQLITE_FCNTL_JOURNAL_POINTER,
                           static_cast<void*>(&file)) != SQLITE_OK ||
      file == nullptr || file->pMethods == nullptr) {
    return;
  }
  sqlite3_int64 size = 0;
  if (file->pMethods->xFileSize(file, &size) != SQLITE_OK) return;
  const std::string zeros(bytes_of_page, '\0');
  for (; size < room_ * sqlite3_int64{bytes_of_page}; size += bytes_of_page) {
    if (file->pMethods->xWrite(file, zeros.data(), bytes_of_page, size) != SQLITE_OK) return;
  }
}

void SqliteLog::has(int pages) {
  const std::scoped_lock lock(mutex_);
  if (pages < pages_) {  // it was begun again, after all of it was in the database file
    ++begun_;
    moved_ = 0;
    next_try_ = 0;
    room_ = 0;  // another program may have made the file shorter
  }
  pages_ = pages;
}

bool SqliteLog::is_full() const {
  const std::scoped_lock lock(mutex_);
  return !has_failed_ && pages_ >= next_try_ && unmoved() >= pages_at_once;
}

bool SqliteLog::is_nearly_moved() const {
  const std::scoped_lock lock(mutex_);
  return !has_failed_ && !reader_moves_ && pages_ >= next_try_ && pages_ >= pages_at_once &&
         unmoved() > 0 && unmoved() <= (pages_ < max_pages ? last_pages : pages_at_once);
}

void SqliteLog::move_most(SQLite::Database& connection) {
  {
    const std::scoped_lock lock(mutex_);
    reader_moves_ = true;
  }
  for (int pass = 0; pass < max_passes; ++pass) {
    const auto left = move(connection);
    if (!left || *left <= last_pages) break;
  }
  const std::scoped_lock lock(mutex_);
  reader_moves_ = false;
}

void SqliteLog::move_rest(SQLite::Database& connection) {
  if (!move(connection)) return;
  // If somebody reads just now, the next commit does not begin the log again, but a later one can.
  const std::scoped_lock lock(mutex_);
  next_try_ = pages_ + last_pages / 2;
}

std::optional<int> SqliteLog::move(SQLite::Database& connection) {
  std::unique_lock lock(mutex_);
  const std::uint64_t begun = begun_;
  const int before = moved_;
  lock.unlock();
  int in_log = 0;
  int moved = 0;
  const int result = sqlite3_wal_checkpoint_v2(connection.getHandle(), "main",
                                               SQLITE_CHECKPOINT_PASSIVE, &in_log, &moved);
  const bool has_moved = result == SQLITE_OK && moved > before;
  const bool failed = result == SQLITE_OK
                          ? has_moved && moved < in_log && !sync(connection)
                          : is_failed_sync(sqlite3_extended_errcode(connection.getHandle()));
  if (failed) {
    fail();
    return std::nullopt;
  }
  lock.lock();
  if (begun_ != begun) return 0;
  if (!has_moved) {
    next_try_ = pages_ + pages_at_once;
    return std::nullopt;
  }
  moved_ = moved;
  return unmoved();
}

}  // namespace tictactoe::records
