#include "client/screen/picture.hpp"

#include <gtest/gtest.h>

namespace tictactoe::screen {
namespace {

TEST(Picture, of_a_wide_letter_no_half_is_left) {
  Picture picture({4, 1});
  picture.put({0, 0}, U'\u4E16', Style::plain);
  picture.put({2, 0}, U'\u754C', Style::plain);
  picture.put({1, 0}, U'\u754C', Style::plain);
  EXPECT_EQ(picture.text(), " \u754C\n");
  picture.put({3, 0}, U'\u4E16', Style::plain);
  EXPECT_EQ(picture.text(), " \u754C\n");
}

TEST(Picture, has_no_control_characters) {
  Picture picture({3, 1});
  for (int x = 0; x < 3; ++x) {
    picture.put({x, 0}, x == 0 ? char32_t{0x1B} : char32_t{0x9B}, Style::plain);
  }
  EXPECT_EQ(picture.text(), "\uFFFD\uFFFD\uFFFD\n");
}

using Lines = std::vector<std::string>;

TEST(Wrapped, is_broken_between_words) {
  EXPECT_EQ(wrapped("one two three", 7), (Lines{"one two", "three"}));
  EXPECT_EQ(wrapped("\u4E16\u754C \u4E16", 5), (Lines{"\u4E16\u754C", "\u4E16"}));
  EXPECT_EQ(wrapped("", 7), Lines{""});
}

TEST(Wrapped, breaks_a_word_that_is_too_long_behind_a_hyphen_if_it_can) {
  EXPECT_EQ(wrapped("an extraordinarily-long-hyphenated word", 20),
            (Lines{"an", "extraordinarily-", "long-hyphenated word"}));
  EXPECT_EQ(wrapped("a/path/to/a/file", 10), (Lines{"a/path/to/", "a/file"}));
  EXPECT_EQ(wrapped("abcdefgh", 3), (Lines{"abc", "def", "gh"}));
  EXPECT_EQ(wrapped("\u4E16\u754C", 1), (Lines{"\u4E16", "\u754C"}));
}

}  // namespace
}  // namespace tictactoe::screen
