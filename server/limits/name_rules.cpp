#include "server/limits/name_rules.hpp"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uspoof.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "common/wire/text.hpp"

namespace tictactoe::server {
namespace {

using icu::UnicodeString;
using Points = std::vector<UChar32>;

constexpr UChar32 non_joiner = 0x200C;
constexpr UChar32 joiner = 0x200D;
constexpr UChar32 emoji_style = 0xFE0F;
constexpr UChar32 keycap = 0x20E3;

// ICU's data for checks and skeletons. Immutable once created, so any thread may use it.
const USpoofChecker* checker() {
  static const USpoofChecker* const made = [] {
    UErrorCode status = U_ZERO_ERROR;
    USpoofChecker* checker = uspoof_open(&status);
    uspoof_setRestrictionLevel(checker, USPOOF_HIGHLY_RESTRICTIVE);
    uspoof_setChecks(
        checker,
        USPOOF_RESTRICTION_LEVEL | USPOOF_INVISIBLE | USPOOF_MIXED_NUMBERS | USPOOF_HIDDEN_OVERLAY,
        &status);
    assert(U_SUCCESS(status));
    return checker;
  }();
  return made;
}

const icu::Normalizer2& form_c() {
  static const icu::Normalizer2* const form = [] {
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2* found = icu::Normalizer2::getNFCInstance(status);
    assert(U_SUCCESS(status));
    return found;
  }();
  return *form;
}

UnicodeString decoded(std::string_view text) {
  return UnicodeString::fromUTF8({text.data(), static_cast<std::int32_t>(text.size())});
}

std::string encoded(const UnicodeString& text) {
  std::string bytes;
  return text.toUTF8String(bytes);
}

Points points_of(const UnicodeString& text) {
  Points points(static_cast<std::size_t>(text.countChar32()));
  UErrorCode status = U_ZERO_ERROR;
  text.toUTF32(points.data(), static_cast<std::int32_t>(points.size()), status);
  return points;
}

bool is_blank(UChar32 point) {
  return u_charType(point) == U_SPACE_SEPARATOR;
}

bool is_mark(UChar32 point) {
  return (U_MASK(u_charType(point)) & U_GC_M_MASK) != 0;
}

bool is_letter(UChar32 point) {
  return (U_MASK(u_charType(point)) & U_GC_L_MASK) != 0;
}

bool is_pictograph(UChar32 point) {
  return u_hasBinaryProperty(point, UCHAR_EXTENDED_PICTOGRAPHIC) != 0;
}

bool is_virama(UChar32 point) {
  constexpr std::uint8_t virama_class = 9;
  return u_getCombiningClass(point) == virama_class;
}

// Of any script and form. The names of characters never change.
bool is_parenthesis(UChar32 point) {
  constexpr std::size_t max_name = 100;
  std::array<char, max_name> name{};
  UErrorCode status = U_ZERO_ERROR;
  const int length = u_charName(point, U_UNICODE_CHAR_NAME, name.data(),
                                static_cast<std::int32_t>(name.size()), &status);
  return U_SUCCESS(status) &&
         std::string_view(name.data(), static_cast<std::size_t>(length)).find("PARENTHES") !=
             std::string_view::npos;
}

// Blanks that Unicode counts as letters, marks or symbols.
bool is_unmarked_blank(UChar32 point) {
  static constexpr std::array blanks{0x2800, 0xFFFC, 0xFFFD, 0x13441, 0x13442, 0x16FE4, 0x1D159};
  return std::ranges::find(blanks, point) != blanks.end();
}

bool is_invisible(UChar32 point) {
  if (u_hasBinaryProperty(point, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0) return true;
  if (is_unmarked_blank(point)) return true;
  // Pictographs of later versions of Unicode are already assigned.
  if (u_charType(point) == U_UNASSIGNED) return !is_pictograph(point);
  constexpr std::uint32_t refused =
      U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CS_MASK | U_GC_CO_MASK | U_GC_ZL_MASK | U_GC_ZP_MASK;
  return (U_MASK(u_charType(point)) & refused) != 0;
}

// The joining type of the nearest character in the direction of `step` that joins cursively.
int joining_type(const Points& name, std::size_t at, std::ptrdiff_t step) {
  for (auto next = static_cast<std::ptrdiff_t>(at) + step; next >= 0 && next < std::ssize(name);
       next += step) {
    const int type =
        u_getIntPropertyValue(name[static_cast<std::size_t>(next)], UCHAR_JOINING_TYPE);
    if (type != U_JT_TRANSPARENT) return type;
  }
  return U_JT_NON_JOINING;
}

// By RFC 5892, appendix A.1: after a virama, and where cursive letters would join.
bool may_be_non_joiner(const Points& name, std::size_t at) {
  if (at == 0 || at + 1 == name.size()) return false;
  if (is_virama(name[at - 1])) return is_letter(name[at + 1]);
  const int before = joining_type(name, at, -1);
  const int after = joining_type(name, at, 1);
  return (before == U_JT_LEFT_JOINING || before == U_JT_DUAL_JOINING) &&
         (after == U_JT_RIGHT_JOINING || after == U_JT_DUAL_JOINING);
}

// By RFC 5892, appendix A.2: after a virama; and between two emoji that are displayed as one.
bool may_be_joiner(const Points& name, std::size_t at) {
  if (at == 0 || at + 1 == name.size()) return false;
  if (is_virama(name[at - 1])) return is_letter(name[at + 1]);
  std::size_t before = at - 1;
  while (before > 0 && (name[before] == emoji_style ||
                        u_hasBinaryProperty(name[before], UCHAR_EMOJI_MODIFIER) != 0)) {
    --before;
  }
  return is_pictograph(name[before]) && is_pictograph(name[at + 1]);
}

bool may_be_emoji_style(const Points& name, std::size_t at) {
  if (at == 0) return false;
  constexpr UChar32 first_beyond_ascii = 0x80;
  if (name[at - 1] < first_beyond_ascii) return at + 1 < name.size() && name[at + 1] == keycap;
  return u_hasBinaryProperty(name[at - 1], UCHAR_EMOJI) != 0;
}

bool is_needed(const Points& name, std::size_t at) {
  switch (name[at]) {
    case non_joiner:
      return may_be_non_joiner(name, at);
    case joiner:
      return may_be_joiner(name, at);
    case emoji_style:
      return may_be_emoji_style(name, at);
    default:
      return false;
  }
}

// As in "U+200D".
std::string number_of(UChar32 point) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "U+%04X", static_cast<unsigned>(point));
  return text.data();
}

std::optional<std::string> character_problem(const Points& name) {
  constexpr int max_marks = 4;  // by UTS #39, section 5.4
  int marks = 0;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const UChar32 point = name[at];
    if (u_charType(point) == U_CONTROL_CHAR) return "must not contain control characters.";
    if (point != ' ' && is_blank(point)) {
      return "must not contain whitespace other than spaces: replace " + number_of(point) + ".";
    }
    if (is_invisible(point) && !is_needed(name, at)) {
      return "must not contain invisible characters: remove " + number_of(point) + ".";
    }
    marks = is_mark(point) ? marks + 1 : 0;
    if (marks > max_marks) return "must not have so many marks on one letter: remove some.";
  }
  if (!name.empty() && is_mark(name.front())) {
    return "must not begin with a combining mark.";
  }
  return std::nullopt;
}

