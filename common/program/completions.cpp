// Writes the same list in the syntax of each shell.
#include <algorithm>
#include <set>
#include <sstream>

#include "common/program/help.hpp"

namespace tictactoe::program {
namespace {

// A word of the command line, and what may follow it.
struct Word {
  std::string name;
  std::string description;
  std::string value;    // as value_of
  std::string command;  // its subcommand; empty for none
  bool is_command = false;
};

std::vector<Word> options_of(const CLI::App& app, const std::string& command) {
  std::vector<Word> words;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames()) {
      words.push_back({"--" + name, option->get_description(), value_of(*option), command, false});
    }
    for (const std::string& name : option->get_snames()) {
      words.push_back({"-" + name, option->get_description(), value_of(*option), command, false});
    }
  }
  return words;
}

std::vector<Word> words_of(const CLI::App& app) {
  std::vector<Word> words = options_of(app, {});
  for (const CLI::App* command : app.get_subcommands({})) {
    words.push_back({command->get_name(), command->get_description(), {}, {}, true});
  }
  for (const CLI::App* command : app.get_subcommands({})) {
    for (Word& word : options_of(*command, command->get_name())) words.push_back(std::move(word));
    if (!command->get_fallthrough()) continue;
    for (Word& word : options_of(app, command->get_name())) {
      if (word.name != "--version" && word.name != "--help" && word.name != "-h") {
        words.push_back(std::move(word));
      }
    }
  }
  return words;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
  return text;
}

// "{a,b}" as "a b"; empty if it is no list.
std::string choices(const std::string& value) {
  if (!value.starts_with('{')) return {};
  return replaced(value.substr(1, value.size() - 2), ",", " ");
}

// The possible first arguments of a command, for example "status players". Empty if any word is
// possible.
std::string actions_of(const CLI::App& app, const std::string& command) {
  if (command.empty()) return {};
  for (const CLI::Option* option : app.get_subcommand(command)->get_options()) {
    if (option->get_positional()) return choices(value_of(*option));
  }
  return {};
}

std::string identifier(const CLI::App& app) {
  return replaced("_" + app.get_name(), "-", "_");
}

std::string quoted(const std::string& text) {
  return "'" + replaced(text, "'", "'\\''") + "'";
}

std::string joined(const std::vector<std::string>& parts, const std::string& between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

// One line of a `case` for each set of options with the same values, and one for the options with
// other values.
std::string value_cases(const std::vector<Word>& words, const std::string& offer,
                        const std::string& files) {
  std::string cases;
  std::vector<std::string> others;
  std::set<std::string> seen;  // each name once: it takes the same values everywhere
  for (const Word& word : words) {
    if (word.value.empty() || !seen.insert(word.name).second) continue;
    if (choices(word.value).empty()) {
      others.push_back(word.name);
    } else {
      cases +=
          "    " + word.name + ") " + replaced(offer, "@", choices(word.value)) + "; return ;;\n";
    }
  }
  if (!others.empty()) cases += "    " + joined(others, "|") + ") " + files + "; return ;;\n";
  return cases;
}

std::vector<std::string> commands_of(const std::vector<Word>& words) {
  std::vector<std::string> names;
  for (const Word& word : words) {
    if (word.is_command) names.push_back(word.name);
  }
  return names;
}

// Finds the subcommand that was typed, and its action. `typed` are the words before the current
// one.
std::string find_command(const CLI::App& app, const std::vector<Word>& words,
                         const std::string& typed) {
  const std::vector<std::string> commands = commands_of(words);
  if (commands.empty()) return {};
  std::string found = "  for word in " + typed + "; do\n    case $command/$word in\n      /" +
                      joined(commands, "|/") + ") command=$word ;;\n";
  for (const std::string& command : commands) {
    const std::string actions = actions_of(app, command);
    if (actions.empty()) continue;
    const std::string prefix = command + "/";
    found += "      " + prefix + replaced(actions, " ", "|" + prefix) + ") action=$word ;;\n";
  }
  return found + "    esac\n  done\n";
}

std::string bash(const CLI::App& app) {
  const std::vector<Word> words = words_of(app);
  std::ostringstream out;
  out << identifier(app) << "() {\n"
      << "  local current=${COMP_WORDS[COMP_CWORD]} command='' action='' word words=''\n"
      << "  COMPREPLY=()\n"
      << "  case ${COMP_WORDS[COMP_CWORD-1]} in\n"
      << value_cases(words, "COMPREPLY=($(compgen -W '@' -- \"$current\"))",
                     "COMPREPLY=($(compgen -f -- \"$current\"))")
      << "  esac\n"
      << find_command(app, words, "\"${COMP_WORDS[@]:1:COMP_CWORD-1}\"") << "  case $command in\n";
  std::vector<std::string> places = commands_of(words);
  places.emplace_back();
  for (const std::string& place : places) {
    std::vector<std::string> names;
    for (const Word& word : words) {
      if (word.command == place) names.push_back(word.name);
    }
    out << "    " << (place.empty() ? "''" : place) << ") words='" << joined(names, " ") << "'";
    if (const std::string actions = actions_of(app, place); !actions.empty()) {
      out << "; [ -n \"$action\" ] || words+=' " << actions << "'";
    }
    out << " ;;\n";
  }
  out << "  esac\n"
      << "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      << "}\n"
      << "complete -o default -F " << identifier(app) << " " << app.get_name();
  return out.str();
}

