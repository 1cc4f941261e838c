// Forgetting a name in SQLite.
#include <algorithm>
#include <utility>
#include <vector>

#include "server/records/forget.hpp"
#include "server/records/sqlite/folder.hpp"
#include "server/records/sqlite/owner.hpp"
#include "server/records/sqlite/statements.hpp"
#include "server/records/sqlite/store.hpp"

namespace tictactoe::records {

Result<Forgotten> SqliteStore::forget(const std::string& name) {
  // Now every record is in its table, and what is damaged is set aside.
  const auto loaded = load(local_stream);
  if (!loaded) return loaded.error();
  return guarded([&] {
    Forgotten done;
    transact(Sync::synced, [&] { done = forget_name(*this, name); });
    // Also if nothing was changed: an earlier call may have ended before this.
    file_.exec("VACUUM");
    file_.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    return done;
  });
}

// The folder --------------------------------------------------------------------------------------

namespace {

std::vector<std::string> damaged_journals(const std::filesystem::path& folder) {
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().string();
    if (name.starts_with(Folder::journal_in(folder) + ".")) found.push_back(name);
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace

Result<Forgotten> forget_player(const std::filesystem::path& folder, const std::string& name) {
  const AsOwner owner(folder);
  std::error_code error;
  const std::string journal = Folder::journal_in(folder);
  if (!std::filesystem::exists(journal, error)) {
    return Fault{Fault::Kind::unusable, "There is no journal in " + folder.string() +
                                            ": choose its directory with --data-dir."};
  }
  const auto claimed = Folder::claim(folder);
  if (!claimed && claimed.error().kind == Fault::Kind::in_use) {
    return Fault{Fault::Kind::in_use, "A server is running with the journal in " + folder.string() +
                                          ": stop it, and try again."};
  }
  if (!claimed) return claimed.error();
  const auto sentence = [&](const Fault& fault) {
    return Fault{fault.kind, "Can't use " + journal + ": " + fault.reason + "."};
  };
  auto store = SqliteStore::open(journal);
  if (!store) return sentence(store.error());
  auto forgotten = (*store)->forget(name);
  if (!forgotten) return sentence(forgotten.error());
  forgotten->damaged_journals = damaged_journals(folder);
  return forgotten;
}

}  // namespace tictactoe::records
