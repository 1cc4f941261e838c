// What the keys of the full screen do; the commands of the line front end are in command.hpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tictactoe::client {

/// Lines of at most 60 columns; those in capital letters are headings.
std::span<const std::string_view> key_help();

/// Says that a capital letter waits for a number, which would make it a cell.
std::string capital_text(char letter);

}  // namespace tictactoe::client
