#include "common/program/help.hpp"

#include <algorithm>
#include <cctype>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "common/program/config_file.hpp"
#include "common/program/wording.hpp"

namespace tictactoe::program {
namespace {

constexpr std::size_t line_width = 80;
constexpr std::size_t name_width = 26;

// Breaks `text` into lines that begin at `indent`, except the first.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::string lines;
  std::size_t column = indent;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (column > indent && column + 1 + word.size() > line_width) {
      lines += "\n" + std::string(indent, ' ');
      column = indent;
    }
    if (column > indent) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += word.size();
  }
  return lines;
}

// Breaks paragraphs into lines. A line that begins with a space, such as an example, stays as it
// is.
std::string paragraphs(const std::string& text) {
  std::string lines;
  std::string paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) lines += wrapped(std::exchange(paragraph, {}), 0) + "\n";
  };
  std::istringstream rest(text);
  for (std::string line; std::getline(rest, line);) {
    const bool stays = line.empty() || line.front() == ' ';
    if (stays) {
      end_paragraph();
      lines += line + "\n";
    } else {
      paragraph += line + " ";
    }
  }
  end_paragraph();
  return lines;
}

// Breaks a name that is longer than a line, as with a list of words, after commas.
std::string wrapped_name(std::string name) {
  const std::size_t indent = name.find('{') + 1;
  for (std::size_t begin = 0; name.size() - begin > line_width;) {
    const std::size_t comma = name.rfind(',', begin + line_width - 1);
    if (comma == std::string::npos || comma < begin) break;
    name.insert(comma + 1, "\n" + std::string(indent, ' '));
    begin = comma + 2;
  }
  return name;
}

// A name, with its description beside or below it.
std::string entry(std::string name, const std::string& text) {
  if (name.size() + 2 > name_width) {
    name = wrapped_name(std::move(name)) + "\n" + std::string(name_width, ' ');
  } else {
    name.resize(name_width, ' ');
  }
  return name + wrapped(text, name_width) + "\n";
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

HelpFormatter::HelpFormatter() {
  column_width(name_width);
}

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

std::string HelpFormatter::make_description(const CLI::App* app) const {
  return paragraphs(CLI::Formatter::make_description(app));
}

std::string HelpFormatter::make_footer(const CLI::App* app) const {
  return paragraphs(CLI::Formatter::make_footer(app));
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode mode) const {
  std::string page = CLI::Formatter::make_help(app, std::move(name), mode);
  for (std::size_t at = 0; (at = page.find("\n\n\n", at)) != std::string::npos;) page.erase(at, 1);
  return page;
}

void declare_common(CLI::App& app, const std::string& version) {
  app.formatter(std::make_shared<HelpFormatter>());
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
  return 0;
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

int finish(const std::string& program, int status) {
  if (std::cout.flush()) return status;
  std::cerr << program << ": can't write to standard output\n";
  return 1;
}

}  // namespace tictactoe::program
