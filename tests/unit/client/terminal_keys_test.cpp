// The keys of real terminals: each is the right key or none, and takes no byte that is not its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "client/terminal/keys.hpp"

namespace tictactoe::client::terminal_keys_tests {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::SizeIs;
using Name = Key::Name;
using Inputs = std::vector<Input>;

Inputs add(Inputs inputs, const Inputs& more) {
  inputs.insert(inputs.end(), more.begin(), more.end());
  return inputs;
}

Inputs pressed(std::string_view bytes) {
  KeyReader reader;
  const Inputs inputs = reader.feed(bytes);
  return add(inputs, reader.end_of_sequence());
}

// The keys, if all of these bytes come at once or one by one, and a letter after them.
void expect_keys(const std::string& bytes, const std::vector<Key>& wanted) {
  Inputs all(wanted.begin(), wanted.end());
  all.emplace_back(letter_key(U'q'));
  EXPECT_EQ(pressed(bytes + "q"), all) << ::testing::PrintToString(bytes);
  KeyReader reader;
  Inputs one_by_one;
  for (const char byte : bytes + "q") one_by_one = add(one_by_one, reader.feed({&byte, 1}));
  EXPECT_EQ(one_by_one, all) << ::testing::PrintToString(bytes);
}

constexpr Key up{Name::up, 0};
constexpr Key down{Name::down, 0};
constexpr Key left{Name::left, 0};
constexpr Key right{Name::right, 0};
constexpr Key home{Name::home, 0};
constexpr Key end{Name::end, 0};
constexpr Key remove{Name::remove, 0};
constexpr Key enter{Name::enter, 0};
constexpr Key escape_key{Name::escape, 0};
constexpr Key back_tab{Name::back_tab, 0};

TEST(KnownKeys, of_sixteen_terminals) {
  // Home and End: xterm, VTE, kitty, alacritty; urxvt, dvtm; pterm, screen, tmux; mosh.
  for (const char* bytes : {"\033[H", "\033[7~", "\033[1~", "\033OH"}) expect_keys(bytes, {home});
  for (const char* bytes : {"\033[F", "\033[8~", "\033[4~", "\033OF"}) expect_keys(bytes, {end});
  // Delete: most; st; with Shift in xterm and urxvt, with Ctrl in urxvt and with both.
  for (const char* bytes :
       {"\033[3~", "\033[P", "\033[3;2~", "\033[3$", "\033[3^", "\033[3@", "\033\033[3~"}) {
    expect_keys(bytes, {remove});
  }
  for (const char* bytes : {"\033[1;2H", "\033[7$", "\033[7^", "\033\033[7$"}) {
    expect_keys(bytes, {home});
  }
  // Left alone, in application mode, and with Shift, Alt or Ctrl.
  for (const char* bytes : {"\033[D", "\033OD", "\033[1;2D", "\033[1;3D", "\033[1;5D", "\033[d",
                            "\033Od", "\033\033[D", "\033\033OD", "\033O5D", "\033[5D"}) {
    expect_keys(bytes, {left});
  }
  // Enter: Shift, Ctrl and Alt in zutty; Shift in konsole; Alt elsewhere; of the keypad.
  for (const char* bytes : {"\r", "\n", "\033\r", "\033OM", "\033[27;2;13~", "\033[27;5;13~",
                            "\033[27;3;13~", "\033[13;2u"}) {
    expect_keys(bytes, {enter});
  }
  for (const char* bytes : {"\033[Z", "\033\t", "\033[27;2;9~", "\033[9;2u"}) {
    expect_keys(bytes, {back_tab});
  }
  for (const char* bytes : {"\x7F", "\b", "\033\x7F", "\033[27;5;127~", "\033[127;5u"}) {
    expect_keys(bytes, {Key{Name::backspace, 0}});
  }
}

TEST(KnownKeys, as_code_points) {
  expect_keys("\033[27;5;97~", {Key{Name::control, U'a'}});
  expect_keys("\033[97;5u", {Key{Name::control, U'a'}});
  expect_keys("\033[27;2;65~\033[97;2u\033[228u",
              {letter_key(U'A'), letter_key(U'A'), letter_key(U'\u00E4')});
  expect_keys("\033[27u", {escape_key});
  // With Alt or Super, released, without a character, no code point.
  expect_keys("\033[97;3u\033[27;3;97~\033[97;9u\033[97;1:3u\033[57376u\033[99999999u\033[1114112u",
              {});
  expect_keys("\033[1;1:3A\033[1;1:1A", {up});
}

TEST(UnknownKeys, do_nothing_and_take_no_other_byte) {
  for (const char* bytes : {
           "\033[[A",
           "\033[[C",
           "\033[[D",
           "\033[[E",  // F1, F3, F4, F5 of the Linux console
           "\033OP",
           "\033O2P",
           "\033O5Q",
           "\033O1;2R",  // F1 to F3 with Shift and Ctrl
           "\033[11~",
           "\033[23~",
           "\033[1;2P",
           "\033[23$",
           "\033[23^",
           "\033[23@",
           "\033[2~",
           "\033[2;5~",
           "\033[2$",
           "\033[4h",
           "\033[2J",
           "\033[K",
           "\033[E",
           "\033Op",
           "\033Oy",
           "\033OX",
           "\033O ",  // the keypad
           "\x9B[A",
           "\x9B"
           "11~",
           "\x8FP",
           "\xC2\x9B"
           "5R",
           "\xC2\x8FQ",  // in 8 bits
           "\x80\xFC\x02\x80k1",
           "\x80k1",
           "\x80\xFD\x05",  // vim's terminal
           "\033d",
           "\033R",
           "\033\u00E9",
           "\033 ",
           "\033(",
           "\033N",  // Alt
           "\033\033[11~",
           "\033\033OP",
           "\033\033[[A",
           "\033\033[23$",
           "\033[?2026;2$y",
           "\033[4;1$y",
           "\033[?1;2c",
           "\033[>0;136;0c",
           "\033[5;10R",
           "\033[ q",
           "\033[1 q",
           "\033[0n",
           "\033[8;24;80t",
           "\033[<32;5;5M",
           "\033[32;5;5M",
           "\033[I",
           "\033[O",  // focus
           "\033]11;rgb:0/0/0\a",
           "\033P1+r544e=78\033\\",
           "\x9D"
           "0;R\x9C",
           "\033_Gi=1;OK\033\\",
           "\033]0;R\x18",
           "\033X..\x9D..\a",
           "\033[<0;-5;5M",
           "\033[1 5~",
           "\033[1;1$2;3 4x",
           "\x9B"
           "0-5M",
           "\033O1-5P",
           "\033O-1;5P",  // parameters where none may be
       }) {
    expect_keys(bytes, {});
  }
}

TEST(UnknownKeys, that_break_off_leave_the_next_key) {
  for (const char* bytes :
       {"\033[", "\033[1;", "\033[3 ", "\033O", "\033O5", "\033]0;R", "\033[[", "\033[M",
        "\x9B"
        "1;5",
        "\x8F", "\033P1", "\033[<0;-5;", "\033O-1"}) {
    expect_keys(bytes + std::string("\033[A"), {up});
  }
  expect_keys("\033[1;\r\033O5\x7F", {enter, Key{Name::backspace, 0}});
}

TEST(UnknownKeys, of_any_form_take_their_bytes_and_nothing_else) {
  std::mt19937 random(48);
  const auto below = [&](int limit) {
    return static_cast<int>(random() % static_cast<unsigned>(limit));
  };
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes(below(2) == 0 ? "\033[" : "\x9B");
    bytes.push_back("=>?"[below(3)]);
    for (int count = below(12); count > 0; --count)
      bytes.push_back(static_cast<char>('0' + below(16)));
    for (int count = below(3); count > 0; --count)
      bytes.push_back(static_cast<char>(' ' + below(16)));
    bytes.push_back(static_cast<char>('@' + below('~' - '@' + 1)));
    EXPECT_EQ(pressed(bytes + "q"), Inputs{letter_key(U'q')}) << ::testing::PrintToString(bytes);
  }
}

