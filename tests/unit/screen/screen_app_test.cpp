// What a person can do on the full screen, and what comes of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/screen_harness.hpp"

namespace tictactoe::screen::testing::screen_app_tests {
namespace {

using client::testing::o_plays_corner;
using client::testing::x_plays_centre;
using ::testing::HasSubstr;
using ::testing::Not;

v1::Move last_move(Screen& screen) {
  const auto request = screen.last_request();
  EXPECT_TRUE(request.has_move()) << request.ShortDebugString();
  return request.move();
}

TEST(Moves, by_arrows_letters_and_names) {
  const std::string large = "rules { rows: 15 cols: 15 k: 5 }";
  const struct {
    std::string room;
    std::string keys;
    unsigned row, col;
  } moves[] = {{"", std::string(up) + left + "\r", 0, 0},
               {"", "jl ", 2, 2},
               {"", "b3\r", 2, 1},
               {large, "h8\r", 7, 7}};  // h is an arrow, too
  for (const auto& wanted : moves) {
    Screen screen = in_room(wanted.room);
    screen.keys(wanted.keys);
    const v1::Move move = last_move(screen);
    EXPECT_EQ(move.cell().row(), wanted.row) << wanted.keys;
    EXPECT_EQ(move.cell().col(), wanted.col) << wanted.keys;
    EXPECT_EQ(move.game(), 1U);
  }
}

TEST(Moves, a_letter_long_ago_is_no_part_of_a_word) {
  Screen screen = in_room("rules { rows: 15 cols: 15 k: 5 }");
  screen.keys("h");
  screen.now += word_pace + milliseconds(1);
  screen.keys("2 3\r");
  const v1::Move move = last_move(screen);
  EXPECT_EQ(move.cell().row(), 1U);
  EXPECT_EQ(move.cell().col(), 2U);
}

TEST(Moves, by_a_click_in_every_cell) {
  // Of a board with lines, and of one without.
  for (const char* rules : {"", "rules { rows: 15 cols: 15 k: 5 }"}) {
    Screen screen = in_room(rules);
    const Board& board = screen.app.talk()->room()->board;
    int found = 0;
    for (int y = 0; y < 21; ++y) {  // below it are the keys
      for (int x = 0; x < 50; ++x) {
        screen.text();
        screen.app.point({Mouse::Action::press, {x, y}}, screen.now);
        const auto request = screen.last_request();
        if (!request.has_move()) continue;
        ++found;
        EXPECT_TRUE(board.contains({request.move().cell().row(), request.move().cell().col()}));
        // What was clicked is what the cursor is drawn on.
        const Scene scene = screen.app.draw(screen.now);
        ASSERT_TRUE(scene.cursor);
        EXPECT_EQ(scene.picture.at({x, y}).style, Style::cursor) << x << " " << y;
      }
    }
    EXPECT_GE(found, static_cast<int>(board.rows() * board.cols()));
  }
}

TEST(Moves, a_refusal_is_told) {
  Screen screen = in_room();
  screen.keys("\r");
  screen.answer(screen.last_request(), "error { code: CODE_CELL_TAKEN message: 'It is taken.' }");
  EXPECT_THAT(screen.text(), HasSubstr("Refused: It is taken."));
}

TEST(Words, are_typed_too) {
  Screen screen = in_room();
  screen.keys("hint\r");
  EXPECT_TRUE(screen.last_request().has_hint());
  screen.keys(":draw");
  EXPECT_THAT(screen.text(), HasSubstr("Move or command: draw"));
  screen.keys("\r");
  EXPECT_TRUE(screen.last_request().has_offer_draw());
  screen.keys("\tgood luck: b3?\r");
  EXPECT_EQ(screen.last_request().chat().text(), "good luck: b3?");
}

TEST(Keys, do_what_the_bar_says) {
  Screen screen = in_room("options { hints: true }");
  screen.keys("T\r");
  EXPECT_TRUE(screen.last_request().has_ask_takeback());
  screen.keys("D\r");
  EXPECT_TRUE(screen.last_request().has_offer_draw());
  screen.keys("N\r");
  EXPECT_TRUE(screen.last_request().has_decline());
  screen.click("Hint");
  EXPECT_TRUE(screen.last_request().has_hint());
}

TEST(Keys, what_ends_a_game_is_asked_twice) {
  Screen screen = in_room();
  for (const char* key : {"R", "L"}) {
    screen.keys(key);
    EXPECT_THAT(screen.text(), HasSubstr("Sure?"));
    screen.keys("n");
    EXPECT_TRUE(screen.sent().empty());
  }
  screen.keys("Ry");
  EXPECT_TRUE(screen.last_request().has_resign());
}

TEST(Keys, need_no_shift_once_the_game_is_over) {
  Screen screen = in_room("phase: PHASE_FINISHED outcome { winner: MARK_O }");
  EXPECT_THAT(screen.text(), HasSubstr("You lose."));
  screen.keys("r");
  EXPECT_TRUE(screen.last_request().has_rematch());
}

TEST(Keys, the_ai_is_chosen_from_a_menu) {
  Screen screen = waiting_in_room();
  screen.keys("a");
  EXPECT_THAT(screen.text(), HasSubstr("AI (strong) plays O"));
  screen.keys(down);
  screen.keys("\r");
  const auto request = screen.last_request();
  EXPECT_EQ(request.add_ai().level(), "strong");
  EXPECT_EQ(request.add_ai().seat(), v1::MARK_O);
}

TEST(Lobby, a_room_is_made_from_the_form) {
  Screen screen = welcomed();
  screen.keys("n\x15my \"den\"");
  screen.keys(down);
  for (int i = 0; i < 3; ++i) screen.keys(right);
  for (int i = 0; i < 6; ++i) screen.keys(up);
  screen.keys("secret");
  for (int i = 0; i < 4; ++i) screen.keys(down);
  screen.keys(right);
  screen.keys("\r");
  const auto request = screen.last_request();
  EXPECT_EQ(request.create_room().name(), "my \"den\"");
  EXPECT_EQ(request.create_room().password(), "secret");
  EXPECT_EQ(request.create_room().rules().rows(), 15U);
  EXPECT_EQ(request.create_room().rules().cols(), 15U);
  EXPECT_EQ(request.create_room().rules().k(), 5U);
  // The AI sits down once there is a room.
  auto room = snapshot("name: 'my den' phase: PHASE_WAITING");
  room.clear_o();
  screen.answer(request, room);
  EXPECT_EQ(screen.last_request().add_ai().level(), "suggester");
}

constexpr const char* three_rooms = R"(lobby_update { reset: true complete: true
  rooms { name: 'b"ox' phase: PHASE_WAITING rules { rows: 3 cols: 3 k: 3 } }
  rooms { name: 'arena' phase: PHASE_PLAYING x { kind: KIND_PERSON name: 'c' }
          o { kind: KIND_PERSON name: 'd' } rules { rows: 3 cols: 3 k: 3 } }
  rooms { name: 'vault' needs_password: true phase: PHASE_WAITING rules { rows: 3 cols: 3 k: 3 } } })";

