#include "common/unicode/letters.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tictactoe::unicode::unicode_letters_tests {
namespace {

std::vector<char32_t> letters_of(std::string_view text) {
  std::vector<char32_t> letters;
  while (!text.empty()) letters.push_back(take_letter(text));
  return letters;
}

TEST(Letters, every_code_point_survives_utf8) {
  for (char32_t letter = 0; letter <= 0x10FFFF; ++letter) {
    if (letter == 0xD800) letter = 0xE000;  // surrogates are no characters
    std::string text;
    append_utf8(text, letter);
    std::string_view rest = text;
    ASSERT_EQ(take_letter(rest), letter);
    ASSERT_TRUE(rest.empty());
  }
}

TEST(Letters, ill_formed_bytes_become_replacements) {
  EXPECT_EQ(letters_of("a\xFF"
                       "b"),
            (std::vector<char32_t>{U'a', replacement, U'b'}));
  EXPECT_EQ(letters_of("\xC3").front(), replacement);
  EXPECT_EQ(letters_of("\xC0\x80").front(), replacement);
  EXPECT_EQ(letters_of("\xED\xA0\x80").front(), replacement);
  std::string text;
  append_utf8(text, 0xD800);
  append_utf8(text, 0x110000);
  EXPECT_EQ(text, "\uFFFD\uFFFD");
}

TEST(Letters, take_columns_as_unicode_says) {
  EXPECT_EQ(columns_of("abc"), 3);
  EXPECT_EQ(columns_of("e\u0301"), 1);
  EXPECT_EQ(columns_of("\u4E16\u754C"), 4);
  EXPECT_EQ(columns_of("\U0001F600"), 2);
  EXPECT_EQ(columns_of("\u2588\u2500\u25B8\u25CF\u2591"), 5);
  EXPECT_EQ(columns_of("\u1112\u1161\u11AB"), 2);  // one Hangul syllable in three parts
  EXPECT_EQ(columns_of("\u200D"), 0);
}

TEST(Letters, a_text_is_cut_at_a_whole_letter) {
  EXPECT_EQ(fitted("abc", 3), "abc");
  EXPECT_EQ(fitted("\u4E16\u754C\u4E16", 5), "\u4E16\u754C\u2026");
  EXPECT_EQ(fitted("\u4E16\u754C\u4E16", 4), "\u4E16\u2026");
  EXPECT_EQ(fitted("abc", 0), "");
}

TEST(Letters, case_folding_makes_texts_comparable) {
  EXPECT_EQ(folded("\u00C4RGER"), folded("\u00E4rger"));
  EXPECT_EQ(folded("STRASSE"), folded("Stra\u00DFe"));
  EXPECT_EQ(folded("\u03A3\u03AF\u03C3\u03C5\u03C6\u03BF\u03C2"),
            folded("\u03C3\u03AF\u03C3\u03C5\u03C6\u03BF\u03C3"));
  EXPECT_NE(folded("arena"), folded("arenas"));
}

TEST(Letters, look_like_ascii_or_are_of_another_script) {
  EXPECT_EQ(in_ascii("\u0441\uFF12\u0663\u3000\u00D7"), "c23 x");
  EXPECT_EQ(in_ascii("caf\u00E9 \u0438 \U0001F600"), "caf\u00E9 \u0438 \U0001F600");
  EXPECT_EQ(script_of(U'\u0438'), "Cyrillic");
  EXPECT_EQ(script_of(U'\u4E16'), "Han");
  EXPECT_EQ(script_of(U'\u00E9'), "");
  EXPECT_EQ(script_of(U'\U0001F600'), "");
}

}  // namespace
}  // namespace tictactoe::unicode::unicode_letters_tests
