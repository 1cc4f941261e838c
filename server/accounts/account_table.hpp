// The accounts in the database of the records.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/accounts/accounts.hpp"
#include "server/records/postgres/accounts.hpp"

namespace tictactoe::app {

/// All servers that use the database have these accounts, in the order of the bytes of their names.
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
  std::string version_;  // of those that read_changes() has returned last
};

/// The place in that directory, or in the database of that URL.
OrSentence<std::shared_ptr<AccountPlace>> account_place(const std::string& directory_or_url);

/// Copies all accounts to a place that has none. Returns how many there are, or a sentence.
OrSentence<std::size_t> copy_accounts(AccountPlace& from, AccountPlace& to);

}  // namespace tictactoe::app
