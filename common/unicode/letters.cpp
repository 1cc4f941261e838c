#include "common/unicode/letters.hpp"

#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cstdint>

namespace tictactoe::unicode {
namespace {

constexpr std::size_t max_sequence_bytes = 4;
constexpr char32_t ellipsis = U'\u2026';

bool combines(UChar32 letter) {
  if ((U_GET_GC_MASK(letter) & (U_GC_MN_MASK | U_GC_ME_MASK | U_GC_CF_MASK)) != 0) return true;
  // The vowel and the final consonant of a Hangul syllable join the letter before them.
  const int hangul = u_getIntPropertyValue(letter, UCHAR_HANGUL_SYLLABLE_TYPE);
  return hangul == U_HST_VOWEL_JAMO || hangul == U_HST_TRAILING_JAMO;
}

}  // namespace

// The macros of ICU convert between the kinds of bytes.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
char32_t take_letter(std::string_view& text) {
  const auto length = static_cast<std::int32_t>(std::min(text.size(), max_sequence_bytes));
  std::int32_t taken = 0;
  UChar32 letter = 0;
  // NOLINTNEXTLINE(bugprone-inc-dec-in-conditions): inside the macro
  U8_NEXT_OR_FFFD(text.data(), taken, length, letter);
  text.remove_prefix(static_cast<std::size_t>(taken));
  return static_cast<char32_t>(letter);
}

void append_utf8(std::string& text, char32_t letter) {
  const bool valid = letter <= 0x10FFFF && !U_IS_SURROGATE(letter);
  char bytes[max_sequence_bytes];
  std::size_t length = 0;
  U8_APPEND_UNSAFE(bytes, length, valid ? letter : replacement);
  text.append(bytes, length);
}
#pragma GCC diagnostic pop

int columns_of(char32_t letter) {
  if (letter < 0x300) return 1;  // most texts; nothing there combines or is wide
  const auto code = static_cast<UChar32>(letter);
  if (combines(code)) return 0;
  const int width = u_getIntPropertyValue(code, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
}

int columns_of(std::string_view text) {
  int columns = 0;
  while (!text.empty()) columns += columns_of(take_letter(text));
  return columns;
}

std::string fitted(std::string_view text, int columns) {
  if (columns <= 0) return {};
  if (columns_of(text) <= columns) return std::string(text);
  std::string start;
  int used = 1;  // the ellipsis
  while (!text.empty()) {
    const char32_t letter = take_letter(text);
    used += columns_of(letter);
    if (used > columns) break;
    append_utf8(start, letter);
  }
  append_utf8(start, ellipsis);
  return start;
}

std::string folded(std::string_view text) {
  std::string result;
  icu::UnicodeString::fromUTF8({text.data(), static_cast<std::int32_t>(text.size())})
      .foldCase()
      .toUTF8String(result);
  return result;
}

}  // namespace tictactoe::unicode
