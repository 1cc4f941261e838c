#include "server/accounts/account_command.hpp"

#include <algorithm>
#include <utility>

#include "common/program/password.hpp"
#include "server/limits/parse.hpp"

namespace tictactoe::app {

namespace {

using Logins = std::vector<server::Login>;

program::PasswordRead ask_twice(const std::string& name) {
  const program::PasswordRead first = program::ask_password("Password for " + name + ": ");
  if (!first.fault.empty()) return first;
  program::PasswordRead second = program::ask_password("Repeat the password: ");
  if (second.fault.empty() && second.password != first.password) {
    second.fault = "The passwords differ. Nothing was changed.";
  }
  return second;
}

// Reads a password and sets the key of the login. Returns a sentence on failure.
std::optional<std::string> read_login(const std::string& name, server::Login& login) {
  const program::PasswordRead read =
      program::can_ask_password() ? ask_twice(name) : program::read_password_line();
  if (!read.fault.empty()) return read.fault;
  const auto password = server::parse_password(read.password, server::Limits{});
  if (!password) return password.error().message;
  login = make_login(name, read.password);
  if (login.key.key.empty()) return "Not enough memory to hash the password.";
  return std::nullopt;
}

auto find(Logins& logins, const std::string& name) {
  return std::ranges::find(logins, name, &server::Login::name);
}

std::string no_such_account(const std::string& name) {
  return "There is no account \"" + name + "\". `tictactoe-server account list` lists them.";
}

std::optional<std::string> list(const AccountCommand& command, AccountPlace& place,
                                std::ostream& out, std::ostream& notes) {
  const auto logins = place.read();
  if (!logins) return logins.error();
  // Scripts read the list.
  if (logins->empty()) notes << "There are no accounts in " << command.where << ".\n";
  for (const server::Login& login : *logins) out << login.name << '\n';
  return std::nullopt;
}

std::optional<std::string> remove(const std::string& name, const std::string& where,
                                  AccountPlace& place, std::ostream& out) {
  auto fault = place.change([&](Logins& logins) -> std::optional<std::string> {
    const auto found = find(logins, name);
    if (found == logins.end()) return no_such_account(name);
    logins.erase(found);
    return std::nullopt;
  });
  if (!fault) {
    out << "Removed the account \"" << name << "\" from " << where
        << ". Anyone can use the name now.\n";
  }
  return fault;
}

std::optional<std::string> add(const std::string& name, const std::string& where,
                               AccountPlace& place, std::ostream& out) {
  auto refused = [&](Logins& logins) -> std::optional<std::string> {
    const server::Logins known(logins);
    if (const server::Login* there = known.find(name)) {
      return "The account \"" + there->name +
             "\" already exists. Change its password with `account password`.";
    }
    if (logins.size() >= max_accounts)
      return "The limit of " + std::to_string(max_accounts) + " accounts has been reached.";
    return std::nullopt;
  };
  // Checked first, so that nobody types a password in vain.
  auto logins = place.read();
  if (!logins) return logins.error();
  if (auto fault = refused(*logins)) return fault;
  server::Login login;
  if (auto fault = read_login(name, login)) return fault;
  auto fault = place.change([&](Logins& all) {
    auto late = refused(all);
    if (!late) all.push_back(login);
    return late;
  });
  if (!fault) out << "Added the account \"" << name << "\" to " << where << ".\n";
  return fault;
}

std::optional<std::string> set_password(const std::string& name, const std::string& where,
                                        AccountPlace& place, std::ostream& out) {
  auto logins = place.read();
  if (!logins) return logins.error();
  if (find(*logins, name) == logins->end()) return no_such_account(name);
  server::Login login;
  if (auto fault = read_login(name, login)) return fault;
  auto fault = place.change([&](Logins& all) -> std::optional<std::string> {
    const auto found = find(all, name);
    if (found == all.end()) return no_such_account(name);
    login.id = found->id;
    *found = login;
    return std::nullopt;
  });
  if (!fault) out << "The account \"" << name << "\" in " << where << " has a new password.\n";
  return fault;
}

}  // namespace

std::optional<std::string> change_accounts(const AccountCommand& command, AccountPlace& place,
                                           std::ostream& out, std::ostream& notes) {
  if (command.action == "list") return list(command, place, out, notes);
  if (command.name.empty()) return "account " + command.action + " needs the name of an account.";
  const auto name = server::parse_player_name(command.name, server::Limits{});
  if (!name) return name.error().message;
  if (command.action == "add") return add(*name, command.where, place, out);
  if (command.action == "remove") return remove(*name, command.where, place, out);
  return set_password(*name, command.where, place, out);
}

}  // namespace tictactoe::app