TEST(UnknownKeys, that_never_end_are_no_key_when_they_do) {
  for (const char* begin : {"\033[", "\033[?", "\033O", "\x9B", "\033\033["}) {
    expect_keys(begin + std::string(300, '1') + "D", {});
  }
  expect_keys("\033]" + std::string(300, 'D') + "\a", {});
  expect_keys("\x9D" + std::string(300, 'D') + "\x9C", {});
}

TEST(Escape, before_another_sequence) {
  EXPECT_EQ(pressed("\033\033"), (Inputs{escape_key, escape_key}));
  EXPECT_EQ(pressed("\033\033\033[A"), (Inputs{escape_key, up}));
  EXPECT_EQ(pressed("\033\033[<0;1;10M"), (Inputs{escape_key, Mouse{{}, {0, 9}}}));
  EXPECT_EQ(pressed("\033\033[M !*"), (Inputs{escape_key, Mouse{{}, {0, 9}}}));
  EXPECT_EQ(pressed("\033\033[200~x\033[201~"), (Inputs{escape_key, Paste{"x"}}));
}

TEST(Escape, that_is_late_is_not_followed_by_letters) {
  for (const char* rest : {"OP", "OA", "[15~", "[A"}) {
    KeyReader reader;
    reader.feed("\033");
    EXPECT_EQ(reader.end_of_sequence(), Inputs{escape_key});
    for (const Input& input : reader.feed(rest)) {
      EXPECT_NE(std::get<Key>(input).name, Name::letter) << rest;
    }
  }
}

