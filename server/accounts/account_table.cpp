#include "server/accounts/account_table.hpp"

#include "server/journal/unused.hpp"
#include "server/limits/parse.hpp"

namespace tictactoe::app {

namespace {

using Logins = std::vector<server::Login>;

journal::v1::Account to_account(const server::Login& login) {
  journal::v1::Account account;
  account.set_name(login.name);
  account.set_id(login.id);
  journal::v1::PasswordKey& key = *account.mutable_key();
  key.set_log2_n(login.key.cost.log2_n);
  key.set_r(login.key.cost.r);
  key.set_p(login.key.cost.p);
  key.set_salt(login.key.salt);
  key.set_key(login.key.key);
  return account;
}

// Leaves out accounts that nobody could use.
Logins to_logins(const journal::v1::Accounts& accounts) {
  Logins logins;
  for (const journal::v1::Account& account : accounts.accounts()) {
    const journal::v1::PasswordKey& key = account.key();
    server::Login login{
        account.name(), {{key.log2_n(), key.r(), key.p()}, key.salt(), key.key()}, account.id()};
    const auto name = server::parse_player_name(login.name, server::Limits{});
    const bool is_sound =
        name && *name == login.name && !login.id.empty() && server::is_acceptable(login.key);
    if (is_sound && logins.size() < max_accounts) logins.push_back(std::move(login));
  }
  return logins;
}

}  // namespace

OrSentence<std::shared_ptr<AccountTable>> AccountTable::open(const std::string& url) {
  auto accounts = records::PostgresAccounts::open(url);
  if (!accounts) return accounts.error().reason;
  return std::make_shared<AccountTable>(*std::move(accounts));
}

OrSentence<Logins> AccountTable::read() {
  const auto found = accounts_->read("");
  if (!found) return found.error().reason;
  return to_logins((*found)->accounts);
}

OrSentence<std::optional<Logins>> AccountTable::read_changes() {
  const auto found = accounts_->read(version_);
  if (!found) return found.error().reason;
  if (!*found) return std::optional<Logins>();
  version_ = (*found)->version;
  return std::optional(to_logins((*found)->accounts));
}

std::optional<std::string> AccountTable::change(const Change& change) {
  std::optional<std::string> refused;
  const auto changed = accounts_->change([&](journal::v1::Accounts& accounts) {
    Logins logins = to_logins(accounts);
    refused = change(logins);
    if (refused) return false;
    accounts.Clear();
    for (const server::Login& login : logins) *accounts.add_accounts() = to_account(login);
    return true;
  });
  if (!changed) return changed.error().reason;
  return refused;
}

OrSentence<std::shared_ptr<AccountPlace>> account_place(const std::string& place) {
  if (!records::is_postgres_url(place)) {
    return std::shared_ptr<AccountPlace>(std::make_shared<AccountFile>(place));
  }
  auto table = AccountTable::open(place);
  if (!table) return table.error();
  return std::shared_ptr<AccountPlace>(*std::move(table));
}

OrSentence<std::size_t> copy_accounts(AccountPlace& from, AccountPlace& to) {
  auto logins = from.read();
  if (!logins) return logins.error();
  if (logins->empty()) return std::size_t{0};
  const auto fault = to.change([&](Logins& there) -> std::optional<std::string> {
    if (!there.empty()) return "There are accounts already.";
    there = *logins;
    return std::nullopt;
  });
  if (fault) return *fault;
  return logins->size();
}

}  // namespace tictactoe::app
