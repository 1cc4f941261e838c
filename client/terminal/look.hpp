// What a terminal looks like.
#pragma once

#include <cstdint>

namespace tictactoe::client {

/// What text is made for.
struct Look {
  /// Columns and rows that a board may take, its rulers and captions included. Never fewer than
  /// min_columns and min_rows are used.
  std::uint32_t columns = 80;
  std::uint32_t rows = 24;
  bool colour = false;

  static constexpr std::uint32_t min_columns = 20;
  static constexpr std::uint32_t min_rows = 8;
};

}  // namespace tictactoe::client