TEST(Alt, with_the_begin_of_a_sequence_is_over_after_a_pause) {
  for (const char* alt : {"\033]", "\033P", "\033^", "\033_", "\033X"}) {
    KeyReader reader;
    EXPECT_THAT(reader.feed(alt), IsEmpty());
    EXPECT_EQ(reader.wait(), KeyReader::pause) << alt;
    EXPECT_THAT(reader.end_of_sequence(), IsEmpty());
    EXPECT_FALSE(reader.wait());
    EXPECT_EQ(reader.feed("b"), Inputs{letter_key(U'b')}) << alt;
    EXPECT_EQ(reader.feed("2q"), (Inputs{letter_key(U'2'), letter_key(U'q')})) << alt;
  }
}

TEST(Alt, that_was_the_begin_of_an_answer_is_not_followed_by_its_letters) {
  for (const auto& [begin, rest] : std::map<std::string, std::string>{
           {"\033", "]11;rgb:0/0/0\a"},
           {"\033]", "11;rgb:0/0/0\033\\"},
           {"\033P", "1+r544e=78\033\\"},
           {"\033_", "Gi=1;OK\033\\"},
       }) {
    KeyReader reader;
    EXPECT_THAT(reader.feed(begin), IsEmpty());
    reader.end_of_sequence();
    EXPECT_EQ(reader.feed(rest + "q"), Inputs{letter_key(U'q')}) << begin.substr(1);
  }
}

TEST(OldMouse, counts_columns_as_its_terminal_does) {
  EXPECT_EQ(KeyReader(0).feed("\033[M %*"), (Inputs{Mouse{{}, {5, 9}}}));
  EXPECT_EQ(KeyReader(1).feed("\033[M %*"), (Inputs{Mouse{{}, {4, 9}}}));
  // Beyond a byte it wraps round: column 230.
  EXPECT_EQ(KeyReader(0).feed("\033[M \x06*"), (Inputs{Mouse{{}, {230, 9}}}));
  EXPECT_EQ(KeyReader(1).feed("\033[M \xFF*"), (Inputs{Mouse{{}, {222, 9}}}));
}

// Pastes ------------------------------------------------------------------------------------------

constexpr const char* harmless = "good luck\r";

TEST(PasteGuard, text_after_an_end_of_its_own_is_pasted_too) {
  for (const std::size_t step : {1U, 3U, 7U, 100U}) {
    const std::string bytes = "\033[200~one\033[201~" + std::string(harmless) + "\033[201~";
    KeyReader reader;
    Inputs inputs;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      inputs = add(inputs, reader.feed(std::string_view(bytes).substr(at, step)));
    }
    EXPECT_EQ(inputs, (Inputs{Paste{"one"}, Paste{harmless}})) << step;
    EXPECT_THAT(reader.end_of_sequence(), IsEmpty());
    EXPECT_FALSE(reader.wait());
    EXPECT_EQ(reader.feed("q"), Inputs{letter_key(U'q')});
  }
}

TEST(PasteGuard, text_between_brackets_of_its_own_is_pasted_too) {
  EXPECT_EQ(pressed("\033[200~one\033[201~two\r\033[200~three\033[201~"),
            (Inputs{Paste{"one"}, Paste{"two\r"}, Paste{"three"}}));
}

TEST(PasteGuard, an_end_without_a_begin_makes_a_paste_of_what_came_with_it) {
  EXPECT_EQ(pressed("luck\r\033[A\033[201~"), (Inputs{Paste{"luck\r\033[A"}}));
  EXPECT_THAT(pressed("\033[201~"), IsEmpty());
}

TEST(PasteGuard, keys_after_a_paste_wait_for_a_pause) {
  KeyReader reader;
  EXPECT_EQ(reader.feed("\033[200~one\033[201~\r"), Inputs{Paste{"one"}});
  EXPECT_EQ(reader.wait(), KeyReader::pause);
  EXPECT_EQ(reader.end_of_sequence(), Inputs{enter});
  EXPECT_FALSE(reader.wait());
  // What is held when the pause is over may be the start of more.
  reader.feed("\033[200~one\033[201~\033[");
  EXPECT_THAT(reader.end_of_sequence(), IsEmpty());
  EXPECT_EQ(reader.feed("A"), Inputs{up});
}

