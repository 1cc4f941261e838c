// The accounts in the database of the records.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/accounts/account_place.hpp"
#include "server/records/postgres/accounts.hpp"

namespace tictactoe::app {

/// Accounts in a database, sorted by name. All servers that use the database share them.
class AccountTable final : public AccountPlace {
 public:
  static OrSentence<std::shared_ptr<AccountTable>> open(const std::string& url);
  explicit AccountTable(std::unique_ptr<records::PostgresAccounts> accounts)
      : accounts_(std::move(accounts)) {}

  OrSentence<std::vector<server::Login>> read() override;
  OrSentence<std::optional<std::vector<server::Login>>> read_changes() override;
  bool may_have_changed() override { return true; }
  std::optional<std::string> change(const Change& change) override;

 private:
  std::unique_ptr<records::PostgresAccounts> accounts_;
  std::string version_;  // as last returned by read_changes()
};

/// The accounts in this directory, or in the database with this URL.
OrSentence<std::shared_ptr<AccountPlace>> account_place(const std::string& directory_or_url);

/// Copies all accounts to a place that has none. Returns how many, or a sentence.
OrSentence<std::size_t> copy_accounts(AccountPlace& from, AccountPlace& to);

}  // namespace tictactoe::app
