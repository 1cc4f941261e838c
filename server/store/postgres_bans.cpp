// Whom the servers' owner has banned, in PostgreSQL.
#include <utility>

#include "server/store/forget.hpp"
#include "server/store/postgres_store.hpp"

namespace tictactoe::store {

void PostgresStore::write_ban(const std::string& subject, const Compaction::Ban& ban) {
  if (!ban) {
    connection_.run("DELETE FROM bans WHERE subject = $1", {std::string_view(subject)});
    return;
  }
  const std::string state = ban->SerializeAsString();
  connection_.run(
      "INSERT INTO bans VALUES($1, $2) ON CONFLICT(subject) DO UPDATE SET state = excluded.state",
      {std::string_view(subject), std::string_view(state)});
}

void PostgresStore::read_bans(journal::v1::Saved& saved) {
  const PostgresRows rows = connection_.run("SELECT state FROM bans ORDER BY subject");
  for (int row = 0; row < rows.size(); ++row) {
    const std::string_view state = rows.bytes(row, 0);
    journal::v1::Ban ban;
    if (ban.ParseFromArray(state.data(), static_cast<int>(state.size()))) {
      *saved.add_bans() = std::move(ban);
    }
  }
}

void PostgresStore::forget_in_bans(const std::string& name, const std::string& neutral) {
  journal::v1::Saved saved;
  read_bans(saved);
  for (journal::v1::Ban& ban : *saved.mutable_bans()) {
    const std::string subject = ban.subject().SerializeAsString();
    const bool is_kept = forget_in_ban(ban, name, neutral);
    write_ban(subject, is_kept ? Compaction::Ban(std::move(ban)) : std::nullopt);
  }
}

}  // namespace tictactoe::store
