#include "common/rules/types.hpp"

#include <algorithm>

namespace tictactoe::rules {

std::optional<std::string> Rules::problem() const {
  const auto side_problem = [](const char* what, int side) -> std::optional<std::string> {
    if (side >= 1 && side <= max_side) return std::nullopt;
    return "a board has 1 to " + std::to_string(max_side) + " " + what + ", not " +
           std::to_string(side);
  };
  if (auto problem = side_problem("rows", rows)) return problem;
  if (auto problem = side_problem("columns", cols)) return problem;
  const int longest = std::max(rows, cols);
  if (longest < 3) return "a board needs a side of at least 3";
  if (k < 3 || k > longest) {
    return "a win takes 3 to " + std::to_string(longest) + " in a row on this board, not " +
           std::to_string(k);
  }
  return std::nullopt;
}

}  // namespace tictactoe::rules
