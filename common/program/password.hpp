// Reads passwords from files and terminals.
#pragma once

#include <string>

namespace tictactoe::program {

/// A password, or a sentence about why there is none.
struct PasswordRead {
  std::string password;
  std::string fault;  ///< empty on success
};

/// The first line of a file or a pipe, at most 4 KiB.
PasswordRead read_password_file(const std::string& path);
/// The first line of standard input.
PasswordRead read_password_line();

/// Whether the process has a terminal and its standard input is one.
bool can_ask_password();
/// Asks at the terminal without showing what is typed. Ctrl-C is a fault.
PasswordRead ask_password(const std::string& prompt);

}  // namespace tictactoe::program
