#include "client/terminal/keys.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tictactoe::client {
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

void expect_always(const std::string& bytes, const std::vector<Input>& wanted) {
  for (std::size_t step = 1; step <= bytes.size(); ++step)
    EXPECT_EQ(read(bytes, step), wanted) << step;
}

TEST(Keys, are_the_same_however_their_bytes_come) {
  expect_always(
      "a\u00E9\u4E16\r\t\x7F\x15\033[A\033OB\033[1;5C\033[D\033[H\033[F\033[3~\033[5~\033[6~\033[Z"
      "\033OM\033[<0;5;7M\033[<0;5;7m\033[<64;1;1M\033[<65;200;100M\033[99~\033[?1;2cz\033",
      {
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
          Key{Name::enter, 0},
          Mouse{Mouse::Action::press, {4, 6}},
          Mouse{Mouse::Action::wheel_up, {0, 0}},
          Mouse{Mouse::Action::wheel_down, {199, 99}},
          letter_key(U'z'),
          Key{Name::escape, 0},
      });
}

TEST(Keys, bytes_that_are_not_utf8_take_no_key_with_them) {
  // Latin-1: the first byte announces two more.
  expect_always("\xE4\r", {Key{Name::enter, 0}});
  expect_always("\xF0\x9F\x03", {Key{Name::control, U'c'}});
  expect_always("\xF0\x9F\033[A", {Key{Name::up, 0}});
  expect_always("\xC3\xC3\xA9", {letter_key(U'\u00E9')});
  expect_always("\x80\xFF\x03", {Key{Name::control, U'c'}});
}

TEST(Keys, a_mouse_report_of_the_old_form_is_no_key) {
  // A press at column 51 ('R' + 1), row 1; its release; the wheel; then a key.
  expect_always("\033[M R!\033[M#R!\033[M`!!q", {
                                                    Mouse{Mouse::Action::press, {49, 0}},
                                                    Mouse{Mouse::Action::wheel_up, {0, 0}},
                                                    letter_key(U'q'),
                                                });
}

TEST(Keys, pasted_text_is_no_key) {
  expect_always("a\033[200~R\ny\033[A\033[<0;5;7M\x03\u4E16\033[20\033[201~b",
                {
                    letter_key(U'a'),
                    Paste{"R\ny\033[A\033[<0;5;7M\x03\u4E16\033[20"},
                    letter_key(U'b'),
                });
}

TEST(Keys, a_paste_is_cut_at_its_limit) {
  KeyReader reader;
  EXPECT_TRUE(reader.feed("\033[200~" + std::string(2 * KeyReader::max_paste, 'x')).empty());
  const auto inputs = reader.feed("\033[201~y");
  ASSERT_EQ(inputs.size(), 2U);
  EXPECT_EQ(std::get<Paste>(inputs[0]).text.size(), KeyReader::max_paste);
  EXPECT_EQ(inputs[1], Input(letter_key(U'y')));
}

TEST(Keys, only_its_mark_ends_a_paste) {
  KeyReader reader;
  EXPECT_TRUE(reader.feed("\033[200~look at this\r").empty());
  EXPECT_FALSE(reader.wait());
  EXPECT_TRUE(reader.end_of_sequence().empty());
  EXPECT_EQ(reader.feed("resign\r\033[201~q"),
            (std::vector<Input>{Paste{"look at this\rresign\r"}, letter_key(U'q')}));
}

// What arrives if each part comes when the time to wait for it is over, or nearly over.
std::vector<Input> read_slowly(const std::vector<std::string>& parts) {
  KeyReader reader;
  std::vector<Input> all;
  const auto add = [&](const std::vector<Input>& inputs) {
    all.insert(all.end(), inputs.begin(), inputs.end());
  };
  for (const std::string& part : parts) {
    add(reader.feed(part));
    if (reader.wait() && *reader.wait() < std::chrono::seconds(1)) add(reader.end_of_sequence());
  }
  return all;
}

TEST(Keys, a_slow_link_makes_no_keys_of_a_sequence) {
  const Key escape{Name::escape, 0};
  const Mouse press{Mouse::Action::press, {0, 9}};
  const Paste paste{"resign\r"};
  using Inputs = std::vector<Input>;
  EXPECT_EQ(read_slowly({"\033[20", "0~resign\r\033[20", "1~"}), Inputs{paste});
  EXPECT_EQ(read_slowly({"\033[M", " !", "*"}), Inputs{press});
  EXPECT_EQ(read_slowly({"\033[<0;1", ";10M"}), Inputs{press});
  EXPECT_EQ(read_slowly({"\033O", "A"}), (Inputs{Key{Name::up, 0}}));
  EXPECT_EQ(read_slowly({"\033]0;R", "\a"}), Inputs{});
  // A lone ESC can't wait for so long. What follows is no key even so.
  EXPECT_EQ(read_slowly({"\033", "[200~resign\r\033[201~"}), (Inputs{escape, paste}));
  EXPECT_EQ(read_slowly({"\033", "[20", "0~resign\r\033[201~"}), (Inputs{escape, paste}));
  EXPECT_EQ(read_slowly({"\033", "[<0;1;10M"}), (Inputs{escape, press}));
  EXPECT_EQ(read_slowly({"\033", "[M !*"}), (Inputs{escape, press}));
  EXPECT_EQ(read_slowly({"\033", "[", "<"}), (Inputs{escape, letter_key(U'['), letter_key(U'<')}));
}

TEST(Keys, answers_of_the_terminal_are_no_keys) {
  expect_always("\033]11;rgb:0000/0000/0000\033\\\033]0;R\a\033P1$r0m\033\\\033[?62;4cx",
                {letter_key(U'x')});
}

TEST(Keys, an_escape_is_undecided_until_it_is_alone) {
  KeyReader reader;
  EXPECT_FALSE(reader.wait());
  EXPECT_TRUE(reader.feed("\033").empty());
  EXPECT_EQ(reader.wait(), std::chrono::milliseconds(30));
  EXPECT_EQ(reader.end_of_sequence(), std::vector<Input>{(Key{Name::escape, 0})});
  EXPECT_FALSE(reader.wait());
  EXPECT_EQ(reader.feed("\033\033").size(), 1U);
}

TEST(Keys, garbage_is_dropped_and_forgotten) {
  KeyReader reader;
  for (const char* start : {"\033[", "\033]"}) {
    EXPECT_TRUE(reader.feed(start + std::string(10'000, '1')).empty());
    EXPECT_TRUE(reader.end_of_sequence().empty());
    EXPECT_FALSE(reader.wait());
  }
  for (const char* bytes : {"\xC0\x80", "\xFF", "\xED\xA0\x80", "\xC2\x9B", "\x01\x00"}) {
    for (const Input& input : KeyReader().feed(bytes)) {
      EXPECT_NE(std::get<Key>(input).name, Name::letter) << bytes;
    }
  }
}

}  // namespace
}  // namespace tictactoe::client
