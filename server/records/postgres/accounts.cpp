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
  auto name = PostgresDatabase::name_of(url);
  if (!name) return name.error();
  std::unique_ptr<PostgresAccounts> accounts(new PostgresAccounts(url, *std::move(name)));
  const auto store = accounts->sentence(PostgresStore::open(url, {}));
  if (!store) return store.error();
  return accounts;
}

Result<std::optional<PostgresAccounts::Read>> PostgresAccounts::read(
    const std::string& known_version) {
  return sentence(attempt([&]() -> std::optional<Read> {
    std::optional<Read> changed;
    database_.transact(Database::Transaction::whole, [&] {
      std::string version;
      database_.visit(
          "SELECT md5(coalesce(string_agg(a::text, '' ORDER BY name), '')) FROM accounts AS a",
          [&](const SqlRow& row) { version = row.bytes(0); });
      if (version != known_version) changed = {std::move(version), read_rows()};
    });
    return changed;
  }));
}

journal::v1::Accounts PostgresAccounts::read_rows() {
  const Table& table = tables().accounts;
  journal::v1::Accounts accounts;
  database_.visit("SELECT " + table.names() + " FROM accounts ORDER BY name",
                  [&](const SqlRow& row) { table.read(row, 0, *accounts.add_accounts()); });
  return accounts;
}

Result<bool> PostgresAccounts::change(const std::function<bool(journal::v1::Accounts&)>& change) {
  return sentence(attempt([&] {
    bool is_changed = false;
    database_.transact(Database::Transaction::commit, [&] {
      database_.run("LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE");
      journal::v1::Accounts accounts = read_rows();
      is_changed = change(accounts);
      if (is_changed) write_rows(accounts);
    });
    return is_changed;
  }));
}

void PostgresAccounts::write_rows(const journal::v1::Accounts& accounts) {
  static const std::string insert = tables().accounts.insert(0);
  database_.run("DELETE FROM accounts");
  for (const journal::v1::Account& account : accounts.accounts()) {
    std::vector<Value> row;
    tables().accounts.write(account, row);
    database_.put_values(insert, row);
  }
}

}  // namespace tictactoe::records
