// Checks text that people type and other people's terminals print.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tictactoe::wire {

/// Why a text may not be printed on other people's terminals.
enum class TextFault : unsigned char {
  not_utf8,
  control_character,  ///< a control, or another character that moves the cursor or reorders text
};

/// Length in Unicode code points of text that is well-formed UTF-8 (RFC 3629: no overlong forms, no
/// surrogates) and contains nothing that could control a terminal: no C0 or C1 control, DEL, line
/// or paragraph separator, bidirectional control, or invisible filler. O(bytes).
struct TextCheck {
  std::size_t code_points = 0;
  /// Whether any of it is visible: not only blanks and combining marks.
  bool visible = false;
  std::optional<TextFault> fault;
};
TextCheck check_text(std::string_view text);

/// What check_text refuses the text for, as the rest of a sentence: "contains the invisible
/// character U+200B", or "is not UTF-8 text". Empty if it has no fault.
std::string fault_text(std::string_view text);

/// Whether check_text refuses this character.
bool is_harmful(char32_t code_point);

/// Replaces every byte or character that check_text refuses with U+FFFD, so that the text can be
/// printed on a terminal whatever its origin.
std::string printable(std::string_view text);

/// The text without the UTF-8 byte order mark that some editors write at the begin of a file.
std::string_view without_byte_order_mark(std::string_view text);

/// The longest prefix of well-formed `text` with at most `code_points` code points.
std::string_view first_code_points(std::string_view text, std::size_t code_points);

}  // namespace tictactoe::wire
