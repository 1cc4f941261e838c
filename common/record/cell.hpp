// Cells of the board as people write them: b3 is the second column, third row.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tictactoe::record {

/// A cell of the board, counted from 0 at the top left.
struct Cell {
  std::uint32_t row = 0;
  std::uint32_t col = 0;
  friend bool operator==(const Cell&, const Cell&) = default;
};

/// The most letters of a column's name: enough for 18,278 columns.
inline constexpr std::size_t max_column_letters = 3;

/// a to z, then aa, ab ... az, ba ... zz, aaa ...
std::string column_name(std::uint32_t col);

/// Column and row together, as in "b3".
std::string cell_name(Cell cell);

/// Reads what cell_name writes, in small or capital letters. Returns nothing unless the text is
/// letters followed by a number from 1.
std::optional<Cell> parse_cell_name(std::string_view text);

/// Reads a number. Returns nothing unless the text is only digits and fits the type.
std::optional<std::uint32_t> parse_number(std::string_view text);
/// Like parse_number(), for the number of a game.
std::optional<std::uint64_t> parse_id(std::string_view text);

}  // namespace tictactoe::record
