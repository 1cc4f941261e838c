// Sentences about a room that is to be created, for the `create` command and for the form.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tictactoe::client {

// What is wrong with a part of it, and what to write instead.
inline constexpr std::string_view room_name_missing = "The room's name is missing.";
inline constexpr std::string_view board_help =
    "A board is given as rows x columns, such as 15x15, or 15x15x5 for 5 in a row.";
inline constexpr std::string_view k_help = "This is the number of marks in a row that win.";
inline constexpr std::string_view clock_help =
    "A clock is 5m or 5m+3s for each side's whole game, or 30s/move; units are s, m and h.";

/// What the server is asked, until it answers.
inline constexpr std::string_view asking_the_server = "Asking the server ...";

/// Says that the number of marks in a row has followed the size of the board.
std::string k_adapted_text(std::uint32_t rows, std::uint32_t cols, std::uint32_t k);

}  // namespace tictactoe::client
