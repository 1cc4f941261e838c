// What the keys of the full screen do; the commands of the line front end are in command.hpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tictactoe::client {

/// Lines of at most 60 columns; those in capital letters are headings.
std::span<const std::string_view> key_help();

/// What a capital letter that may begin a cell waits for.
std::string capital_text(char letter);

}  // namespace tictactoe::client
