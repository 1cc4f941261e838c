// What every screen looks like at three sizes, held to the files of tests/unit/screen/screens. To
// draw them again after a change:  DRAW_SCREENS=1 build/release/tests/unit_screen_test
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <string>

#include "client/paint/picture.hpp"
#include "common/wire/text.hpp"
#include "tests/support/screen_harness.hpp"

namespace tictactoe::screen::testing::screen_pictures_tests {
namespace {

void show_start(Screen& screen) {
  screen.app.start().offer(
      {{"192.0.2.5:7654", "the den", "3 players, 2 open rooms", true},
       {"192.0.2.9:7654", "le caf\u00E9 \u4E16\u754C", "0 players, 0 open rooms", true},
       {"play.example.org:7654", "far away", {}, false}},
      true);
}

void show_lobby(Screen& screen) {
  screen.welcome();
  screen.server(R"(lobby_update { reset: true complete: true
    rooms { name: 'arena' rules { rows: 15 cols: 15 k: 5 } phase: PHASE_PLAYING ply: 12 watchers: 3
            x { kind: KIND_PERSON name: 'carol' } o { kind: KIND_PERSON name: 'dave' } }
    rooms { name: 'duel' rules { rows: 3 cols: 3 k: 3 } phase: PHASE_WAITING
            x { kind: KIND_PERSON name: 'bob' } }
    rooms { name: 'secret' rules { rows: 5 cols: 5 k: 4 } phase: PHASE_WAITING needs_password: true
            x { kind: KIND_PERSON name: 'erin' } }
    rooms { name: 'zoo' rules { rows: 100 cols: 100 k: 5 exact: true } phase: PHASE_FINISHED
            x { kind: KIND_AI name: 'AI (suggester)' ai_level: 'suggester' }
            o { kind: KIND_PERSON name: 'frank' } } })");
}

void show_form(Screen& screen) {
  show_lobby(screen);
  screen.keys("n");
  screen.keys(down);
  screen.keys(right);
}

v1::RoomSnapshot lively() {
  return snapshot(
      "moves: 4 moves: 0 moves: 2 clocks { x_ms: 299000 o_ms: 185000 } watchers: 2 "
      "turn: MARK_O score { x: 2 o: 1 draws: 4 } options { time { game_ms: 300000 } } "
      "chat { from: 'bob' seat: MARK_O text: 'good luck!' } "
      "chat { from: 'zoe' text: 'may the better one win, and may it take a while' }");
}

void show_room(Screen& screen) {
  screen.welcome();
  screen.enter(lively());
}

void show_my_turn(Screen& screen) {
  show_room(screen);
  screen.server(
      "update { revision: 8 phase: PHASE_PLAYING turn: MARK_X clocks { x_ms: 299000 o_ms: 180000 } "
      "move_played { mark: MARK_O cell { row: 2 col: 0 } ply: 4 } }");
  screen.keys("H\r");
  screen.answer(screen.last_request(),
                "hinted { cell { row: 1 col: 0 } mark: MARK_X game: 1 ply: 4 }");
}

void show_gomoku(Screen& screen) {
  screen.welcome();
  auto room = snapshot("rules { rows: 15 cols: 15 k: 5 }");
  for (const unsigned move : {112U, 97U, 113U, 98U, 127U}) room.add_moves(move);
  room.set_turn(v1::MARK_O);
  screen.enter(room);
}

void show_large(Screen& screen) {
  screen.welcome();
  auto room = snapshot("rules { rows: 100 cols: 100 k: 5 }");
  for (const unsigned move : {5050U, 5150U, 4949U, 5252U, 9001U, 306U}) room.add_moves(move);
  screen.enter(room);
}

void show_won(Screen& screen) {
  screen.welcome();
  screen.enter(snapshot(
      "phase: PHASE_FINISHED moves: 0 moves: 1 moves: 3 moves: 4 moves: 6 score { x: 1 } outcome { "
      "winner: MARK_X reason: REASON_LINE lines { kind: KIND_COLUMN first { } last { row: 2 } } "
      "}"));
}

void show_chat(Screen& screen) {
  show_my_turn(screen);
  screen.keys("\thello, b");
}

void show_help(Screen& screen) {
  show_my_turn(screen);
  screen.keys("?");
}

void show_lost(Screen& screen) {
  show_my_turn(screen);
  screen.lose();
}

void show_games(Screen& screen) {
  show_lobby(screen);
  screen.keys("g");
  screen.answer(screen.last_request(), R"(game_list { games { id: 7 rules { rows: 3 cols: 3 k: 3 }
    x { kind: KIND_PERSON name: 'alice' } o { kind: KIND_PERSON name: 'bob' }
    outcome { winner: MARK_X reason: REASON_LINE } ended_unix_ms: 1779048900000 }
    games { id: 6 rules { rows: 15 cols: 15 k: 5 } x { kind: KIND_PERSON name: 'bob' }
    o { kind: KIND_AI name: 'AI (suggester)' } outcome { reason: REASON_AGREED }
    ended_unix_ms: 1779044900000 } })");
}

