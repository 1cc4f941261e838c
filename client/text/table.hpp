// Columns of text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tictactoe::client {

/// Lines of a table of rooms or games. If there are more, it says how many.
inline constexpr std::size_t max_table_rows = 200;
/// Longest name that a table shows whole, in code points, so that a line stays within 80 columns.
inline constexpr std::size_t max_table_name = 16;

/// Columns of a terminal that a sanitized text takes.
std::size_t width_of(std::string_view text);

/// `text` with spaces after it up to `width` columns.
std::string padded(std::string text, std::size_t width);

/// Cells in columns as wide as their widest, two blanks between them; each line ended by a newline
/// and never by blanks. All lines have as many cells as the first.
std::string draw_table(const std::vector<std::vector<std::string>>& lines);

}  // namespace tictactoe::client
