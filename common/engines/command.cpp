#include "common/engines/command.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>

#include "common/posix/file.hpp"

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

// Why the system can't start the interpreter in the first line of a script; empty if it can, or if
// the file is no script.
std::string fault_of_interpreter(const std::string& file) {
  constexpr std::size_t max_line = 256;  // as in the kernel
  const std::string line = posix::read_first_line(file, max_line).value_or("");
  if (!line.starts_with("#!")) return {};
  if (line.ends_with('\r')) return file + " has lines that end with CR LF; save it with LF";
  std::istringstream words(line.substr(2));
  std::string interpreter;
  words >> interpreter;
  if (::access(interpreter.c_str(), X_OK) == 0) return {};
  const bool is_missing = errno == ENOENT;
  std::ranges::replace_if(
      interpreter, [](char letter) { return letter < ' ' || letter > '~'; }, '?');
  return file + " begins with #! " + interpreter +
         (is_missing ? ", which does not exist" : ", which can't be executed");
}

/// A file that can be executed, or why there is none.
struct Found {
  std::string file;
  std::string fault;
};

/// Looks up the first word of a command.
Found found(const std::string& word) {
  if (word.find('/') != std::string::npos) return {word, why_not_executable(word)};
  const char* path =
      std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): before any thread starts
  std::istringstream folders(path != nullptr ? path : "");
  std::string first_fault;
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string whole = folder;
    whole.append("/").append(word);
    std::string why = why_not_executable(whole);
    if (why.empty()) return {whole, {}};
    if (first_fault.empty() && ::access(whole.c_str(), F_OK) == 0) first_fault = std::move(why);
  }
  return {{}, first_fault.empty() ? "there is no program " + word : first_fault};
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
  Found program = found(command.words[0]);
  if (!program.fault.empty()) {
    return "The engine " + command.name + " can't be run: " + program.fault + ".";
  }
  command.words[0] = std::move(program.file);
  return command;
}

std::string why_not_executable(const std::string& file) {
  struct stat status{};
  if (::stat(file.c_str(), &status) != 0) {
    const int error = errno;
    std::error_code ignored;
    const bool is_link = error == ENOENT && std::filesystem::is_symlink(file, ignored);
    if (error == ENOENT && !is_link) return "there is no program " + file;
    return "there is no program " + file + ": " + posix::why_unreadable(file, error);
  }
  if (S_ISDIR(status.st_mode)) return file + " is a directory";
  if (!S_ISREG(status.st_mode)) return file + " is not a regular file";
  if ((status.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)) == 0) {
    return file + " is not executable; `chmod +x` makes it so";
  }
  if (::access(file.c_str(), X_OK) != 0) {
    return file + " can't be executed: " + std::generic_category().message(errno);
  }
  return fault_of_interpreter(file);
}

}  // namespace tictactoe::engines
