// Stores that no server uses.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "server/journal/owner.hpp"
#include "server/records/sql_store.hpp"

namespace tictactoe::records {

/// Whether `place` is the URL of a PostgreSQL database, and not a directory.
bool is_postgres_url(const std::string& place);

/// A sentence about why that is not the URL of a PostgreSQL database; empty if it is.
std::string fault_of_url(const std::string& url);

/// A fault whose reason is a sentence that names the store.
Fault unusable_store(const std::string& name, const Fault& fault);

/// Keeps servers out of a store as long as it lives.
struct UnusedStore {
  std::string name;  // for people
  std::shared_ptr<void> lock;
  std::unique_ptr<SqlStore> store;
};

/// Call it before SQLite opens the journal in a directory whose owner the process acts as. SQLite
/// resolves paths. So if only root can use the directory's path, ends acting as the owner, who must
/// be able to use the journal; it and what SQLite puts beside it belong to the owner all the same.
std::optional<Fault> prepare_for_sqlite(std::optional<AsOwner>& owner, const std::string& journal);

/// Opens the store in a directory or in the database of a URL. A fault's reason is a sentence; if
/// its kind is in_use, a server has the store. Creates the store unless it `must_exist`.
Result<UnusedStore> open_unused(const std::string& place, bool must_exist);

/// See SqlStore::forget(). `place` is a directory or the URL of a PostgreSQL database.
/// Rewrites the tables, so that nothing of what was deleted is left in them; the write-ahead log of
/// PostgreSQL, its backups, and its standbys until they catch up still contain the name. Takes
/// O(size of the store) time and space. A fault's reason is a sentence; if the fault is in_use, a
/// server has the store.
Result<Forgotten> forget_player(const std::string& place, const std::string& name);

}  // namespace tictactoe::records
