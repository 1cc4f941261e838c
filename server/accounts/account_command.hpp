// `tictactoe-server account`.
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "server/accounts/account_place.hpp"

namespace tictactoe::app {

struct AccountCommand {
  std::string action;  ///< add, list, password or remove
  std::string name;    ///< as given; empty: none
  std::string where;   ///< for people: a file, or the database
};

/// Carries out the command and prints the result; to `notes` that there is nothing to list. Reads a
/// password from the terminal or, if standard input is not one, its first line. Returns a sentence
/// on failure.
std::optional<std::string> change_accounts(const AccountCommand& command, AccountPlace& place,
                                           std::ostream& out, std::ostream& notes);

}  // namespace tictactoe::app
