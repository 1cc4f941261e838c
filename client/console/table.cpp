#include "client/console/table.hpp"

#include <algorithm>

#include "client/console/shown.hpp"

namespace tictactoe::console {

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

}  // namespace tictactoe::console
