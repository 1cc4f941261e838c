// How text looks on a terminal: the roles of text, and the colours for them.
#pragma once

#include <cstdint>
#include <string_view>

namespace tictactoe::client {

/// The colours of a terminal.
enum class Colours : std::uint8_t {
  none,
  eight,  ///< which the terminal defines
  many,   ///< 256: those from 16 on are the same everywhere
};

/// The role of a piece of text. A style never carries a meaning alone, since a terminal may have
/// neither colour nor bold letters.
enum class Style : std::uint8_t {
  plain,
  faint,  ///< lines, rulers, empty cells
  strong,
  title,  ///< the bar at the top
  x,      ///< X, and everything that belongs to it
  o,
  last,  ///< the last move
  won,   ///< a line that won
  hint,
  cursor,  ///< the cell, row or field of the cursor
  key,     ///< a key that can be pressed
  good,    ///< it is your turn; you have won
  alarm,   ///< refusals, the lost connection
  chat,
  field,  ///< where text is typed
  code,   ///< a QR code: black on white
};
inline constexpr std::uint8_t style_count = 16;

/// The parameters of SGR (select graphic rendition). Text has a contrast of at least 3 on white and
/// on black, because no program knows the terminal's background: of eight colours only magenta has
/// it everywhere. Faint letters and bright black are the background in some palettes.
std::string_view sgr_of(Style style, Colours colours);

}  // namespace tictactoe::client
