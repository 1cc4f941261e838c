// Error messages about command lines.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tictactoe::program {

/// "1 player" or "2 players".
std::string counted(std::uint64_t number, std::string_view singular, std::string_view plural);

/// Replaces control characters, as arguments and files can contain anything.
std::string printable(std::string text);

/// The mistake as a sentence, without CLI11's abbreviations and without control characters, which
/// arguments can contain.
std::string in_words(const CLI::ParseError& error);

/// Sentences about the arguments that `app`, an application or a subcommand, does not know. The
/// word after an unknown option counts as its value.
std::vector<std::string> unknown_arguments(const CLI::App& app);

}  // namespace tictactoe::program
