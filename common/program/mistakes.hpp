// All mistakes in a command line at once.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tictactoe::program {

/// Every mistake in the options of `app`, whose parse() has thrown `first`, the first one: CLI11
/// stops there. This checks the remaining options, and reads the file of options if parse() has not
/// come that far. The mistakes in the file come first. Each is a sentence without control
/// characters. Options without a mistake have their values afterwards.
std::vector<std::string> mistakes_of(CLI::App& app, const CLI::ParseError& first);

/// A sentence for people who gave `word` in the place of a subcommand of `app`, which has some. It
/// names the one that is most like it, or all.
std::string unknown_command(const CLI::App& app, const std::string& word);

/// The mistakes in the file of options that parse() has read.
std::vector<std::string> mistakes_of_file(const CLI::App& app);

}  // namespace tictactoe::program
