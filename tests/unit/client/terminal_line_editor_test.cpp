#include "client/terminal/line_editor.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "common/unicode/letters.hpp"

namespace tictactoe::client {
namespace {

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

}  // namespace
}  // namespace tictactoe::client
