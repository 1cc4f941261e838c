#include "server/records/sqlite/reader.hpp"

#include "server/records/sqlite/log_rows.hpp"

namespace tictactoe::records {

void SqliteReader::prepare() {
  if (log_->has_failed()) return;
  try {
    move_games(*file_);
  } catch (const SQLite::Exception& error) {
    if (is_failed_sync(error.getExtendedErrorCode())) log_->fail();
  }
}

}  // namespace tictactoe::records
