#include "common/wire/text.hpp"

#include <gtest/gtest.h>

namespace tictactoe::wire {
namespace {

TEST(Text, counts_code_points) {
  EXPECT_EQ(check_text("").code_points, 0u);
  EXPECT_EQ(check_text("Zo\u00EB").code_points, 3u);
  EXPECT_EQ(check_text("\u4E09\u76EE").code_points, 2u);
  EXPECT_EQ(check_text("\U0001F600!").code_points, 2u);
  EXPECT_FALSE(check_text("Zo\u00EB \u4E09 \U0001F600").fault);
}

TEST(Text, refuses_what_is_not_utf8) {
  for (const std::string_view bad : {
           "\x80",              // continuation without a lead
           "a\xC3",             // ends too early
           "\xC0\xAF",          // overlong slash
           "\xE0\x80\xAF",      // the same in three bytes
           "\xED\xA0\x80",      // a surrogate
           "\xF4\x90\x80\x80",  // past the last code point
           "\xF0\x80\x80\x80",  // overlong in four
           "\xFF",
       }) {
    EXPECT_EQ(check_text(bad).fault, TextFault::not_utf8);
  }
}

TEST(Text, refuses_what_acts_on_a_terminal) {
  for (const std::string_view bad : {
           std::string_view("\0", 1),
           std::string_view("\n"),
           std::string_view("a\tb"),
           std::string_view("\x1B[2J"),
           std::string_view("\x7F"),
           std::string_view("\u009B2J"),   // the C1 form of ESC [
           std::string_view("\u202Eabc"),  // right-to-left override
           std::string_view("\u2028"),
           std::string_view("\u200B"),
           std::string_view("\uFEFF"),
       }) {
    EXPECT_EQ(check_text(bad).fault, TextFault::control_character);
  }
}

TEST(Text, every_byte_string_is_made_printable) {
  EXPECT_EQ(printable("plain \u00EB"), "plain \u00EB");
  EXPECT_EQ(printable("a\x1B[2Jb\xFF"), "a\uFFFD[2Jb\uFFFD");
  // Every pair of bytes, at the end of a text and in the middle of it.
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string pair{static_cast<char>(first), static_cast<char>(second)};
      ASSERT_FALSE(check_text(printable(pair)).fault) << first << " " << second;
      ASSERT_FALSE(check_text(printable(pair + "x")).fault) << first << " " << second;
    }
  }
}

TEST(Text, that_is_invisible_is_not_visible_text) {
  for (const std::string_view nothing :
       {"", "   ", "\u00A0", "\u3000", "\u2003", "\u2800", "\u115F", "\u034F", "\u0301\u0301"}) {
    EXPECT_FALSE(check_text(nothing).visible) << nothing;
  }
  for (const std::string_view something : {"a", " a", "e\u0301", "\u4E09", "\U0001F600"}) {
    EXPECT_TRUE(check_text(something).visible) << something;
  }
}

TEST(Text, is_cut_between_code_points) {
  EXPECT_EQ(first_code_points("Zo\u00EBs", 3), "Zo\u00EB");
  EXPECT_EQ(first_code_points("ab", 5), "ab");
  EXPECT_EQ(first_code_points("ab", 0), "");
}

}  // namespace
}  // namespace tictactoe::wire
