#include "common/record/cell.hpp"

#include <algorithm>
#include <charconv>

namespace tictactoe::record {
namespace {

constexpr std::uint32_t letters = 26;

// 1 for a; 0 if it is no letter.
std::uint32_t letter_value(char character) {
  if (character >= 'a' && character <= 'z') return static_cast<std::uint32_t>(character - 'a') + 1;
  if (character >= 'A' && character <= 'Z') return static_cast<std::uint32_t>(character - 'A') + 1;
  return 0;
}

template <class Number>
std::optional<Number> parse_digits(std::string_view text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

}  // namespace

std::string column_name(std::uint32_t col) {
  // Digits of a number system without a zero: a is 1, z is 26, aa is 27. 64 bits always suffice for
  // col + 1.
  std::string name;
  for (std::uint64_t rest = std::uint64_t{col} + 1; rest > 0; rest = (rest - 1) / letters) {
    name.push_back(static_cast<char>('a' + (rest - 1) % letters));
  }
  std::reverse(name.begin(), name.end());
  return name;
}

std::string cell_name(Cell cell) {
  return column_name(cell.col) + std::to_string(std::uint64_t{cell.row} + 1);
}

std::optional<Cell> parse_cell_name(std::string_view text) {
  std::uint32_t col = 0;
  std::size_t used = 0;
  while (used < text.size() && letter_value(text[used]) > 0) {
    if (used == max_column_letters) return std::nullopt;
    col = col * letters + letter_value(text[used++]);
  }
  const auto row = parse_number(text.substr(used));
  if (used == 0 || !row || *row == 0) return std::nullopt;
  return Cell{*row - 1, col - 1};
}

std::optional<std::uint32_t> parse_number(std::string_view text) {
  return parse_digits<std::uint32_t>(text);
}

std::optional<std::uint64_t> parse_id(std::string_view text) {
  return parse_digits<std::uint64_t>(text);
}

}  // namespace tictactoe::record
