#include "common/unicode/letters.hpp"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>
#include <unicode/uspoof.h>
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

// The only character of the text if that is ASCII; otherwise 0.
char32_t only_ascii(const icu::UnicodeString& text) {
  return text.length() == 1 && text[0] < 0x80 ? static_cast<char32_t>(text[0]) : 0;
}

char32_t composed(UChar32 letter) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* const form = icu::Normalizer2::getNFKCInstance(status);
  if (U_FAILURE(status)) return 0;
  return only_ascii(form->normalize(icu::UnicodeString(letter), status));
}

char32_t skeleton(UChar32 letter) {
  UErrorCode status = U_ZERO_ERROR;
  // Immutable once created, so any thread may use it.
  static const USpoofChecker* const checker = uspoof_open(&status);
  icu::UnicodeString result;
  uspoof_getSkeletonUnicodeString(checker, 0, icu::UnicodeString(letter), result, &status);
  return U_FAILURE(status) ? 0 : only_ascii(result);
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

char32_t ascii_of(char32_t letter) {
  if (letter < 0x80) return letter;
  const auto code = static_cast<UChar32>(letter);
  if (const int digit = u_charDigitValue(code); digit >= 0) {
    return U'0' + static_cast<char32_t>(digit);
  }
  if (const char32_t same = composed(code); same != 0) return same;
  const char32_t alike = skeleton(code);
  return alike != 0 ? alike : letter;
}

std::string in_ascii(std::string_view text) {
  std::string result;
  while (!text.empty()) append_utf8(result, ascii_of(take_letter(text)));
  return result;
}

std::string script_of(char32_t letter) {
  UErrorCode status = U_ZERO_ERROR;
  const auto code = static_cast<UChar32>(letter);
  const UScriptCode script = uscript_getScript(code, &status);
  if (U_FAILURE(status) || !u_isalpha(code) || script <= USCRIPT_INHERITED ||
      script == USCRIPT_LATIN) {
    return {};
  }
  std::string name = uscript_getName(script);
  std::ranges::replace(name, '_', ' ');
  return name;
}

}  // namespace tictactoe::unicode
