#include "client/text/table.hpp"

#include <algorithm>

#include "common/unicode/letters.hpp"

namespace tictactoe::client {

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(unicode::columns_of(text));
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t taken = width_of(text);
  if (taken < width) text.append(width - taken, ' ');
  return text;
}

std::string draw_table(const std::vector<std::vector<std::string>>& lines) {
  std::vector<std::size_t> widths(lines.front().size());
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < widths.size(); ++i)
      widths[i] = std::max(widths[i], width_of(line[i]));
  }
  std::string table;
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < widths.size(); ++i) table.append(padded(line[i], widths[i] + 2));
    table.erase(table.find_last_not_of(' ') + 1);
    table.push_back('\n');
  }
  return table;
}

}  // namespace tictactoe::client
