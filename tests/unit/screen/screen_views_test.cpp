// Large boards, finished games and hostile servers on the full screen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/screen_harness.hpp"

namespace tictactoe::screen::testing::screen_views_tests {
namespace {

using client::testing::o_plays_corner;
using client::testing::x_plays_centre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Large, the_cursor_goes_to_a_move_out_of_sight) {
  Screen screen = in_room("rules { rows: 1000 cols: 1000 k: 5 } turn: MARK_O moves: 500500");
  screen.text();
  screen.server(
      "update { revision: 8 phase: PHASE_PLAYING turn: MARK_X "
      "move_played { mark: MARK_O cell { row: 3 col: 700 } ply: 2 } }");
  EXPECT_THAT(screen.text(), HasSubstr("[O]"));
  EXPECT_THAT(screen.text(), HasSubstr(" 4 "));
}

TEST(Large, scrolls_to_its_every_corner) {
  Screen screen = in_room("rules { rows: 1000 cols: 1000 k: 5 }");
  for (const char* key : {"\033[H", "\033[F", "\033[5~", "\033[6~"}) {
    for (int i = 0; i < 200; ++i) {
      screen.text();
      screen.keys(key);
    }
    const Scene scene = screen.app.draw(screen.now);
    ASSERT_TRUE(scene.cursor) << key;
    EXPECT_EQ(scene.picture.at(*scene.cursor).style, Style::cursor);
  }
  EXPECT_THAT(screen.text(), HasSubstr("1000"));
}

void open_replay(Screen& screen) {
  screen.keys(":replay 7\r");
  screen.answer(screen.last_request(), R"(game_found { game { id: 7 rules { rows: 3 cols: 3 k: 3 }
    x { kind: KIND_PERSON name: 'alice' } o { kind: KIND_PERSON name: 'bob' } starter: MARK_X
    moves: 0 moves: 1 moves: 3 outcome { reason: REASON_AGREED } } })");
}

TEST(Replay, steps_both_ways) {
  Screen screen = in_lobby();
  open_replay(screen);
  EXPECT_THAT(screen.text(), HasSubstr("Before the first move."));
  screen.keys("\033[F");
  EXPECT_THAT(screen.text(), HasSubstr("Draw, as agreed."));
  screen.keys(left);
  EXPECT_THAT(screen.text(), HasSubstr("2. bob (O) plays b1."));
  EXPECT_THAT(screen.text(), Not(HasSubstr("Draw")));
  screen.keys("\033[H ");
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(screen.app.next_deadline());
    screen.now = *screen.app.next_deadline();
    screen.app.happened(screen.now);
  }
  EXPECT_THAT(screen.text(), HasSubstr("3. alice (X) plays a2."));
  EXPECT_FALSE(screen.app.next_deadline() && screen.app.next_deadline() < screen.now);
  screen.keys("\033");
  EXPECT_THAT(screen.text(), HasSubstr("New room"));
}

// alice sees a replay after its second move.
void replay_two_moves(Screen& screen) {
  open_replay(screen);
  screen.keys(right);
  screen.keys(right);
  EXPECT_THAT(screen.text(), HasSubstr("Play on from here"));
}

// Where the replay is to be played on; nothing if it is not.
std::optional<std::size_t> played_on(Screen& screen) {
  replay_two_moves(screen);
  screen.keys("c");
  const auto wanted = screen.app.take_play_on();
  if (wanted) {
    EXPECT_EQ(wanted->game.id(), 7U);
  }
  return wanted ? std::optional(wanted->moves) : std::nullopt;
}

TEST(Replay, is_played_on_from_the_move_that_is_shown) {
  Screen screen = in_lobby();
  EXPECT_EQ(played_on(screen), 2U);
  EXPECT_FALSE(screen.app.take_play_on());
  screen.app.end_session(screen.now);
  EXPECT_TRUE(screen.app.talk_is_over()) << "though no server is to be chosen";
}

TEST(Replay, is_not_played_on_if_that_would_cost_a_room) {
  Screen screen = in_room();
  EXPECT_EQ(played_on(screen), std::nullopt);
  EXPECT_THAT(screen.text(), HasSubstr("leave it first"));
  Screen other = in_room();
  replay_two_moves(other);
  other.sent();
  other.keys("r");
  EXPECT_THAT(other.text(), HasSubstr("leave it first"));
  EXPECT_TRUE(other.sent().empty());
}