TEST(PasteGuard, holds_a_bounded_amount) {
  KeyReader reader;
  reader.feed("\033[200~\033[201~");
  const Inputs inputs = reader.feed(std::string(3 * KeyReader::max_paste, '\r'));
  ASSERT_THAT(inputs, SizeIs(1));
  EXPECT_THAT(std::get<Paste>(inputs[0]).text, SizeIs(KeyReader::max_paste));
}

TEST(PasteGuard, brackets_in_8_bits_are_brackets) {
  EXPECT_EQ(pressed("\x9B"
                    "200~one\r\x9B"
                    "201~"),
            (Inputs{Paste{"one\r"}}));
}

// Terminfo ----------------------------------------------------------------------------------------

// The keys that a capability may be; none if it is no key of this program.
std::set<Name> keys_of(const std::string& capability) {
  static const std::map<std::string, Name> names = {
      {"kcuu1", Name::up},      {"kri", Name::up},        {"kcud1", Name::down},
      {"kind", Name::down},     {"kcub1", Name::left},    {"kcuf1", Name::right},
      {"khome", Name::home},    {"kfnd", Name::home},     {"ka1", Name::home},
      {"kend", Name::end},      {"kslt", Name::end},      {"kll", Name::end},
      {"kc1", Name::end},       {"kpp", Name::page_up},   {"ka3", Name::page_up},
      {"knp", Name::page_down}, {"kc3", Name::page_down}, {"kdch1", Name::remove},
      {"kcbt", Name::back_tab}, {"kent", Name::enter},    {"kbs", Name::backspace},
  };
  static const std::map<std::string, Name> shifted = {
      {"kUP", Name::up},       {"kDN", Name::down},       {"kLFT", Name::left},
      {"kRIT", Name::right},   {"kHOM", Name::home},      {"kEND", Name::end},
      {"kPRV", Name::page_up}, {"kNXT", Name::page_down}, {"kDC", Name::remove},
      {"kFND", Name::home},
  };
  if (const auto found = names.find(capability); found != names.end()) return {found->second};
  // kUP3 is kUP with other modifiers.
  const std::string stem = capability.substr(0, capability.find_first_of("0123456789"));
  if (const auto found = shifted.find(stem); found != shifted.end()) return {found->second};
  return {};
}

std::set<Name> keys_of_all(const std::string& capabilities) {
  std::set<Name> keys;
  std::istringstream words(capabilities);
  for (std::string word; words >> word;) keys.merge(keys_of(word));
  return keys;
}

std::string from_hex(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

TEST(Terminfo, each_key_of_each_terminal_is_the_right_one_or_none) {
  std::ifstream table(TICTACTOE_SOURCE_DIR "/tests/unit/client/terminfo_keys.txt");
  int rows = 0;
  for (std::string line; std::getline(table, line);) {
    if (line.starts_with('#')) continue;
    ++rows;
    std::istringstream columns(line);
    std::string hex;
    std::string all;
    std::string today;
    std::getline(columns, hex, '\t');
    std::getline(columns, all, '\t');
    std::getline(columns, today, '\t');
    const std::string bytes = from_hex(hex);
    const Inputs inputs = pressed(bytes);
    EXPECT_LE(inputs.size(), 1U) << line;
    // Alt+Enter and End today, and other keys of 13 forgotten terminals.
    if (bytes == "\033\r" || bytes ==
                                 "\x9B"
                                 "8~")
      continue;
    std::set<Name> names;
    for (const Input& input : inputs) {
      const auto* const key = std::get_if<Key>(&input);
      ASSERT_TRUE(key) << line;
      // A control character of its own is what Ctrl with a letter sends, and Ctrl+J is Enter.
      const bool is_control = bytes.size() == 1 && static_cast<unsigned char>(bytes[0]) < 0x20;
      if (!is_control) names.insert(key->name);
      EXPECT_TRUE(key->name != Name::letter || bytes.size() == 1) << line;
    }
    EXPECT_THAT(keys_of_all(all), IsSupersetOf(names)) << line;
    // The keypad sends "ESC O p" only in a mode that this program does not set.
    const bool is_keypad = bytes.starts_with("\033O") && bytes.back() >= 'l';
    if (!keys_of_all(today).empty() && bytes.size() > 1 && !is_keypad) {
      EXPECT_THAT(inputs, SizeIs(1)) << line << ": a key of a terminal of today";
    }
  }
  EXPECT_GT(rows, 800);
}

}  // namespace
}  // namespace tictactoe::client::terminal_keys_tests
