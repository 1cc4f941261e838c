// What the keys of the full screen do; the commands of the line front end are in command.hpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tictactoe::client {

/// Lines of at most 60 columns; those in capital letters are headings.
std::span<const std::string_view> key_help();

/// Says that the command of a capital letter waits for a number, which would make it a cell.
/// `is_column`: of this board.
std::string capital_text(char letter, bool is_column);

}  // namespace tictactoe::client