TEST(Replay, goes_on_in_a_room_from_the_move_that_is_shown) {
  Screen screen = in_lobby();
  replay_two_moves(screen);
  screen.sent();
  screen.keys("r");
  EXPECT_THAT(screen.text(), HasSubstr("create \"alice-room\" from 7 after 2"));
  EXPECT_TRUE(screen.sent().empty());
  screen.keys("\r");
  const auto request = screen.last_request();
  ASSERT_TRUE(request.has_create_room());
  EXPECT_EQ(request.create_room().name(), "alice-room");
  EXPECT_EQ(request.create_room().options().from().game(), 7U);
  EXPECT_EQ(request.create_room().options().from().moves(), 2U);
  screen.enter(snapshot());
  EXPECT_THAT(screen.text(), Not(HasSubstr("Finished game")));
}

TEST(Replay, is_followed_by_the_server_once_the_game_is_left) {
  Screen screen;
  Session::Options local;
  local.name = "alice";
  local.guest = local.local = true;
  screen.app.begin(local, "this terminal", true);
  screen.app.talk()->connected(screen.now);
  screen.answer(screen.last_request(), "welcome { protocol_version: 1 player_name: 'alice' }");
  screen.enter(snapshot());
  screen.sent();
  screen.server("left { }");
  const auto goodbye = screen.last_request();
  EXPECT_TRUE(goodbye.has_goodbye());
  screen.answer(goodbye, "left { }");
  EXPECT_TRUE(screen.app.talk_is_over());
  EXPECT_FALSE(screen.app.ending());
}

TEST(Games, are_asked_for_page_by_page) {
  Screen screen = welcomed();
  screen.keys("g");
  screen.answer(screen.last_request(), "game_list { games { id: 9 } games { id: 8 } more: true }");
  screen.keys(down);
  const auto page = screen.last_request();
  EXPECT_EQ(page.list_games().before(), 8U);
  // The list is opened again while a page is under way.
  screen.keys("\033");
  screen.keys("g");
  screen.keys(down);
  EXPECT_TRUE(screen.sent().empty());
  screen.answer(page, "game_list { games { id: 7 } }");
  EXPECT_EQ(screen.app.talk()->games()->size(), 3U);
  screen.keys("\033");
  screen.keys("g");
  screen.keys(down);
  EXPECT_EQ(screen.last_request().list_games().before(), 0U);
}

// Lists of games and rooms with names of the greatest length.
constexpr std::string_view long_name = "Bartholomew the Younger";

TEST(Lists, leave_the_space_of_short_texts_to_long_names) {
  Screen screen({90, 24});
  screen.welcome();
  screen.server(
      "lobby_update { reset: true complete: true rooms { name: 'the house of cards' rules { rows: "
      "3 cols: 3 k: 3 } "
      "x { kind: KIND_PERSON name: '" +
      std::string(long_name) + "' } } }");
  EXPECT_THAT(screen.text(), HasSubstr("the house of cards"));
  EXPECT_THAT(screen.text(), HasSubstr(long_name));
}

TEST(Lists, have_more_columns_on_a_wide_screen) {
  for (const int width : {80, 120}) {
    Screen screen({width, 24});
    screen.welcome();
    screen.sent();
    screen.keys("g");
    screen.answer(screen.last_request(),
                  "game_list { games { id: 9 room: 'the house of cards' rules { rows: 3 cols: 3 "
                  "k: 3 } x { kind: KIND_PERSON name: '" +
                      std::string(long_name) + "' } } }");
    EXPECT_EQ(screen.text().find("the house of cards") != std::string::npos, width > 80);
    EXPECT_THAT(screen.text(), HasSubstr(long_name));
  }
}

TEST(Hostile, nothing_of_a_servers_reaches_the_terminal) {
  Screen screen;
  screen.connect();
  screen.answer(
      screen.sent().back(),
      "welcome { protocol_version: 1 player_name: 'a\\033[2Jb' server_name: '\\033]2;x\\007' "
      "limits { ai_levels: '\\033c' } }");
  screen.enter(
      snapshot("name: '\\033[31mred\\n\\t' chat { from: '\\033' text: '\\r\\nhello\\033[H' } "
               "o { name: '\xE2\x80\xAE' }"));
  screen.keys("A");
  const Scene scene = screen.app.draw(screen.now);
  for (int y = 0; y < 24; ++y) {
    for (int x = 0; x < 80; ++x) {
      const char32_t letter = scene.picture.at({x, y}).letter;
      EXPECT_TRUE(letter == 0 || (letter >= 0x20 && letter < 0x7F) || letter >= 0xA0);
      EXPECT_NE(letter, U'\u202E');
    }
  }
  EXPECT_EQ(screen.app.title().find('\033'), std::string::npos);
}

}  // namespace
}  // namespace tictactoe::screen::testing::screen_views_tests
