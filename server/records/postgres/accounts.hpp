// The accounts of servers whose records are in a PostgreSQL database.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "server/records/postgres/database.hpp"
#include "server/records/record_store.hpp"
#include "tictactoe/journal/v1/journal.pb.h"

namespace tictactoe::records {

/// A connection of its own to the database of a PostgresStore. All servers that use the database
/// have these accounts in common. Blocks until a call is done. Not thread-safe. A fault's reason is
/// a sentence.
class PostgresAccounts {
 public:
  /// Creates the tables as PostgresStore::open() does.
  static Result<std::unique_ptr<PostgresAccounts>> open(const std::string& url);

  struct Read {
    std::string version;  ///< not empty
    journal::v1::Accounts accounts;
  };
  /// All; nothing if they are still those of that version. O(accounts).
  Result<std::optional<Read>> read(const std::string& known_version);

  /// Calls `change` with all, and stores them if it returns true. Others that change them wait.
  /// Returns what `change` has returned. O(accounts).
  Result<bool> change(const std::function<bool(journal::v1::Accounts&)>& change);

  const std::string& name() const { return name_; }  ///< for people

 private:
  PostgresAccounts(const std::string& url, std::string name)
      : name_(std::move(name)), database_(url) {}

  // These throw.
  journal::v1::Accounts read_rows();
  void write_rows(const journal::v1::Accounts& accounts);

  template <class Value>
  Result<Value> sentence(Result<Value> result) const;

  const std::string name_;
  PostgresDatabase database_;
};

}  // namespace tictactoe::records
