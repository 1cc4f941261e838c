// Whom the servers' owner has banned, in PostgreSQL. All servers have them in common.
#include <utility>

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

Result<std::optional<SharedBans>> PostgresStore::bans(const std::string& known_version) {
  return guarded_postgres([&]() -> std::optional<SharedBans> {
    connect();
    std::optional<SharedBans> changed;
    connection_.transact("BEGIN ISOLATION LEVEL REPEATABLE READ", [&] {
      const PostgresRows row = connection_.run(
          "SELECT md5(coalesce(string_agg(state, ''::bytea ORDER BY subject), ''::bytea)) "
          "FROM bans");
      SharedBans found{std::string(row.bytes(0, 0)), {}};
      if (found.version == known_version) return;
      read_bans(found.saved);
      changed = std::move(found);
    });
    return changed;
  });
}

}  // namespace tictactoe::store
