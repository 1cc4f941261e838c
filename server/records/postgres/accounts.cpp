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
  return sentence(connection_.attempt([&]() -> std::optional<Read> {
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
  journal::v1::Accounts accounts;
  connection_.visit("SELECT state FROM accounts ORDER BY name", [&](const PostgresRow& row) {
    journal::v1::Account account;
    if (account.ParseFromString(std::string(row.bytes(0)))) {
      *accounts.add_accounts() = std::move(account);
    }
  });
  return accounts;
}

Result<bool> PostgresAccounts::change(const std::function<bool(journal::v1::Accounts&)>& change) {
  return sentence(connection_.attempt([&] {
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
    names.add(account.name());
    states.add(account.SerializeAsString());
  }
  connection_.run("DELETE FROM accounts WHERE NOT name = ANY($1::bytea[])", {names});
  connection_.run(
      "INSERT INTO accounts SELECT * FROM unnest($1::bytea[], $2::bytea[]) "
      "ON CONFLICT(name) DO UPDATE SET state = excluded.state",
      {names, states});
}

}  // namespace tictactoe::records
