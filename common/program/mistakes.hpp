// All mistakes in a command line at once.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tictactoe::program {

/// Finds all mistakes in the options of `app` after its parse() has thrown `first`, where CLI11
/// stops. Checks the remaining options, and reads the file of options if parse() has not reached
/// it. Lists the mistakes in the file first. Each is a sentence without control characters. Sets
/// the options that have no mistake.
std::vector<std::string> mistakes_of(CLI::App& app, const CLI::ParseError& first);

/// Says that `word` is not a subcommand of `app`, which has some. Names all.
std::string unknown_command(const CLI::App& app, const std::string& word);

/// The mistakes in the file of options that parse() has read.
std::vector<std::string> mistakes_of_file(const CLI::App& app);

}  // namespace tictactoe::program
