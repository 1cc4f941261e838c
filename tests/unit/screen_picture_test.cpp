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

}  // namespace
}  // namespace tictactoe::screen
