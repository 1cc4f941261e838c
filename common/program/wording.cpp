#include "common/program/wording.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>
#include <utility>

#include "common/program/suggestion.hpp"

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

std::vector<std::string> split(const std::string& words) {
  std::vector<std::string> parts;
  std::istringstream input(words);
  for (std::string part; std::getline(input, part, ',');) parts.push_back(part);
  return parts;
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

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::string similar = similar_word(without_dashes(word), known);
  const std::string dashes(word.substr(0, std::min(word.find_first_not_of('-'), word.size())));
  return similar.empty() ? similar : "; did you mean " + dashes + similar + "?";
}

std::string in_words(const CLI::ParseError& error) {
  const std::string text = printable(error.what());
  if (const auto part = split_at(text, ": Value ", " not in range ")) {
    return part->option + ": \"" + part->value + "\" is not a number from " + part->rest;
  }
  if (const auto part = split_at(text, ": ", " not in {")) {
    const std::vector<std::string> words = split(part->rest.substr(0, part->rest.find('}')));
    const std::string near = did_you_mean(part->value, words);
    if (!part->option.starts_with('-')) {
      return "unknown command \"" + part->value + "\"" +
             (near.empty() ? "; there are: " + CLI::detail::join(words, ", ") : near);
    }
    return part->option + ": there is no \"" + part->value + "\"" +
           (near.empty() ? "; choose one of " + CLI::detail::join(words, ", ") : near);
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
  std::vector<std::string> meant = known;
  for (const CLI::App* const command : app.get_subcommands()) {
    for (std::string& name : option_names(command)) meant.push_back(std::move(name));
  }
  bool is_value = false;
  for (const std::string& argument : app.remaining()) {
    const bool is_option = argument.size() > 1 && argument.front() == '-';
    if (is_option) {
      const std::string name = argument.substr(0, argument.find('='));
      const bool is_of_parent = std::ranges::find(known, without_dashes(name)) != known.end();
      sentences.push_back(
          is_of_parent ? name + " must come before " + app.get_name()
                       : printable("there is no option " + name + did_you_mean(name, meant)));
    } else if (!is_value) {
      sentences.push_back(printable("unexpected argument \"" + argument + "\""));
    }
    is_value = is_option && argument.find('=') == std::string::npos;
  }
  return sentences;
}

}  // namespace tictactoe::program
