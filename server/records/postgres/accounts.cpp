#include "server/records/postgres/accounts.hpp"

#include <string_view>

#include "server/records/postgres/store.hpp"

namespace tictactoe::records {

template <class Value>
Result<Value> PostgresAccounts::sentence(Result<Value> result) const {
  if (result) return result;
  return Fault{result.error().kind, "Can't use " + name_ + ": " + result.error().reason + "."};
}

Result<std::unique_ptr<PostgresAccounts>> PostgresAccounts::open(const std::string& url) {
  auto name = PostgresConnection::name_of(url);
  if (!name) return name.error();
  std::unique_ptr<PostgresAccounts> accounts(new PostgresAccounts(url, *std::move(name)));
  const auto store = accounts->sentence(PostgresStore::open(url, {}));
  if (!store) return store.error();
  return accounts;
}

Result<std::optional<PostgresAccounts::Read>> PostgresAccounts::read(
    const std::string& known_version) {
  return sentence(guarded_postgres([&]() -> std::optional<Read> {
    connection_.ensure();
    std::optional<Read> changed;
    connection_.transact("BEGIN ISOLATION LEVEL REPEATABLE READ", [&] {
      const PostgresRows row = connection_.run(
          "SELECT md5(coalesce(string_agg(state, ''::bytea ORDER BY name), ''::bytea)) "
          "FROM accounts");
      std::string version(row.bytes(0, 0));
      if (version != known_version) changed = {std::move(version), read_rows()};
    });
    return changed;
  }));
}

journal::v1::Accounts PostgresAccounts::read_rows() {
  const PostgresRows rows = connection_.run("SELECT state FROM accounts ORDER BY name");
  journal::v1::Accounts accounts;
  for (int row = 0; row < rows.size(); ++row) {
    const std::string_view state = rows.bytes(row, 0);
    journal::v1::Account account;
    if (account.ParseFromArray(state.data(), static_cast<int>(state.size()))) {
      *accounts.add_accounts() = std::move(account);
    }
  }
  return accounts;
}

Result<bool> PostgresAccounts::change(const std::function<bool(journal::v1::Accounts&)>& change) {
  return sentence(guarded_postgres([&] {
    connection_.ensure();
    bool is_changed = false;
    connection_.transact("BEGIN", [&] {
      connection_.run("LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE");
      journal::v1::Accounts accounts = read_rows();
      is_changed = change(accounts);
      if (is_changed) write_rows(accounts);
    });
    return is_changed;
  }));
}

void PostgresAccounts::write_rows(const journal::v1::Accounts& accounts) {
  PostgresArray names;
  PostgresArray states;
  for (const journal::v1::Account& account : accounts.accounts()) {
    names.add(std::string_view(account.name()));
    states.add(std::string_view(account.SerializeAsString()));
  }
  connection_.run("DELETE FROM accounts WHERE NOT name = ANY($1::bytea[])", {names.parameter()});
  connection_.run(
      "INSERT INTO accounts SELECT * FROM unnest($1::bytea[], $2::bytea[]) "
      "ON CONFLICT(name) DO UPDATE SET state = excluded.state",
      {names.parameter(), states.parameter()});
}

}  // namespace tictactoe::records