// Removes what is invisible: a run of spaces looks like one.
UnicodeString visible(const UnicodeString& name) {
  UnicodeString text;
  bool after_space = false;
  for (const UChar32 point : points_of(name)) {
    if (u_hasBinaryProperty(point, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0) continue;
    if (point != ' ' || !after_space) text.append(point);
    after_space = point == ' ';
  }
  return text;
}

UnicodeString skeleton(const UnicodeString& text) {
  UErrorCode status = U_ZERO_ERROR;
  UnicodeString result;
  // This type of check belongs to obsolete versions of Unicode.
  uspoof_getSkeletonUnicodeString(checker(), 0, text, result, &status);
  return U_SUCCESS(status) ? result : text;
}

UnicodeString without_case(UnicodeString text) {
  return text.foldCase();
}

}  // namespace

std::string normalized_name(std::string_view name) {
  if (wire::check_text(name).fault == wire::TextFault::not_utf8) return std::string(name);
  const UnicodeString text = decoded(name);
  std::int32_t begin = 0;
  std::int32_t end = text.length();
  while (begin < end && is_blank(text.char32At(begin))) begin = text.moveIndex32(begin, 1);
  while (end > begin && is_blank(text.char32At(end - 1))) end = text.moveIndex32(end, -1);
  UErrorCode status = U_ZERO_ERROR;
  const UnicodeString form = form_c().normalize(text.tempSubStringBetween(begin, end), status);
  return U_SUCCESS(status) ? encoded(form) : std::string(name);
}

std::optional<std::string> name_problem(std::string_view name) {
  const UnicodeString text = decoded(name);
  if (auto problem = character_problem(points_of(text))) return problem;
  UErrorCode status = U_ZERO_ERROR;
  const std::int32_t failed = uspoof_check2UnicodeString(checker(), text, nullptr, &status);
  if (U_FAILURE(status)) return "can't be checked: choose another.";
  if ((failed & USPOOF_RESTRICTION_LEVEL) != 0) {
    return "must not mix letters of different scripts, such as Latin and Cyrillic: it could be "
           "mistaken for another name.";
  }
  if ((failed & USPOOF_MIXED_NUMBERS) != 0) return "must not mix digits of different scripts.";
  if (failed != 0) return "must not contain marks that can't be seen: remove some.";
  return std::nullopt;
}

std::optional<std::string> role_problem(std::string_view name) {
  const UnicodeString text = decoded(name);
  const UnicodeString plain = skeleton(text);
  const Points points = points_of(text);
  if (plain.indexOf(u'(') >= 0 || plain.indexOf(u')') >= 0 ||
      std::ranges::any_of(points, is_parenthesis)) {
    return "must not contain parentheses, which mark roles, as in \"AI (suggester)\".";
  }
  // Not the other key, which doesn't tell "AI" from "Al".
  static const std::string ai = look_alike_keys("AI")[1];
  static const std::string you = look_alike_keys("you")[1];
  static const std::string forgotten = look_alike_keys("forgotten-")[1];
  const std::string key = look_alike_keys(name)[1];
  if (key == ai || key == you || key.starts_with(forgotten)) {
    return "is reserved: choose another.";
  }
  return std::nullopt;
}

std::array<std::string, 2> look_alike_keys(std::string_view name) {
  const UnicodeString seen = visible(decoded(name));
  return {encoded(without_case(skeleton(seen))), encoded(skeleton(without_case(seen)))};
}

void load_name_rules() {
  look_alike_keys("a");
  name_problem(normalized_name("a"));
}

}  // namespace tictactoe::server
