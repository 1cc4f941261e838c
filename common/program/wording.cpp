#include "common/program/wording.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

namespace tictactoe::program {
namespace {

std::string without_dashes(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
  return std::string(word);
}

constexpr std::string_view is_required = " is required";

// The text before, between and after two phrases of CLI11.
struct Parts {
  std::string option;
  std::string value;
  std::string rest;
};

std::optional<Parts> split_at(const std::string& text, std::string_view first,
                              std::string_view second) {
  const std::size_t begin = text.find(first);
  if (begin == std::string::npos) return std::nullopt;
  const std::size_t value = begin + first.size();
  const std::size_t end = text.find(second, value);
  if (end == std::string::npos) return std::nullopt;
  return Parts{text.substr(0, begin), text.substr(value, end - value),
               text.substr(end + second.size())};
}

// "info,warn" as "info, warn".
std::string listed(const std::string& words) {
  std::string text;
  for (const char letter : words) text.append(1, letter).append(letter == ',' ? " " : "");
  return text;
}

// The options of `app` and of the applications that it is a subcommand of.
std::vector<std::string> option_names(const CLI::App* app) {
  std::vector<std::string> names;
  for (; app != nullptr; app = app->get_parent()) {
    for (const CLI::Option* option : app->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        names.push_back(name);
      }
    }
  }
  return names;
}

}  // namespace

std::string counted(std::uint64_t number, std::string_view singular, std::string_view plural) {
  return std::to_string(number).append(" ").append(number == 1 ? singular : plural);
}

std::string printable(std::string text) {
  std::ranges::replace_if(
      text, [](char letter) { return std::iscntrl(static_cast<unsigned char>(letter)) != 0; }, '?');
  return text;
}

std::string in_words(const CLI::ParseError& error) {
  const std::string text = printable(error.what());
  if (const auto part = split_at(text, ": Value ", " not in range ")) {
    return part->option + ": \"" + part->value + "\" is not a number from " + part->rest;
  }
  if (const auto part = split_at(text, ": ", " not in {")) {
    const std::string words = listed(part->rest.substr(0, part->rest.find('}')));
    // Commands are the only arguments with a name in small letters.
    if (part->option.front() >= 'a' && part->option.front() <= 'z') {
      return "unknown command \"" + part->value + "\"; there are: " + words;
    }
    return part->option + ": there is no \"" + part->value + "\"; choose one of " + words;
  }
  if (text.ends_with(is_required) && !text.starts_with('-')) {
    return "missing argument: " + text.substr(0, text.size() - is_required.size());
  }
  if (const auto part = split_at(text, "Could not convert: ", " = ")) {
    return part->value + ": \"" + part->rest + "\" is not a valid number";
  }
  return text;
}

std::vector<std::string> unknown_arguments(const CLI::App& app) {
  std::vector<std::string> sentences;
  const std::vector<std::string> known = option_names(&app);
  bool is_value = false;
  for (const std::string& argument : app.remaining()) {
    const bool is_option = argument.size() > 1 && argument.front() == '-';
    if (is_option) {
      const std::string name = argument.substr(0, argument.find('='));
      const bool is_of_parent = std::ranges::find(known, without_dashes(name)) != known.end();
      sentences.push_back(is_of_parent ? name + " must come before " + app.get_name()
                                       : printable("there is no option " + name));
    } else if (!is_value) {
      sentences.push_back(printable("unexpected argument \"" + argument + "\""));
    }
    is_value = is_option && argument.find('=') == std::string::npos;
  }
  return sentences;
}

}  // namespace tictactoe::program
