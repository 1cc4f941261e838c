// Which names are allowed, against tables made by hand.

// Before rapidcheck/gtest.h, which needs it.
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "server/limits/parse.hpp"
#include "server/lobby/taken_names.hpp"

namespace tictactoe::server::names_tests {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Characters that are never part of a name, from the charts of Unicode: controls, blanks, format
// characters and fillers. Joiners and variation selectors depend on what is beside them.
constexpr std::array never{
    Range{0x00, 0x1F},       Range{0x7F, 0xA0},       Range{0xAD, 0xAD},
    Range{0x034F, 0x034F},   Range{0x061C, 0x061C},   Range{0x115F, 0x1160},
    Range{0x1680, 0x1680},   Range{0x17B4, 0x17B5},   Range{0x180B, 0x180F},
    Range{0x2000, 0x200B},   Range{0x200E, 0x200F},   Range{0x2028, 0x202F},
    Range{0x205F, 0x206F},   Range{0x2800, 0x2800},   Range{0x3000, 0x3000},
    Range{0x3164, 0x3164},   Range{0xE000, 0xF8FF},   Range{0xFE00, 0xFE0E},
    Range{0xFEFF, 0xFEFF},   Range{0xFFA0, 0xFFA0},   Range{0xFFF0, 0xFFFF},
    Range{0x1BCA0, 0x1BCA3}, Range{0x1D173, 0x1D17A}, Range{0xE0000, 0x10FFFF}};

bool is_never(char32_t point) {
  return std::ranges::any_of(
      never, [&](const Range& range) { return point >= range.first && point <= range.last; });
}

// RFC 3629.
std::string utf8(char32_t point) {
  const auto byte = [](char32_t bits) { return static_cast<char>(bits); };
  const auto more = [&](int shift) { return byte(0x80 | (point >> shift & 0x3F)); };
  if (point < 0x80) return {byte(point)};
  if (point < 0x800) return {byte(0xC0 | point >> 6), more(0)};
  if (point < 0x10000) return {byte(0xE0 | point >> 12), more(6), more(0)};
  return {byte(0xF0 | point >> 18), more(12), more(6), more(0)};
}

bool is_allowed(const std::string& name) {
  return parse_name(name, "room", Limits{}).has_value();
}

TEST(Names, of_any_single_character_follow_the_charts) {
  for (char32_t point = 0; point < 0x20000; ++point) {
    if (point >= 0xD800 && point < 0xE000) continue;  // no characters
    if (!is_never(point)) continue;
    EXPECT_FALSE(is_allowed("a" + utf8(point) + "b")) << std::hex << std::uint32_t{point};
  }
  // Whole alphabets and syllabaries, from the first to the last character.
  for (const Range& letters : {
           Range{'a', 'z'}, Range{0x00C0, 0x00D6},  // Latin with diacritics
           Range{0x0391, 0x03A1},                   // Greek
           Range{0x0410, 0x044F},                   // Cyrillic
           Range{0x0531, 0x0556},                   // Armenian
           Range{0x05D0, 0x05EA},                   // Hebrew
           Range{0x0620, 0x063A},                   // Arabic
           Range{0x0905, 0x0939},                   // Devanagari
           Range{0x0E01, 0x0E30},                   // Thai
           Range{0x10D0, 0x10F0},                   // Georgian
           Range{0x1780, 0x17A2},                   // Khmer
           Range{0x3041, 0x3096},                   // Hiragana
           Range{0x30A1, 0x30FA},                   // Katakana
           Range{0x4E00, 0x9FFF},                   // Han
           Range{0xAC00, 0xD7A3},                   // Hangul
           Range{0x1F600, 0x1F64F},                 // Emoji
       }) {
    for (char32_t point = letters.first; point <= letters.last; ++point) {
      EXPECT_TRUE(is_allowed(utf8(point) + utf8(point))) << std::hex << std::uint32_t{point};
    }
  }
}

std::string text_of(const std::vector<std::uint32_t>& points) {
  std::string text;
  for (const std::uint32_t next : points) text += utf8(next);
  return text;
}

rc::Gen<std::string> any_name() {
  const auto point = rc::gen::oneOf(
      rc::gen::inRange<std::uint32_t>('a', 'z' + 1), rc::gen::inRange<std::uint32_t>(0x20, 0x3000),
      rc::gen::elementOf(std::vector<std::uint32_t>{
          ' ',    '(',    ')',    '-',     'I',     'l',   '1',   '0',    'O',   0x200C,
          0x200D, 0xFE0F, 0x0301, 0x1F98A, 0x1F469, 0x430, 0x3B1, 0x4E00, 0x94D, 0x915}));
  return rc::gen::map(rc::gen::container<std::vector<std::uint32_t>>(point), text_of);
}

// Of one script, with blanks and marks: mostly allowed.
rc::Gen<std::string> any_plain_name() {
  const auto letters = rc::gen::elementOf(std::vector<std::uint32_t>{
      'a', 'A', 0xE0, 0x3B1, 0x430, 0x5D0, 0x628, 0x905, 0x3041, 0x4E00, 0xAC00, 0x1F600});
  return rc::gen::mapcat(letters, [](std::uint32_t first) {
    const auto point =
        rc::gen::weightedOneOf<std::uint32_t>({{8, rc::gen::inRange(first, first + 20)},
                                               {1, rc::gen::just<std::uint32_t>(' ')},
                                               {1, rc::gen::just<std::uint32_t>(0x308)}});
    return rc::gen::map(rc::gen::resize(20, rc::gen::container<std::vector<std::uint32_t>>(point)),
                        text_of);
  });
}

RC_GTEST_PROP(Names, that_are_allowed_stay_as_they_are, ()) {
  const auto name = parse_name(*any_plain_name(), "room", Limits{});
  RC_PRE(name.has_value());
  RC_ASSERT(*parse_name(*name, "room", Limits{}) == *name);
  RC_ASSERT(*parse_saved_name(*name, "room", Limits{}) == *name);
  RC_ASSERT(name->front() != ' ' && name->back() != ' ');
}

RC_GTEST_PROP(Names, stay_the_same_name_whatever_invisible_characters_are_added, ()) {
  const auto name = parse_name(*any_plain_name(), "room", Limits{});
  RC_PRE(name.has_value());
  TakenNames names({1, 2});
  names.add(*name);
  const std::string hidden = *rc::gen::elementOf(
      std::vector<std::string>{"\u200B", "\u200C", "\u200D", "\u2060", "\uFE0F", "\uFEFF"});
  const std::string changed = *rc::gen::arbitrary<bool>() ? *name + hidden : hidden + *name;
  RC_ASSERT(names.contains(changed));
  names.remove(*name);
  RC_ASSERT(!names.contains(changed));
}

RC_GTEST_PROP(Names, without_parentheses_or_reserved_words_may_be_those_of_players, ()) {
  const std::string typed = *any_name();
  const bool room = is_allowed(typed);
  const bool player = parse_player_name(typed, Limits{}).has_value();
  RC_ASSERT(room || !player);
  if (typed.find_first_of("()") != std::string::npos) RC_ASSERT(!player);
}

}  // namespace
}  // namespace tictactoe::server::names_tests
