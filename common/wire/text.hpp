// Text that people typed and other people's terminals will show.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tictactoe::wire {

/// What is wrong with a text that goes to other people's screens.
enum class TextFault : unsigned char {
  not_utf8,
  control_character,  ///< or another that moves the cursor or reorders what stands around it
};

/// Length in Unicode code points of text that is well-formed UTF-8 (RFC 3629: no overlong forms, no
/// surrogates) and holds nothing that could act on a terminal: no C0 or C1 control, DEL, line or
/// paragraph separator, bidirectional control, or invisible filler. O(bytes).
struct TextCheck {
  std::size_t code_points = 0;
  /// Something of it can be seen: not only blanks of any kind and marks that need a letter.
  bool visible = false;
  std::optional<TextFault> fault;
};
TextCheck check_text(std::string_view text);

/// The same text with every byte or character that check_text objects to replaced by U+FFFD, so
/// that it can be put on a terminal whoever sent it.
std::string printable(std::string_view text);

/// The longest start of well-formed `text` that has at most `code_points` of them.
std::string_view first_code_points(std::string_view text, std::size_t code_points);

}  // namespace tictactoe::wire
