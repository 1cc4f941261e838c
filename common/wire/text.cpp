#include "common/wire/text.hpp"

#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

namespace tictactoe::wire {
namespace {

struct Decoded {
  char32_t code_point = 0;
  std::size_t bytes = 1;
  bool well_formed = false;
};

// The macros of ICU convert between the kinds of bytes.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
// The first character of a text that is not empty.
Decoded decode(std::string_view text) {
  constexpr std::size_t max_sequence_bytes = 4;
  const auto length = static_cast<std::int32_t>(std::min(text.size(), max_sequence_bytes));
  std::int32_t taken = 0;
  UChar32 point = 0;
  // NOLINTNEXTLINE(bugprone-inc-dec-in-conditions): inside the macro
  U8_NEXT(text.data(), taken, length, point);
  if (point < 0) return {};
  return {static_cast<char32_t>(point), static_cast<std::size_t>(taken), true};
}
#pragma GCC diagnostic pop

// Characters that are invisible by themselves: blanks of every script, and marks that combine with
// the letter before them.
bool is_blank(char32_t point) {
  return point == ' ' || point == 0xA0 || (point >= 0x0300 && point <= 0x036F) || point == 0x115F ||
         point == 0x1160 || point == 0x1680 || (point >= 0x2000 && point <= 0x200F) ||
         point == 0x202F || point == 0x205F || point == 0x2800 || point == 0x3000 ||
         (point >= 0xFE00 && point <= 0xFE0F) || point == 0xFFA0;
}

}  // namespace

bool is_harmful(char32_t code_point) {
  return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0) || code_point == 0xAD ||
         code_point == 0x061C || code_point == 0x180E || code_point == 0x200B ||
         code_point == 0x200E || code_point == 0x200F ||
         (code_point >= 0x2028 && code_point <= 0x202E) ||
         (code_point >= 0x2060 && code_point <= 0x206F) || code_point == 0x3164 ||
         code_point == 0xFEFF || (code_point >= 0xFFF9 && code_point <= 0xFFFB) ||
         (code_point >= 0xE0000 && code_point <= 0xE0FFF);
}

TextCheck check_text(std::string_view text) {
  TextCheck check;
  while (!text.empty()) {
    const Decoded next = decode(text);
    if (!next.well_formed) return {check.code_points, check.visible, TextFault::not_utf8};
    if (is_harmful(next.code_point)) check.fault = TextFault::control_character;
    if (!is_blank(next.code_point)) check.visible = true;
    ++check.code_points;
    text.remove_prefix(next.bytes);
  }
  return check;
}

std::string fault_text(std::string_view text) {
  const TextCheck check = check_text(text);
  if (!check.fault) return {};
  if (check.fault == TextFault::not_utf8) return "is not UTF-8 text";
  Decoded next = decode(text);
  while (!is_harmful(next.code_point)) {
    text.remove_prefix(next.bytes);
    next = decode(text);
  }
  const char32_t point = next.code_point;
  const bool is_control = point < 0x20 || (point >= 0x7F && point < 0xA0);
  std::array<char, 16> code{};
  std::snprintf(code.data(), code.size(), "U+%04X", static_cast<unsigned>(point));
  return std::string("contains the ") + (is_control ? "control" : "invisible") + " character " +
         code.data();
}

std::string printable(std::string_view text) {
  constexpr std::string_view replacement = "\xEF\xBF\xBD";
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const Decoded next = decode(text);
    const bool harmless = next.well_formed && !is_harmful(next.code_point);
    shown.append(harmless ? text.substr(0, next.bytes) : replacement);
    text.remove_prefix(next.bytes);
  }
  return shown;
}

std::string_view first_code_points(std::string_view text, std::size_t code_points) {
  std::size_t bytes = 0;
  while (bytes < text.size() && code_points-- > 0) bytes += decode(text.substr(bytes)).bytes;
  return text.substr(0, bytes);
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (text.starts_with(mark)) text.remove_prefix(mark.size());
  return text;
}

}  // namespace tictactoe::wire
