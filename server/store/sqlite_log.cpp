#include "server/store/sqlite_log.hpp"

#include <sqlite3.h>

namespace tictactoe::store {

namespace {

// SQLite itself waits for the file only when the last page is moved. Then it is the writer that
// waits, and finds little left to write.
void sync(SQLite::Database& connection) {
  sqlite3_file* file = nullptr;
  if (sqlite3_file_control(connection.getHandle(), "main", SQLITE_FCNTL_FILE_POINTER,
                           static_cast<void*>(&file)) != SQLITE_OK ||
      file == nullptr || file->pMethods == nullptr) {
    return;
  }
  // If this fails, so does the writer's wait, before anything in the log is given up.
  static_cast<void>(file->pMethods->xSync(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY));
}

}  // namespace

void SqliteLog::has(int pages) {
  // A shorter log was begun again, after all of it was in the database file.
  if (pages < pages_.exchange(pages)) moved_ = 0;
}

void SqliteLog::move(SQLite::Database& connection) {
  int in_log = 0;
  int moved = 0;
  const int result = sqlite3_wal_checkpoint_v2(connection.getHandle(), "main",
                                               SQLITE_CHECKPOINT_PASSIVE, &in_log, &moved);
  const bool has_moved = result == SQLITE_OK && moved >= 0;
  if (has_moved && moved < in_log) sync(connection);
  moved_ = has_moved ? moved : pages_.load();
}

}  // namespace tictactoe::store