std::string zsh(const CLI::App& app) {
  const std::vector<Word> words = words_of(app);
  std::ostringstream out;
  out << "#compdef " << app.get_name() << "\n"
      << identifier(app) << "() {\n"
      << "  local command='' action='' word\n"
      << "  local -a found\n"
      << "  case ${words[CURRENT-1]} in\n"
      << value_cases(words, "compadd -- @", "_files") << "  esac\n"
      << find_command(app, words, "${words[2,CURRENT-1]}") << "  case $command in\n";
  std::vector<std::string> places = commands_of(words);
  places.emplace_back();
  for (const std::string& place : places) {
    out << "    " << (place.empty() ? "''" : place) << ") found=(\n";
    for (const Word& word : words) {
      if (word.command == place)
        out << "      " << quoted(word.name + ":" + word.description) << "\n";
    }
    out << "    )";
    if (const std::string actions = actions_of(app, place); !actions.empty()) {
      out << "; [ -n \"$action\" ] || found+=('" << replaced(actions, " ", "' '") << "')";
    }
    out << " ;;\n";
  }
  out << "  esac\n"
      << "  _describe -o " << app.get_name() << " found\n"
      << "  _files\n"
      << "}\n"
      // Sourced, or found by its name in $fpath.
      << "if [ \"$funcstack[1]\" = " << identifier(app) << " ]; then " << identifier(app)
      << " \"$@\"; else compdef " << identifier(app) << " " << app.get_name() << "; fi";
  return out.str();
}

std::string fish(const CLI::App& app) {
  const std::vector<Word> words = words_of(app);
  std::ostringstream out;
  for (const Word& word : words) {
    out << "complete -c " << app.get_name();
    if (!word.command.empty()) {
      out << " -n '__fish_seen_subcommand_from " << word.command << "'";
    } else if (!commands_of(words).empty()) {
      out << " -n __fish_use_subcommand";
    }
    if (word.is_command) {
      out << " -a " << word.name;
    } else {
      const bool is_long = word.name.starts_with("--");
      out << (is_long ? " -l " : " -s ") << word.name.substr(is_long ? 2 : 1);
    }
    if (const std::string fixed = choices(word.value); !fixed.empty()) {
      out << " -x -a '" << fixed << "'";
    } else if (!word.value.empty()) {
      out << " -r";
    }
    // The only two escapes in fish's quotes.
    out << " -d '" << replaced(replaced(word.description, "\\", "\\\\"), "'", "\\'") << "'\n";
  }
  for (const std::string& command : commands_of(words)) {
    const std::string actions = actions_of(app, command);
    if (actions.empty()) continue;
    out << "complete -c " << app.get_name() << " -n '__fish_seen_subcommand_from " << command
        << "; and not __fish_seen_subcommand_from " << actions << "' -a '" << actions << "'\n";
  }
  return out.str();
}

}  // namespace

std::string completions(const CLI::App& app, const std::string& shell) {
  if (shell == "bash") return bash(app);
  return shell == "zsh" ? zsh(app) : fish(app);
}

}  // namespace tictactoe::program