TEST(Lobby, that_changes_keeps_the_choice) {
  Screen screen;
  screen.welcome();
  screen.server(three_rooms);
  screen.keys("j");
  screen.server("lobby_update { closed: 'b\"ox' closed: 'arena' rooms { name: 'aa' } }");
  screen.keys("\r");
  EXPECT_THAT(screen.text(), HasSubstr("The room \"vault\" asks for one."));
  screen.keys("pw \"1\"\r");
  const auto join = screen.last_request();
  EXPECT_EQ(join.join_room().name(), "vault");
  EXPECT_EQ(join.join_room().password(), "pw \"1\"");
}

TEST(Lobby, follows_the_updates_of_the_server) {
  Screen screen({110, 24});
  screen.connect(true);
  screen.answer(screen.sent().back(), "welcome { protocol_version: 1 player_name: 'alice' }");
  const auto first = screen.sent();
  ASSERT_FALSE(first.empty());
  EXPECT_TRUE(first.front().has_watch_lobby());
  for (const auto& request : first) EXPECT_FALSE(request.has_list_rooms());
  screen.answer(first.front(), "lobby_update { reset: true rooms { name: 'b' } players: 1 }");
  screen.server("lobby_update { rooms { name: 'a' } complete: true players: 1 }");
  screen.keys("j");  // to b
  screen.server("lobby_update { rooms { name: 'aa' } rooms { name: 'b' watchers: 7 } players: 1 }");
  EXPECT_THAT(screen.text(), HasSubstr("3 rooms"));
  screen.server("lobby_update { closed: 'a' players: 2 }");
  EXPECT_THAT(screen.text(), HasSubstr("2 rooms"));
  for (const auto& player : screen.sent()) {
    if (player.has_list_players()) screen.answer(player, "player_list { }");
  }
  for (int i = 0; i < 3; ++i) screen.pass(lobby_pace);
  for (const auto& request : screen.sent()) EXPECT_FALSE(request.has_list_rooms());
  screen.keys("\r");
  EXPECT_EQ(screen.last_request().join_room().name(), "b") << "the selection stays on its room";
}

TEST(Lobby, enter_joins_or_watches) {
  Screen screen;
  screen.welcome();
  screen.server(three_rooms);
  screen.keys("\r");
  EXPECT_EQ(screen.last_request().join_room().name(), "b\"ox");
  screen.keys("jj\r");
  EXPECT_EQ(screen.last_request().watch_room().name(), "arena");
}

