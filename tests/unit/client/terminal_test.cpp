// What a terminal sends: keys, and lines made of them. And what may be sent to it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "client/net/address.hpp"
#include "client/terminal/keys.hpp"
#include "client/terminal/line_editor.hpp"
#include "client/terminal/line_splitter.hpp"
#include "common/unicode/letters.hpp"

namespace tictactoe::client::terminal_tests {
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
  ASSERT_EQ(inputs.size(), 1U);
  EXPECT_EQ(std::get<Paste>(inputs[0]).text.size(), KeyReader::max_paste);
  EXPECT_EQ(reader.end_of_sequence(), std::vector<Input>{letter_key(U'y')});
}

TEST(Keys, only_its_mark_ends_a_paste) {
  KeyReader reader;
  EXPECT_TRUE(reader.feed("\033[200~look at this\r").empty());
  EXPECT_FALSE(reader.wait());
  EXPECT_TRUE(reader.end_of_sequence().empty());
  EXPECT_EQ(reader.feed("resign\r\033[201~q"), std::vector<Input>{Paste{"look at this\rresign\r"}});
  EXPECT_EQ(reader.end_of_sequence(), std::vector<Input>{letter_key(U'q')});
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
  EXPECT_TRUE(reader.feed("\033\033").empty()) << "rxvt's Alt+Left begins like this";
  EXPECT_EQ(reader.end_of_sequence().size(), 2U);
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

using Name = Key::Name;

// Types the bytes that a terminal sends.
void type(LineEditor& line, std::string_view bytes) {
  KeyReader reader;
  for (const Input& input : reader.feed(bytes)) {
    if (const auto* const key = std::get_if<Key>(&input)) line.press(*key);
    if (const auto* const paste = std::get_if<Paste>(&input)) line.paste(paste->text);
  }
}

std::string typed(std::string_view bytes) {
  LineEditor line;
  type(line, bytes);
  return line.text();
}

constexpr const char* left = "\033[D";
constexpr const char* right = "\033[C";
constexpr const char* up = "\033[A";
constexpr const char* down = "\033[B";

TEST(LineEditor, inserts_and_erases_at_the_cursor) {
  EXPECT_EQ(typed("abd" + std::string(left) + "c"), "abcd");
  EXPECT_EQ(typed("abc" + std::string(left) + "\x7F"), "ac");
  EXPECT_EQ(typed("abc\033[H\033[3~"), "bc");
  EXPECT_EQ(typed("abc\001\004x\005y"), "xbcy");
  EXPECT_EQ(typed("abc\002\002\006x"), "abxc");
  EXPECT_EQ(typed("abc" + std::string(left) + "\013"), "ab");
  EXPECT_EQ(typed("one two \027three"), "one three");
  EXPECT_EQ(typed("one two\025"), "");
  EXPECT_EQ(typed("\x7F\033[3~" + std::string(left) + right), "");
}

TEST(LineEditor, a_letter_and_its_marks_are_one_step) {
  EXPECT_EQ(typed("ae\u0301\x7F"), "a");
  EXPECT_EQ(typed("ae\u0301" + std::string(left) + "b"), "abe\u0301");
  EXPECT_EQ(typed("e\u0301b\033[H" + std::string(right) + "a"), "e\u0301ab");
  EXPECT_EQ(typed("e\u0301b\033[H\033[3~"), "b");
  EXPECT_EQ(typed("\u4E16\u754C\x7F"), "\u4E16");
}

TEST(LineEditor, holds_no_more_than_its_limit) {
  LineEditor line(5);
  type(line, "abcdefg");
  EXPECT_EQ(line.text(), "abcde");
  line.paste("xyz");
  EXPECT_EQ(line.text(), "abcde");
  line.set("one two");
  EXPECT_EQ(line.text(), "one t");
}

TEST(LineEditor, a_key_that_is_not_its_own_is_left_to_others) {
  LineEditor line;
  for (const Name name : {Name::enter, Name::escape, Name::tab, Name::up, Name::page_up}) {
    EXPECT_FALSE(line.press({name, 0}));
  }
  EXPECT_FALSE(line.press({Name::control, U'l'}));
}

TEST(LineEditor, earlier_lines_come_back) {
  LineEditor line;
  type(line, "one");
  EXPECT_EQ(line.take(), "one");
  EXPECT_TRUE(line.empty());
  for (const char* const text : {"two", "two", ""}) {
    type(line, text);
    line.take();
  }
  type(line, "thr");
  type(line, up);
  EXPECT_EQ(line.text(), "two");
  type(line, up);
  EXPECT_EQ(line.text(), "one");
  type(line, up);
  EXPECT_EQ(line.text(), "one");
  type(line, down);
  type(line, down);
  EXPECT_EQ(line.text(), "thr");
  type(line, down);
  EXPECT_EQ(line.text(), "thr");
  type(line, "\020\020!");
  EXPECT_EQ(line.take(), "one!");
}

TEST(LineEditor, only_so_many_lines_are_kept) {
  LineEditor line;
  for (std::size_t i = 0; i < 2 * LineEditor::max_history; ++i) {
    line.set(std::to_string(i));
    line.take();
  }
  for (std::size_t i = 0; i < 2 * LineEditor::max_history; ++i) type(line, up);
  EXPECT_EQ(line.text(), std::to_string(LineEditor::max_history));
}

TEST(LineEditor, a_paste_is_one_line) {
  LineEditor line;
  type(line, "say " + std::string(left) + "x\033[200~resign\r\nquit\tnow\033[31m\x03\033[201~");
  EXPECT_EQ(line.text(), "sayxresign quit now[31m ");
}

Completion colours(std::string_view before) {
  Completion found;
  const std::size_t blank = before.rfind(' ');
  found.begin = blank == std::string_view::npos ? 0 : blank + 1;
  for (const char* const word : {"green ", "grey ", "red ", "\u4E16\u754C ", "\u4E16\u4E17 "}) {
    if (std::string_view(word).starts_with(before.substr(found.begin))) {
      found.words.emplace_back(word);
    }
  }
  return found;
}

TEST(LineEditor, takes_no_control_characters_from_a_completion) {
  LineEditor line;
  line.set("a\033[2Jb\u202E");
  EXPECT_EQ(line.text(), "a[2Jb");
  line.clear();
  line.complete_with([](std::string_view) { return Completion{0, {"x\033cy "}}; });
  line.press({Key::Name::tab, 0});
  EXPECT_EQ(line.text(), "xcy ");
}

TEST(LineEditor, tab_completes) {
  LineEditor line;
  line.complete_with(colours);
  type(line, "r\tg\t");
  EXPECT_EQ(line.text(), "red gre");
  EXPECT_TRUE(line.choices().empty());
  type(line, "\t");
  EXPECT_EQ(line.choices(), (std::vector<std::string>{"green ", "grey "}));
  type(line, "y");
  EXPECT_TRUE(line.choices().empty());
  type(line, "\tblack\t");
  EXPECT_EQ(line.text(), "red grey black");
}

TEST(LineEditor, tab_completes_before_the_cursor_and_whole_letters) {
  LineEditor line;
  line.complete_with(colours);
  type(line, "x\033[Hr\t");
  EXPECT_EQ(line.text(), "red x");
  EXPECT_EQ(line.before_cursor(), "red ");
  line.clear();
  // The two words begin with the same letter and the same byte after it.
  type(line, "\u4E16\t");
  EXPECT_EQ(line.text(), "\u4E16");
  EXPECT_EQ(line.choices().size(), 2U);
}

TEST(LineEditor, shows_the_part_with_the_cursor) {
  LineEditor line;
  line.set("abcdefghij");
  EXPECT_EQ(window_of(line, 6).text, "fghij");
  EXPECT_EQ(window_of(line, 6).cursor, 5);
  EXPECT_EQ(window_of(line, 20).text, "abcdefghij");
  line.press({Name::home, 0});
  EXPECT_EQ(window_of(line, 6, true).text, "******");
  EXPECT_EQ(window_of(line, 6, true).cursor, 0);
  line.set("\u4E16\u754C\u4E16");
  EXPECT_EQ(window_of(line, 6).text, "\u754C\u4E16");
  EXPECT_EQ(window_of(line, 6).cursor, 4);
  for (int columns = 0; columns < 8; ++columns) {
    EXPECT_LE(unicode::columns_of(window_of(line, columns).text), columns);
  }
}

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(LineSplitter, cuts_at_newlines_in_every_split_of_the_bytes) {
  LineSplitter splitter(100);
  EXPECT_THAT(splitter.feed("one\ntwo\r\n\nth"), ElementsAre("one", "two", ""));
  EXPECT_THAT(splitter.feed("ree"), IsEmpty());
  EXPECT_THAT(splitter.feed("\n"), ElementsAre("three"));
  splitter.feed("rest");
  EXPECT_EQ(splitter.take_rest(), "rest");
  EXPECT_EQ(splitter.take_rest(), "");
}

TEST(LineSplitter, skips_byte_order_marks_where_files_were_joined) {
  for (const std::size_t step : {1u, 2u, 100u}) {
    LineSplitter splitter(100);
    std::vector<std::string> lines;
    const std::string_view bytes = "\xEF\xBB\xBFrooms\n\xEF\xBB\xBFquit\nlast";
    for (std::size_t i = 0; i < bytes.size(); i += step) {
      for (std::string& line : splitter.feed(bytes.substr(i, step))) lines.push_back(line);
    }
    EXPECT_THAT(lines, ElementsAre("rooms", "quit"));
    EXPECT_EQ(splitter.take_rest(), "last");
  }
  LineSplitter only(100);
  EXPECT_TRUE(only.feed("\xEF\xBB\xBFquit").empty());
  EXPECT_EQ(only.take_rest(), "quit");
}

TEST(LineSplitter, keeps_one_byte_too_many_of_a_long_line) {
  LineSplitter splitter(5);
  for (int i = 0; i < 1000; ++i) EXPECT_THAT(splitter.feed("xxxx"), IsEmpty());
  EXPECT_THAT(splitter.feed("\nshort\n"), ElementsAre("xxxxxx", "short"));
}

TEST(Address, is_read_in_all_its_forms) {
  const auto expect = [](const char* text, const char* host, int port) {
    const AddressRead read = parse_address(text);
    EXPECT_EQ(read.fault, "") << text;
    EXPECT_EQ(read.address.host, host) << text;
    EXPECT_EQ(read.address.port, port) << text;
  };
  expect("localhost", "localhost", default_port);
  expect("example.org:1", "example.org", 1);
  expect("192.0.2.1:65535", "192.0.2.1", 65535);
  expect("[2001:db8::1]:80", "2001:db8::1", 80);
  expect("[2001:db8::1]", "2001:db8::1", default_port);
  expect("2001:db8::1", "2001:db8::1", default_port);
  expect("fe80::1%eth0", "fe80::1%eth0", default_port);
  expect("[fe80::1%eth0]:9", "fe80::1%eth0", 9);
  expect("my_host-2.example", "my_host-2.example", default_port);
  expect(
      "b\xC3\xBC"
      "cher.example:1",
      "b\xC3\xBC"
      "cher.example",
      1);
}

TEST(Address, of_a_name_that_is_too_long_is_refused) {
  EXPECT_EQ(parse_address(std::string(max_host_bytes, 'a')).fault, "");
  EXPECT_NE(parse_address(std::string(max_host_bytes + 1, 'a')).fault, "");
}

TEST(Address, mistakes_are_told) {
  for (const char* text :
       {"",          ":1",       "[]:1",        "host:",     "host:0",        "host:65536",
        "host:-1",   "host:x",   "[::1",        "[::1]1",    "[::1]:",        "host: 1",
        "two words", " host",    "host ",       "a]b",       "host]:1",       "[host]:1",
        "[1.2.3.4]", "1:2:3",    "::g",         "host/room", "http://host:1", "http://host",
        "me@host",   "host\x1b", "fe80::x%eth0"}) {
    EXPECT_NE(parse_address(text).fault, "") << text;
  }
}

}  // namespace
}  // namespace tictactoe::client::terminal_tests
