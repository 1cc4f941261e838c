#include "client/screen/keys.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "client/screen/letters.hpp"
#include "client/screen/line_field.hpp"

namespace tictactoe::screen {
namespace {

using Name = Key::Name;

std::vector<Input> read(std::string_view bytes, std::size_t step) {
  KeyReader reader;
  std::vector<Input> all;
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    for (const Input& input : reader.feed(bytes.substr(at, step))) all.push_back(input);
  }
  for (const Input& input : reader.end_of_sequence()) all.push_back(input);
  return all;
}

TEST(Keys, AreTheSameHoweverTheirBytesCome) {
  const std::string bytes =
      "a\u00E9\u4E16\r\t\x7F\x15\033[A\033OB\033[1;5C\033[D\033[H\033[F\033[3~\033[5~\033[6~\033[Z"
      "\033[<0;5;7M\033[<0;5;7m\033[<64;1;1M\033[<65;200;100M\033[99~\033[?1;2cz\033";
  const std::vector<Input> wanted = {
      letter_key(U'a'),
      letter_key(U'\u00E9'),
      letter_key(U'\u4E16'),
      Key{Name::enter, 0},
      Key{Name::tab, 0},
      Key{Name::backspace, 0},
      Key{Name::control, U'u'},
      Key{Name::up, 0},
      Key{Name::down, 0},
      Key{Name::right, 0},
      Key{Name::left, 0},
      Key{Name::home, 0},
      Key{Name::end, 0},
      Key{Name::remove, 0},
      Key{Name::page_up, 0},
      Key{Name::page_down, 0},
      Key{Name::back_tab, 0},
      Mouse{Mouse::Action::press, {4, 6}},
      Mouse{Mouse::Action::wheel_up, {0, 0}},
      Mouse{Mouse::Action::wheel_down, {199, 99}},
      letter_key(U'z'),
      Key{Name::escape, 0},
  };
  for (std::size_t step = 1; step <= bytes.size(); ++step)
    EXPECT_EQ(read(bytes, step), wanted) << step;
}

TEST(Keys, AnEscapeIsUndecidedUntilItIsAlone) {
  KeyReader reader;
  EXPECT_TRUE(reader.feed("\033").empty());
  EXPECT_TRUE(reader.undecided());
  EXPECT_EQ(reader.end_of_sequence(), std::vector<Input>{(Key{Name::escape, 0})});
  EXPECT_FALSE(reader.undecided());
  EXPECT_EQ(reader.feed("\033\033").size(), 1U);
}

TEST(Keys, GarbageIsSwallowedAndForgotten) {
  KeyReader reader;
  EXPECT_TRUE(reader.feed("\033[" + std::string(10'000, '1')).empty());
  EXPECT_TRUE(reader.end_of_sequence().empty());
  EXPECT_FALSE(reader.undecided());
  for (const char* bytes : {"\xC0\x80", "\xFF", "\xED\xA0\x80", "\xC2\x9B", "\x01\x00"}) {
    for (const Input& input : KeyReader().feed(bytes)) {
      EXPECT_NE(std::get<Key>(input).name, Name::letter) << bytes;
    }
  }
}

TEST(Letters, TakeTheirColumns) {
  EXPECT_EQ(columns_of("abc"), 3);
  EXPECT_EQ(columns_of("e\u0301"), 1);
  EXPECT_EQ(columns_of("\u4E16\u754C"), 4);
  EXPECT_EQ(columns_of("\U0001F600"), 2);
  EXPECT_EQ(columns_of("\u2588\u2500\u25B8\u25CF\u2591"), 5);
  EXPECT_EQ(fitted("\u4E16\u754C\u4E16", 5), "\u4E16\u754C\u2026");
  EXPECT_EQ(fitted("\u4E16\u754C\u4E16", 4), "\u4E16\u2026");
  EXPECT_EQ(fitted("abc", 0), "");
}

TEST(Letters, ComeBackFromUtf8) {
  for (const char32_t letter : {U'a', U'\u00E9', U'\u20AC', U'\U0001F600', char32_t{0x10FFFF}}) {
    std::string text;
    append_utf8(text, letter);
    std::string_view rest = text;
    EXPECT_EQ(take_letter(rest), letter);
    EXPECT_TRUE(rest.empty());
  }
}

TEST(Picture, OfAWideLetterNoHalfIsLeft) {
  Picture picture({4, 1});
  picture.put({0, 0}, U'\u4E16', Style::plain);
  picture.put({2, 0}, U'\u754C', Style::plain);
  picture.put({1, 0}, U'\u754C', Style::plain);
  EXPECT_EQ(picture.text(), " \u754C\n");
  picture.put({3, 0}, U'\u4E16', Style::plain);
  EXPECT_EQ(picture.text(), " \u754C\n");
}

TEST(Picture, HasNoControlCharacters) {
  Picture picture({3, 1});
  for (int x = 0; x < 3; ++x) {
    picture.put({x, 0}, x == 0 ? char32_t{0x1B} : char32_t{0x9B}, Style::plain);
  }
  EXPECT_EQ(picture.text(), "\uFFFD\uFFFD\uFFFD\n");
}

TEST(LineField, IsEdited) {
  LineField field(5);
  const auto press = [&](Name name, char32_t letter = 0) { field.press({name, letter}); };
  for (const char32_t letter : U"abcdefg") {
    if (letter != 0) field.press(letter_key(letter));
  }
  EXPECT_EQ(field.text(), "abcde");
  press(Name::left);
  press(Name::backspace);
  press(Name::home);
  press(Name::remove);
  EXPECT_EQ(field.text(), "bce");
  field.set("one two");
  EXPECT_EQ(field.text(), "one t");
  press(Name::control, U'w');
  EXPECT_EQ(field.text(), "one ");
  press(Name::control, U'u');
  EXPECT_TRUE(field.empty());
  EXPECT_FALSE(field.press({Name::enter, 0}));
}

TEST(LineField, ShowsWhereOneTypes) {
  LineField field;
  field.set("abcdefghij");
  Picture picture({6, 1});
  EXPECT_EQ(field.draw(Canvas(picture), Style::field), 5);
  EXPECT_EQ(picture.text(), "fghij\n");
  field.press({Name::home, 0});
  EXPECT_EQ(field.draw(Canvas(picture), Style::field, true), 0);
  EXPECT_EQ(picture.text(), "******\n");
}

}  // namespace
}  // namespace tictactoe::screen
