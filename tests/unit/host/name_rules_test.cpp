#include "server/limits/name_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/limits/parse.hpp"
#include "server/lobby/taken_names.hpp"

namespace tictactoe::server::name_rules_tests {
namespace {

using ::testing::HasSubstr;

TEST(NameRules, allow_names_in_every_living_script) {
  for (const std::string_view name : {
           "alice",
           "Zoë",
           "Łukasz Żółć",
           "O'Brien-Smith",
           "Nguyễn Thị Ánh",
           "D’Angelo",
           "x",
           "42",
           "player_1!",
           "Ελένη",
           "Саша",
           "Нора",  // Cyrillic letters that all look like Latin ones
           "Ольга Іваненко",
           "Արամ",
           "ნინო",
           "אברהם",
           "שָׁלוֹם",  // with points
           "محمد",
           "نیم‌فاصله",  // Persian, with the U+200C that it needs
           "राम",
           "क्‍ष",  // with a U+200D that changes the shape of the letters
           "தமிழ்",
           "ශ්‍රී",
           "সুমন",
           "สมชาย",
           "ເສດ",
           "မောင်",
           "សុខា",
           "བསྟན་འཛིན",
           "አበበ",
           "ᏣᎳᎩ",
           "山田太郎",
           "たろう",
           "タロー",
           "山田 Taro",
           "王小明",
           "ㄅㄆㄇ王 Bob",
           "김철수",
           "김 Kim",
           "🦊",
           "fox 🦊",
           "👩‍🚀",      // one emoji of two with U+200D
           "👩🏽‍🚀",  // the same with a colour of skin
           "🏳️‍🌈",   // with U+FE0F and U+200D
           "❤️",                // with U+FE0F
           "1️⃣",                // a keycap
           "🇨🇭",
       }) {
    EXPECT_EQ(name_problem(normalized_name(name)), std::nullopt) << name;
    EXPECT_TRUE(parse_player_name(name, Limits{})) << name;
    EXPECT_TRUE(parse_name(name, "room", Limits{})) << name;
  }
}

struct Refused {
  std::string_view name;
  std::string_view reason;
};

TEST(NameRules, refuse_names_with_the_reason) {
  for (const Refused& refused : {
           Refused{"al\u00A0ice", "replace U+00A0"},
           Refused{"al\u3000ice", "replace U+3000"},
           Refused{"al\u2007ice", "replace U+2007"},
           Refused{"alice\u200D", "remove U+200D"},
           Refused{"al\u200Dice", "remove U+200D"},
           Refused{"al\u200Cice", "remove U+200C"},
           Refused{"alice\uFE0F", "remove U+FE0F"},
           Refused{"1\uFE0F", "remove U+FE0F"},
           Refused{"\u200Dalice", "remove U+200D"},
           Refused{"\U0001F98A\u200D", "remove U+200D"},
           Refused{"\U0001F98A\u200Dalice", "remove U+200D"},
           Refused{"राम\u200D", "remove U+200D"},
           Refused{"राम\u200C", "remove U+200C"},
           Refused{"alice\uFFA0", "remove U+FFA0"},
           Refused{"alice\u3164", "remove U+3164"},
           Refused{"alice\u115F", "remove U+115F"},
           Refused{"alice\u2800", "remove U+2800"},
           Refused{"alice\u200B", "remove U+200B"},
           Refused{"alice\u00AD", "remove U+00AD"},
           Refused{"alice\u034F", "remove U+034F"},
           Refused{"alice\u2060", "remove U+2060"},
           Refused{"alice\u202E", "remove U+202E"},
           Refused{"alice\u2066", "remove U+2066"},
           Refused{"alice\uFEFF", "remove U+FEFF"},
           Refused{"alice\U000E0041", "remove U+E0041"},
           Refused{"alice\U000E0100", "remove U+E0100"},
           Refused{"alice\uE000", "remove U+E000"},  // for private use
           Refused{"alice\u0378", "remove U+0378"},  // not assigned
           Refused{"alice\uFFFD", "remove U+FFFD"},
           Refused{"alice\n", "control characters"},
           Refused{"al\tice", "control characters"},
           Refused{"\u0301alice", "begin with a combining mark"},
           Refused{"a\u0316\u0317\u0318\u0319\u031Clice", "so many marks"},
           Refused{"a\u0316\u0316lice", "marks that can't be seen"},
           Refused{"\u0430lice", "different scripts"},        // Cyrillic a
           Refused{"al\u0456ce", "different scripts"},        // Cyrillic i
           Refused{"\u03B1lice", "different scripts"},        // Greek alpha
           Refused{"ali\u217De\u0441", "different scripts"},  // Cyrillic es
           Refused{"Σαша", "different scripts"},
           Refused{"محمد bob", "different scripts"},
           Refused{"1\u0967", "digits"},  // with a Devanagari one
           Refused{"", "at least one visible"},
           Refused{"   ", "at least one visible"},
           Refused{"\u00A0\u3000", "at least one visible"},
           Refused{"a\xC3", "UTF-8"},
       }) {
    const auto parsed = parse_name(refused.name, "room", Limits{});
    ASSERT_FALSE(parsed) << refused.name;
    EXPECT_THAT(parsed.error().message, HasSubstr(refused.reason)) << refused.name;
    EXPECT_EQ(parsed.error().code, v1::Error::CODE_INVALID_NAME);
  }
}

TEST(NameRules, refuse_players_who_look_like_a_role) {
  for (const std::string_view name : {
           "AI (suggester)",
           "alice (you)",
           "alice (away)",
           "alice (X)",
           "(",
           "alice)",
           "AI （suggester）",  // full width
           "alice ⁽you⁾",
           "alice ❨you❩",
           "AI",
           "ai",
           "АІ",    // Cyrillic letters
           "ＡＩ",  // full width
           "You",
           "you",
           "forgotten-17",
           "Forgotten-17",
       }) {
    const auto parsed = parse_player_name(name, Limits{});
    EXPECT_FALSE(parsed) << name;
  }
  for (const std::string_view name : {"Al", "Ai Weiwei", "Yousef", "forgotten", "AI fan", "[x]"}) {
    EXPECT_TRUE(parse_player_name(name, Limits{})) << name;
  }
  EXPECT_TRUE(parse_name("the den (quiet)", "room", Limits{}));
}

TEST(NameRules, remove_blanks_of_every_script_at_the_ends) {
  for (const std::string_view name :
       {"alice", " alice", "alice  ", "alice\u00A0", "\u3000alice\u3000", "\u2003 alice \u202F"}) {
    EXPECT_EQ(normalized_name(name), "alice") << name;
    EXPECT_EQ(*parse_player_name(name, Limits{}), "alice") << name;
  }
}

TEST(NameRules, normalize_to_form_c) {
  EXPECT_EQ(normalized_name("Zoe\u0308"), "Zo\u00EB");
  EXPECT_EQ(normalized_name("\u1100\u1161"), "\uAC00");  // Hangul
  EXPECT_EQ(normalized_name("a\xC3"), "a\xC3");
  // 24 letters with 48 marks, which form C needs no code points for.
  std::string name;
  for (int i = 0; i < 24; ++i) name += "o\u0302\u0301";
  EXPECT_TRUE(parse_name(name, "room", Limits{}));
}

TEST(NameRules, are_not_applied_to_a_name_that_is_too_long) {
  std::string name;
  for (int i = 0; i < 1000; ++i) name += "\u0430a";
  EXPECT_THAT(parse_name(name, "room", Limits{}).error().message, HasSubstr("at most 24"));
}

TEST(NameRules, names_of_earlier_versions_can_be_loaded) {
  for (const std::string_view name :
       {"AI (suggester)", "al\u00A0ice", "\u0430lice", "alice\u200D"}) {
    const auto parsed = parse_saved_name(name, "player", Limits{});
    ASSERT_TRUE(parsed) << name;
    EXPECT_EQ(*parsed, name);
  }
  EXPECT_FALSE(parse_saved_name("a\x1B", "player", Limits{}));
  EXPECT_FALSE(parse_saved_name("", "player", Limits{}));
}

// Alike
// ---------------------------------------------------------------------------------------------

struct Pair {
  std::string_view first;
  std::string_view second;
};

TEST(TakenNames, names_that_look_alike_are_the_same) {
  for (const Pair& pair : {
           Pair{"alice", "alice"},
           Pair{"alice", "Alice"},
           Pair{"alice", "ALICE"},
           Pair{"alice", "aIice"},  // with a capital I
           Pair{"alice", "a1ice"},
           Pair{"Alice", "AIice"},
           Pair{"bob", "b0b"},
           Pair{"STRASSE", "straße"},
           Pair{"Hopa", "Нора"},  // Latin and Cyrillic
           Pair{"paypal", "раураl"},
           Pair{"alice", "ａｌｉｃｅ"},
           Pair{"modern", "modem"},
           Pair{"the den", "the  den"},
           Pair{"क्ष", "क्‍ष"},
       }) {
    TakenNames names({1, 2});
    names.add(pair.first);
    EXPECT_TRUE(names.contains(pair.second)) << pair.first << " " << pair.second;
    names.remove(pair.first);
    EXPECT_FALSE(names.contains(pair.second)) << pair.first << " " << pair.second;
  }
}

TEST(TakenNames, other_names_are_not_the_same) {
  TakenNames names({1, 2});
  names.add("alice");
  for (const std::string_view other : {"bob", "alic", "alice-2", "alicë", "Алиса", "アリス"}) {
    EXPECT_FALSE(names.contains(other)) << other;
  }
}

TEST(TakenNames, a_name_that_was_loaded_twice_is_taken_until_both_are_removed) {
  TakenNames names({1, 2});
  names.add("alice");
  names.add("Alice");
  names.remove("alice");
  EXPECT_TRUE(names.contains("alice"));
  names.remove("Alice");
  EXPECT_FALSE(names.contains("alice"));
}

}  // namespace
}  // namespace tictactoe::server::name_rules_tests
