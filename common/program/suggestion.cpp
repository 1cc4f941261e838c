#include "common/program/suggestion.hpp"

#include <algorithm>
#include <cstddef>

namespace tictactoe::program {
namespace {

// Changes that make one word of the other: the distance of "optimal string alignment".
std::size_t distance(std::string_view from, std::string_view to) {
  const std::size_t width = to.size() + 1;
  std::vector<std::size_t> table((from.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& {
    return table[i * width + j];
  };
  for (std::size_t i = 0; i <= from.size(); ++i) at(i, 0) = i;
  for (std::size_t j = 0; j <= to.size(); ++j) at(0, j) = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = at(i - 1, j - 1) + (from[i - 1] == to[j - 1] ? 0 : 1);
      at(i, j) = std::min({replaced, at(i - 1, j) + 1, at(i, j - 1) + 1});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return at(from.size(), to.size());
}

}  // namespace

std::string similar_word(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t max_bytes = 64;  // the word may be anything
  std::string best;
  std::size_t least = word.size();
  if (word.size() > max_bytes) return best;
  for (const std::string& candidate : known) {
    const std::size_t changes = distance(word, candidate);
    if (changes > std::max(word.size(), candidate.size()) / 3 || changes >= least) continue;
    best = candidate;
    least = changes;
  }
  return best;
}

}  // namespace tictactoe::program
