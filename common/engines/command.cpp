#include "common/engines/command.hpp"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace tictactoe::engines {

namespace {

/// The words of a command; nothing if a quote does not end.
std::variant<std::vector<std::string>, std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (const char letter : text) {
    if (quote != 0 ? letter == quote : letter == '\'' || letter == '"') {
      quote = quote != 0 ? char{0} : letter;
      if (!in_word) words.emplace_back();
      in_word = true;
    } else if (quote == 0 && letter == ' ') {
      in_word = false;
    } else {
      if (!in_word) words.emplace_back();
      in_word = true;
      words.back() += letter;
    }
  }
  if (quote != 0) return "The command has a quote that is not closed.";
  return words;
}

bool can_be_run(const std::string& file) {
  return ::access(file.c_str(), X_OK) == 0;
}

/// The file that a command begins with; empty if there is none.
std::string found(const std::string& file) {
  if (file.find('/') != std::string::npos) return can_be_run(file) ? file : std::string();
  const char* path =
      std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): before any thread starts
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string whole = folder;
    whole.append("/").append(file);
    if (can_be_run(whole)) return whole;
  }
  return {};
}

}  // namespace

std::variant<Command, std::string> parse_command(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return "An engine is NAME=COMMAND, not '" + std::string(text) + "'.";
  }
  Command command{std::string(text.substr(0, equals)), {}};
  auto words = words_of(text.substr(equals + 1));
  if (const auto* fault = std::get_if<std::string>(&words)) return *fault;
  command.words = std::get<std::vector<std::string>>(std::move(words));
  if (command.words.empty()) return "The engine " + command.name + " has no command.";
  const std::string file = found(command.words[0]);
  if (file.empty()) {
    return "The engine " + command.name + " can't be run: there is no program " + command.words[0] +
           ".";
  }
  command.words[0] = file;
  return command;
}

}  // namespace tictactoe::engines
