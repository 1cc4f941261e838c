// How our programs tell of their options: --help, and completions for shells, all from one list.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tictactoe::program {

inline constexpr int bad_options = 2;
inline const std::vector<std::string> completed_shells{"bash", "zsh", "fish"};

/// A page of --help that fits 80 columns: what an option takes beside its name; its default (as its
/// option_text, where it has one) and its environment variable after what it does. Bounds are told
/// to who oversteps them.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
};

/// What all our programs have: this formatter, --version, and --completions SHELL, which is told of
/// in the README alone. Subcommands that are added later inherit the formatter.
void declare_common(CLI::App& app, const std::string& version);

/// Parses. Nothing where the program is to go on, else its exit status: 0 once it has printed what
/// was asked for, `bad_options` after complain().
std::optional<int> parse(CLI::App& app, int argc, const char* const* argv);
/// Tells of mistakes in the options; returns `bad_options`.
int complain(const CLI::App& app, const std::vector<std::string>& problems);

/// What an option takes, as "PORT"; a list where it is one of a few words, as "{info,warn}"; empty
/// where it is a flag.
std::string value_of(const CLI::Option& option);

/// A script for one of `completed_shells` that completes the options and subcommands of `app`. All
/// names come from `app`, so that none can be forgotten.
std::string completions(const CLI::App& app, const std::string& shell);

}  // namespace tictactoe::program
