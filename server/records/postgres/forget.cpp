// Forgetting a name in a PostgreSQL database.
#include <utility>

#include "server/records/forget.hpp"
#include "server/records/postgres/store.hpp"

namespace tictactoe::records {

Result<Forgotten> PostgresStore::forget(const std::string& name) {
  // Now every record is in its table, and what is damaged is set aside.
  if (const auto read = state(); !read) return read.error();
  return guarded_postgres([&] {
    Forgotten done;
    connection_.transact("BEGIN", [&] {
      // A short name can be in millions of games, which are decoded between two statements.
      connection_.run(allow_long_pauses);
      done = forget_name(*this, name);
      // The server that has a room next publishes it again.
      if (!done.name.empty())
        connection_.run("UPDATE rooms SET info = NULL WHERE info IS NOT NULL");
    });
    // Also if nothing was changed: an earlier call may have ended before this.
    for (const char* table :
         {"VACUUM FULL players", "VACUUM FULL games", "VACUUM FULL chat", "VACUUM FULL rooms",
          "VACUUM FULL bans", "VACUUM FULL set_aside", "VACUUM FULL uncompacted"}) {
      connection_.run(table);
    }
    return done;
  });
}

Result<Forgotten> forget_player_in_database(const std::string& url, const std::string& name) {
  const auto shown = PostgresConnection::name_of(url);
  if (!shown) return shown.error();
  const auto sentence = [&](const Fault& fault) {
    return Fault{fault.kind, "Can't use " + *shown + ": " + fault.reason + "."};
  };
  PostgresStore::Settings settings;
  settings.kept_chat = 1'000'000'000;  // the next server deletes what is too much
  const auto store = PostgresStore::open(url, std::move(settings));
  if (!store) return sentence(store.error());
  if (const auto fault = (*store)->claim()) return sentence(*fault);
  auto forgotten = (*store)->forget(name);
  if (!forgotten) return sentence(forgotten.error());
  return forgotten;
}

}  // namespace tictactoe::records
