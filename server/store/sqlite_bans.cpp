// Whom the server's owner has banned, in SQLite.
#include <utility>
#include <vector>

#include "server/store/rows.hpp"
#include "server/store/sqlite_statements.hpp"
#include "server/store/sqlite_store.hpp"

namespace tictactoe::store {

namespace {

std::uint32_t sum_of_ban(std::string_view subject, std::string_view state) {
  return Sum().add(subject).add(state).value();
}

}  // namespace

void SqliteStore::write_ban(const std::string& subject, const Compaction::Ban& ban) {
  SQLite::Statement put(file_, ban ? "INSERT OR REPLACE INTO bans VALUES(?, ?, ?)"
                                   : "DELETE FROM bans WHERE subject = ?");
  bind_blob(put, 1, subject);
  const std::string state = ban ? ban->SerializeAsString() : "";
  if (ban) {
    bind_blob(put, 2, state);
    put.bind(3, sum_of_ban(subject, state));
  }
  put.exec();
}

int SqliteStore::read_bans(journal::v1::Saved& saved) {
  std::vector<std::pair<std::string, std::string>> bad;
  SQLite::Statement rows(file_, "SELECT subject, state, sum FROM bans ORDER BY subject");
  while (rows.executeStep()) {
    const std::string_view subject = bytes(rows, 0);
    const std::string_view state = bytes(rows, 1);
    journal::v1::Ban ban;
    if (number(rows, 2) == sum_of_ban(subject, state) &&
        ban.ParseFromArray(state.data(), static_cast<int>(state.size()))) {
      *saved.add_bans() = std::move(ban);
    } else {
      bad.emplace_back(subject, state);
    }
  }
  rows.reset();
  for (const auto& [subject, state] : bad) {
    put_aside("ban", 0, "it is damaged", state);
    write_ban(subject, std::nullopt);
  }
  return static_cast<int>(bad.size());
}

}  // namespace tictactoe::store
