// The structure of what a terminal sends. It is known without knowing the keys, so a key that
// nobody knows takes its own bytes with it and no others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tictactoe::client {

/// The first character or sequence of a terminal's bytes. The views are parts of them.
struct Sequence {
  enum class Kind : std::uint8_t {
    character,  ///< of UTF-8, or a control character; `text` has its bytes
    escape,     ///< ESC that begins nothing
    alt,        ///< ESC and a character, which `text` has
    csi,        ///< "ESC [", parameters, intermediates, a final byte
    ss3,        ///< "ESC O", parameters, a final byte
    mouse,      ///< the old form of a mouse report: `text` has its three bytes
    nothing,    ///< a string, a sequence that breaks off, or a key in a form of its own
  };
  Kind kind = Kind::nothing;
  std::size_t length = 0;  ///< in bytes, at least 1
  std::string_view text = {};
  std::string_view parameters = {};
  std::string_view intermediates = {};
  char final = 0;
  bool after_escape = false;  ///< of csi and ss3: another ESC came first
};

/// Follows ECMA-48, in its forms of 7 and 8 bits: a control sequence that meets a byte it can't
/// hold ends before it, and so does a string that meets an ESC. One whose parameters follow
/// intermediates is ignored up to its final byte. Beyond ECMA-48: parameters after
/// SS3 (old xterm, konsole), "ESC [ [ A" (Linux console), "ESC [ 7 $" (rxvt), two ESC before a
/// sequence (Alt in rxvt and PuTTY), and the keys of vim's terminal, which begin with 0x80.
/// Empty if more bytes are needed. `bytes` must not be empty. O(length of the sequence).
std::optional<Sequence> first_sequence(std::string_view bytes);

}  // namespace tictactoe::client
