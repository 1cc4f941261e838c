// `tictactoe-server account`.
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "server/accounts/accounts.hpp"

namespace tictactoe::app {

struct AccountCommand {
  std::string action;  ///< add, list, password or remove
  std::string name;    ///< as it was given; empty: none was
  std::string where;   ///< the accounts are, for people: a file, or the database
};

/// Does it, and says so. Reads a password from the terminal or, if standard input is none, its
/// first line. Returns a sentence if it is not done.
std::optional<std::string> change_accounts(const AccountCommand& command, AccountPlace& place,
                                           std::ostream& out);

}  // namespace tictactoe::app
