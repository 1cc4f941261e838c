#include "common/program/help.hpp"

#include <algorithm>
#include <cctype>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>

#include "common/program/config_file.hpp"
#include "common/program/wording.hpp"

namespace tictactoe::program {
namespace {

constexpr std::size_t line_width = 80;
constexpr std::size_t name_width = 26;

// Breaks `text` into lines that begin at name_width, except the first.
std::string wrapped(const std::string& text) {
  std::string lines;
  std::size_t column = name_width;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (column > name_width && column + 1 + word.size() > line_width) {
      lines += "\n" + std::string(name_width, ' ');
      column = name_width;
    }
    if (column > name_width) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += word.size();
  }
  return lines;
}

// A name, with its description beside or below it.
std::string entry(std::string name, const std::string& text) {
  if (name.size() + 2 > name_width) {
    name += "\n" + std::string(name_width, ' ');
  } else {
    name.resize(name_width, ' ');
  }
  return name + wrapped(text) + "\n";
}

// CLI11 reports some mistakes before it handles --help, which may be what the user needs.
bool asks_for_help(const CLI::App& app) {
  return app.get_help_ptr()->count() > 0 ||
         std::ranges::any_of(app.get_subcommands(),
                             [](const CLI::App* command) { return asks_for_help(*command); });
}

bool has_unknown_command(const CLI::App& app) {
  const auto words = app.remaining();
  return app.get_subcommands().empty() && !app.get_subcommands({}).empty() && !words.empty() &&
         !words.front().starts_with('-');
}

std::string unknown_command(const CLI::App& app) {
  std::string known;
  for (const CLI::App* const command : app.get_subcommands({})) {
    known.append(known.empty() ? "" : ", ").append(command->get_name());
  }
  return "unknown command \"" + printable(app.remaining().front()) + "\"; there are: " + known;
}

std::vector<std::string> mistakes_of_file(const CLI::App& app) {
  const auto file = std::dynamic_pointer_cast<ConfigFile>(app.get_config_formatter());
  return file ? file->problems() : std::vector<std::string>();
}

// Those of the file of options, and the first of the command line, where CLI11 stops.
std::vector<std::string> mistakes_of(const CLI::App& app, const CLI::ParseError& first) {
  std::vector<std::string> all = mistakes_of_file(app);
  const bool is_extra = dynamic_cast<const CLI::ExtrasError*>(&first) != nullptr;
  const bool is_missing = dynamic_cast<const CLI::RequiredError*>(&first) != nullptr;
  if ((is_extra || is_missing) && has_unknown_command(app)) {
    all.push_back(unknown_command(app));
  } else if (is_extra) {
    std::ranges::copy(unknown_arguments(app), std::back_inserter(all));
    for (const CLI::App* const command : app.get_subcommands()) {
      std::ranges::copy(unknown_arguments(*command), std::back_inserter(all));
    }
  } else {
    all.push_back(in_words(first));
  }
  return all;
}

// Help and --version.
std::optional<std::string> answer_despite_mistakes(const CLI::App& app) {
  if (asks_for_help(app)) return app.help();
  if (app.get_version_ptr()->count() > 0) return app.version() + "\n";
  return std::nullopt;
}

}  // namespace

std::string value_of(const CLI::Option& option) {
  if (option.get_type_size() == 0) return {};
  // CLI11 appends the name of a check to the type.
  const std::string type = option.get_type_name();
  const std::size_t colon = type.find(":{");
  if (colon != std::string::npos) return type.substr(colon + 1);
  const std::size_t bounds = type.find(" in [");
  const std::string name =
      bounds == std::string::npos ? type : type.substr(0, type.rfind(':', bounds));
  return name == "INT" || name == "UINT" || name == "FLOAT" ? "N" : name;
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  std::string name = "  " + make_option_name(option, is_positional);
  // CLI11 marks the negative one of two flags; users need not see that.
  if (const auto mark = name.find("{false}"); mark != std::string::npos) name.erase(mark, 7);
  if (const std::string value = value_of(*option); !value.empty()) name += " " + value;
  std::string text = option->get_description();
  const std::string default_text =
      option->get_option_text().empty() ? option->get_default_str() : option->get_option_text();
  if (!default_text.empty()) text += " [" + default_text + "]";
  if (!option->get_envname().empty()) text += " [$" + option->get_envname() + "]";
  return entry(std::move(name), text);
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return entry("  " + command->get_name(), command->get_description());
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode mode) const {
  std::string page = CLI::Formatter::make_help(app, std::move(name), mode);
  for (std::size_t at = 0; (at = page.find("\n\n\n", at)) != std::string::npos;) page.erase(at, 1);
  return page;
}

void declare_common(CLI::App& app, const std::string& version) {
  auto formatter = std::make_shared<HelpFormatter>();
  formatter->column_width(name_width);
  app.formatter(std::move(formatter));
  app.set_help_flag("-h,--help", "Show this help and exit");
  app.set_version_flag("--version", version, "Show the version and exit");
}

std::optional<int> parse(CLI::App& app, int argc, const char* const* argv) {
  // `help COMMAND` means `COMMAND --help`.
  std::vector<const char*> asked;
  if (argc > 1 && std::string_view(argv[1]) == "help") {
    asked.assign(argv, argv + argc);
    asked.erase(asked.begin() + 1);
    asked.push_back("--help");
  }
  try {
    app.parse(argc, asked.empty() ? argv : asked.data());
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
  } catch (const CLI::CallForVersion& text) {
    std::cout << text.what() << "\n";
  } catch (const CLI::ParseError& error) {
    const auto answer = answer_despite_mistakes(app);
    if (!answer) return complain(app, mistakes_of(app, error));
    std::cout << *answer;
  }
  return std::cout.flush() ? 0 : 1;
}

std::vector<std::string> parse_again(CLI::App& app, const std::vector<std::string>& arguments) {
  std::vector<const char*> argv{app.get_name().c_str()};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  try {
    app.parse(static_cast<int>(argv.size()), argv.data());
  } catch (const CLI::ParseError& error) {
    return mistakes_of(app, error);
  }
  return mistakes_of_file(app);
}

int complain(const CLI::App& app, const std::vector<std::string>& problems) {
  for (const std::string& problem : problems) {
    std::cerr << app.get_name() << ": " << problem << "\n";
  }
  std::cerr << "Run with --help for the options.\n";
  return bad_options;
}

}  // namespace tictactoe::program
