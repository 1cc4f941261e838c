// The size and colours of a terminal.
#pragma once

#include <cstdint>

#include "client/terminal/style.hpp"

namespace tictactoe::client {

/// The properties of a terminal that text is laid out for.
struct Look {
  /// Columns and rows that a board may take, with rulers and captions; at least min_columns and
  /// min_rows.
  std::uint32_t columns = 80;
  std::uint32_t rows = 24;
  Colours colours = Colours::none;

  static constexpr std::uint32_t min_columns = 20;
  static constexpr std::uint32_t min_rows = 8;
};

}  // namespace tictactoe::client
