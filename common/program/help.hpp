// --help, generated from the declared options of a program, and the parsing of its arguments.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tictactoe::program {

inline constexpr int bad_options = 2;

/// Formats --help for 80 columns. Fills the paragraphs of descriptions and footers, and leaves
/// lines that begin with a space, such as examples. Shows the value of an option beside its name;
/// its default (its option_text, if it has one) and its environment variable after the description.
/// Bounds are not shown; the error about a value that exceeds them names them.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_description(const CLI::App* app) const override;
  std::string make_footer(const CLI::App* app) const override;
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
};

/// Adds what all programs have: the formatter and --version. Subcommands that are added later
/// inherit the formatter.
void declare_common(CLI::App& app, const std::string& version);

/// Parses the command line; `help COMMAND` is another form of `COMMAND --help`. Returns nothing if
/// the program should continue. Otherwise returns its exit status for finish(): 0 after it printed
/// help or version, `bad_options` after it complained about the mistakes of the file of options and
/// the first one of the command line. If only the file has mistakes, the program should continue:
/// ConfigFile::problems() has them.
std::optional<int> parse(CLI::App& app, int argc, const char* const* argv);
/// Parses the arguments of the running process again, with the file that they name. Returns the
/// mistakes. Prints nothing.
std::vector<std::string> parse_again(CLI::App& app, const std::vector<std::string>& arguments);
/// Prints the mistakes in the options. Returns `bad_options`.
int complain(const CLI::App& app, const std::vector<std::string>& problems);

/// Flushes standard output at the end of a program. Returns `status`, or 1 after a sentence if the
/// output can't be written.
int finish(const std::string& program, int status);

/// The value of an option, for example "PORT", or a list of words, for example "{info,warn}". Empty
/// for a flag.
std::string value_of(const CLI::Option& option);

}  // namespace tictactoe::program