void show_replay(Screen& screen) {
  show_games(screen);
  screen.keys("\r");
  screen.answer(screen.last_request(), R"(game_found { game { id: 7 room: 'den'
    rules { rows: 3 cols: 3 k: 3 } x { kind: KIND_PERSON name: 'alice' }
    o { kind: KIND_PERSON name: 'bob' } starter: MARK_X moves: 0 moves: 1 moves: 3 moves: 4 moves: 6
    move_ms: 1200 move_ms: 800 move_ms: 65000 move_ms: 100 move_ms: 2000
    outcome { winner: MARK_X reason: REASON_LINE lines { kind: KIND_COLUMN first { } last { row: 2 } }
    } ended_unix_ms: 1779048900000 } })");
  screen.keys(right);
  screen.keys(right);
  screen.keys(right);
}

constexpr Size wide{200, 60};

struct Shown {
  std::function<void(Screen&)> show;
  bool is_kept_wide;  // the others have nothing of their own there
};

const std::map<std::string, Shown>& screens() {
  static const std::map<std::string, Shown> all = {
      {"start", {show_start, false}},   {"lobby", {show_lobby, true}},
      {"form", {show_form, false}},     {"room", {show_room, false}},
      {"gomoku", {show_gomoku, false}}, {"large", {show_large, true}},
      {"won", {show_won, false}},       {"chat", {show_chat, false}},
      {"help", {show_help, false}},     {"lost", {show_lost, false}},
      {"games", {show_games, false}},   {"replay", {show_replay, false}},
  };
  return all;
}

// Lines, and columns of each.
void expect_size(const Picture& picture, Size size) {
  ASSERT_EQ(picture.size(), size);
  for (int y = 0; y < size.height; ++y) {
    int columns = 0;
    for (int x = 0; x < size.width; ++x) {
      const char32_t letter = picture.at({x, y}).letter;
      if (letter != 0) columns += columns_of(letter);
    }
    ASSERT_EQ(columns, size.width) << y;
  }
}

class Pictures : public ::testing::TestWithParam<Size> {};

TEST_P(Pictures, look_as_they_are_kept) {
  setenv("TZ", "UTC", 1);
  const Size size = GetParam();
  for (const auto& [name, shown] : screens()) {
    if (size == wide && !shown.is_kept_wide) continue;
    SCOPED_TRACE(name);
    Screen screen(size, alice(name == "start"));
    shown.show(screen);
    const std::string text = screen.text();
    const std::string path = std::string(TICTACTOE_SOURCE_DIR "/tests/unit/screen/screens/") +
                             name + "-" + std::to_string(size.width) + "x" +
                             std::to_string(size.height) + ".txt";
    if (std::getenv("DRAW_SCREENS") != nullptr) std::ofstream(path) << text;
    std::ifstream file(path);
    const std::string kept{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(text, kept) << path;
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Pictures, ::testing::Values(Size{40, 20}, Size{80, 24}, wide),
                         [](const auto& size) {
                           return std::to_string(size.param.width) + "x" +
                                  std::to_string(size.param.height);
                         });

TEST(AnySize, is_drawn_whole) {
  for (const auto& [name, shown] : screens()) {
    SCOPED_TRACE(name);
    Screen screen({80, 24}, alice(name == "start"));
    shown.show(screen);
    for (int width = 1; width <= 90; width += width < 12 ? 1 : 7) {
      for (int height = 1; height <= 40; height += height < 12 ? 1 : 5) {
        screen.app.resized({width, height});
        const Scene scene = screen.app.draw(screen.now);
        expect_size(scene.picture, {width, height});
        if (scene.cursor) {
          EXPECT_TRUE((Rect{0, 0, width, height}.contains(*scene.cursor))) << width << height;
        }
      }
    }
  }
}

TEST(Ascii, is_all_there_is) {
  for (const auto& [name, shown] : screens()) {
    SCOPED_TRACE(name);
    Screen screen({80, 24}, alice(name == "start", true));
    shown.show(screen);
    for (const char c : screen.text()) EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << +c;
  }
}

TEST(Ascii, keeps_marks_apart) {
  Screen screen({80, 24}, alice(false, true));
  show_won(screen);
  EXPECT_NE(screen.text().find("|* \\ / *|  +-+  |"), std::string::npos) << screen.text();
}

// The least CPU time of a frame of 200x60 cells, which a busy machine hardly makes longer.
std::clock_t cost_of_a_frame(int side) {
  Screen screen({200, 60});
  screen.welcome();
  const std::string text = std::to_string(side);
  auto room = snapshot("rules { rows: " + text + " cols: " + text + " k: 5 }");
  const unsigned cells = static_cast<unsigned>(side) * static_cast<unsigned>(side);
  for (unsigned i = 0; i < cells / 10; ++i) room.add_moves(i * 7 % cells);
  screen.enter(room);
  std::clock_t least = std::numeric_limits<std::clock_t>::max();
  for (int i = 0; i < 50; ++i) {
    const std::clock_t begin = std::clock();
    screen.keys(i % 2 == 0 ? "\033[B" : "\033[6~");
    EXPECT_EQ(screen.app.draw(screen.now).picture.size().width, 200);
    least = std::min(least, std::clock() - begin);
  }
  return least;
}

// A look at each of a million cells would take many times as long.
TEST(CostOfAFrame, does_not_grow_with_the_board) {
  EXPECT_LT(cost_of_a_frame(1000), 3 * cost_of_a_frame(100));
}

}  // namespace
}  // namespace tictactoe::screen::testing::screen_pictures_tests

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
