// Columns of text.
#pragma once

#include <string>
#include <vector>

namespace tictactoe::console {

/// Cells in columns as wide as their widest, two blanks between them; each line ended by a newline
/// and never by blanks. All lines have as many cells as the first.
std::string draw_table(const std::vector<std::vector<std::string>>& lines);

}  // namespace tictactoe::console