TEST(Lobby, is_filtered) {
  Screen screen;
  screen.welcome();
  screen.server(three_rooms);
  screen.keys("/VAU\r");
  EXPECT_THAT(screen.text(), HasSubstr("vault"));
  EXPECT_THAT(screen.text(), Not(HasSubstr("arena")));
  screen.keys("\033");
  EXPECT_THAT(screen.text(), HasSubstr("arena"));
}

TEST(Turn, is_told_once_and_only_when_it_comes) {
  Screen screen = in_room();
  EXPECT_TRUE(screen.app.take_bell());
  EXPECT_FALSE(screen.app.take_bell());
  screen.server(x_plays_centre);
  EXPECT_FALSE(screen.app.take_bell());
  EXPECT_THAT(screen.app.title(), Not(HasSubstr("your turn")));
  screen.server(o_plays_corner);
  EXPECT_TRUE(screen.app.take_bell());
  EXPECT_THAT(screen.app.title(), HasSubstr("your turn"));

  Screen quiet = in_room();
  quiet.app.take_bell();
  quiet.keys("B\r");  // the title only
  quiet.server(x_plays_centre);
  quiet.server(o_plays_corner);
  EXPECT_FALSE(quiet.app.take_bell());
  EXPECT_THAT(quiet.app.title(), HasSubstr("your turn"));
}

TEST(Link, a_seat_of_an_earlier_program_is_taken_up) {
  Screen screen;
  Session::Options options;
  options.token = "0123456789abcdef";
  screen.connect(options);
  screen.answer(screen.last_request(),
                "welcome { protocol_version: 1 player_name: 'alice' resumed: true room: 'den' }");
  const auto barrier = screen.last_request();
  EXPECT_THAT(screen.text(), HasSubstr("Taking up your seat ..."));
  EXPECT_THAT(screen.text(), HasSubstr("● connected"));
  screen.enter(snapshot());
  EXPECT_THAT(screen.text(), HasSubstr("Taking up your seat ..."));
  screen.answer(barrier, "pong { }");
  EXPECT_THAT(screen.text(), Not(HasSubstr("Taking up your seat ...")));
}

TEST(Link, a_lost_one_counts_down_and_play_goes_on) {
  Screen screen = in_room();
  screen.lose();
  EXPECT_THAT(screen.text(), HasSubstr("Connection lost. Next try in 1 s. Your seat is kept."));
  screen.pass(milliseconds(1000));
  EXPECT_THAT(screen.text(), HasSubstr("Trying to come back now"));
  screen.keys("\r");
  EXPECT_THAT(screen.text(), HasSubstr("there is no connection just now"));
  screen.app.talk()->connected(screen.now);
  const auto hello = screen.last_request();
  EXPECT_EQ(hello.hello().room(), "den");
  screen.answer(hello,
                "welcome { protocol_version: 1 player_name: 'alice' resumed: true room: 'den' "
                "limits { client_frame_bytes: 65536 } }");
  screen.answer(screen.last_request(), "pong { }");
  EXPECT_THAT(screen.text(), HasSubstr("You have missed nothing."));
  EXPECT_THAT(screen.text(), HasSubstr("Your turn"));
}

TEST(Clock, of_the_side_to_move_ticks) {
  Screen screen = in_room("clocks { x_ms: 60000 o_ms: 60000 }");
  EXPECT_THAT(screen.text(), HasSubstr("1:00"));
  const auto next = screen.app.next_deadline();
  ASSERT_TRUE(next);
  EXPECT_LE(*next - screen.now, milliseconds(1000));
  screen.pass(milliseconds(2500));
  EXPECT_THAT(screen.text(), HasSubstr("0:58"));
}

TEST(Idle, nothing_is_to_be_done_soon) {
  Screen screen = in_room();
  EXPECT_FALSE(screen.app.next_deadline());
  EXPECT_FALSE(screen.app.talk()->next_deadline());  // this server wants no signs of life
}

TEST(JoinCommand, stays_visible_in_the_lobby_and_in_the_room) {
  Screen screen;
  screen.app.invite_with(client::invitation_to({"192.0.2.7", "198.51.100.7"}, {}));
  screen.welcome();
  EXPECT_THAT(screen.text(), HasSubstr("Others join with: tictactoe 192.0.2.7 or 198.51.100.7"));
  screen.enter(snapshot());
  EXPECT_THAT(screen.text(), HasSubstr("tictactoe 192.0.2.7"));
  EXPECT_THAT(screen.text(), HasSubstr("198.51.100.7"));
}

}  // namespace
}  // namespace tictactoe::screen::testing::screen_app_tests
