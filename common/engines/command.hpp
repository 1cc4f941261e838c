// The command of an engine, as people write it.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tictactoe::engines {

/// A program that speaks the Gomocup protocol.
struct Command {
  std::string name;                ///< for people
  std::vector<std::string> words;  ///< the file and its arguments; not empty
};

/// Reads `NAME=COMMAND`, or says what is wrong, as a sentence. The words of the command are
/// separated by spaces; single or double quotes keep spaces in a word. No shell is involved. A file
/// without a slash is looked up in PATH. It must exist and be executable now, see
/// why_not_executable().
std::variant<Command, std::string> parse_command(std::string_view text);

/// Why the system can't execute this file, in a few words that name it; empty if nothing is known
/// to be wrong. Of a script, that includes the interpreter in its first line.
std::string why_not_executable(const std::string& file);

}  // namespace tictactoe::engines
