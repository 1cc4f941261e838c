// Nothing that is typed on the full screen is lost, and nothing old is shown.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/screen_harness.hpp"

namespace tictactoe::screen::testing::screen_entry_tests {
namespace {

using client::testing::o_plays_corner;
using client::testing::x_plays_centre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Entry, is_shown_on_every_screen) {
  Screen lobby = in_lobby();
  lobby.keys(":watch");
  EXPECT_THAT(lobby.text(), HasSubstr("Command: watch"));
  EXPECT_TRUE(lobby.app.draw(lobby.now).cursor);

  Screen games = in_lobby();
  games.keys("g");
  games.answer(games.last_request(), two_games);
  games.keys(":hist");
  EXPECT_THAT(games.text(), HasSubstr("Command: hist"));
  games.keys("\033");
  EXPECT_THAT(games.text(), HasSubstr("Finished games"));
  games.keys("\r");
  games.answer(games.last_request(),
               "game_found { game { id: 7 rules { rows: 3 cols: 3 k: 3 } x { kind: KIND_PERSON "
               "name: 'ann' } "
               "o { kind: KIND_PERSON name: 'ben' } moves: 4 moves: 0 starter: MARK_X outcome { "
               "winner: MARK_X "
               "reason: REASON_RESIGNED } } }");
  EXPECT_THAT(games.text(), HasSubstr("move 0 of 2"));
  games.keys(":roo");
  EXPECT_THAT(games.text(), HasSubstr("Command: roo"));
}

TEST(Entry, survives_that_the_room_is_entered) {
  Screen screen = in_lobby();
  screen.keys("p:say hel");
  screen.enter(snapshot());
  EXPECT_THAT(screen.text(), HasSubstr("Move or command: say hel"));
}

TEST(Entry, knows_earlier_lines_and_completes) {
  Screen screen = in_lobby();
  screen.keys(":wat\tth\t\r");
  EXPECT_EQ(screen.last_request().watch_room().name(), "the den");
  screen.keys(":re\t");
  EXPECT_THAT(screen.text(), HasSubstr("resign rematch replay"));
  screen.keys("\x15\033[A");
  EXPECT_THAT(screen.text(), HasSubstr("Command: watch \"the den\""));
}

TEST(Commands, rooms_lists_them_in_a_room_too) {
  Screen screen = in_lobby();
  screen.enter(snapshot());
  screen.keys(":rooms\r");
  EXPECT_THAT(screen.text(), HasSubstr("3 rooms"));
  EXPECT_THAT(screen.text(), HasSubstr("vault"));
  EXPECT_THAT(screen.text(), HasSubstr("Esc Back to the game"));
  for (const char* refused : {"Enter Join", "P Play now", "N New room", "W Watch"}) {
    EXPECT_THAT(screen.text(), Not(HasSubstr(refused)));
  }
  screen.keys("\033");
  EXPECT_THAT(screen.text(), HasSubstr("Your turn"));
}

TEST(Rooms, without_an_open_seat_can_be_watched) {
  Screen screen;
  screen.welcome();
  screen.server(R"(lobby_update { reset: true complete: true
    rooms { name: 'a' phase: PHASE_WAITING rules { rows: 3 cols: 3 k: 3 } }
    rooms { name: 'b' phase: PHASE_PLAYING x { kind: KIND_PERSON name: 'c' }
            o { kind: KIND_PERSON name: 'd' } rules { rows: 3 cols: 3 k: 3 } } })");
  EXPECT_THAT(screen.text(), HasSubstr("Enter Join"));
  EXPECT_THAT(screen.text(), HasSubstr("W Watch"));
  screen.keys("j");
  EXPECT_THAT(screen.text(), HasSubstr("Enter Watch"));
  EXPECT_THAT(screen.text(), Not(HasSubstr("Enter Join")));
}

TEST(Commands, history_lists_the_games_of_a_player) {
  Screen screen = in_room();
  screen.keys(":history ann\r");
  const auto request = screen.last_request();
  EXPECT_EQ(request.list_games().player(), "ann");
  screen.answer(request, two_games);
  EXPECT_THAT(screen.text(), HasSubstr("Finished games of ann"));
  EXPECT_THAT(screen.text(), HasSubstr("cleo"));
  screen.keys("\033");
  EXPECT_THAT(screen.text(), HasSubstr("Your turn"));
}

TEST(Commands, history_without_a_connection_says_so) {
  Screen screen = in_lobby();
  screen.keys("g");
  screen.answer(screen.last_request(), two_games);
  screen.lose();
  screen.keys(":history bob\r");
  EXPECT_THAT(screen.text(), HasSubstr("Connection lost."));
  EXPECT_THAT(screen.text(), HasSubstr("cleo")) << "the list of before stays";
  EXPECT_THAT(screen.text(), Not(HasSubstr("of bob")));
}

TEST(Commands, history_that_is_refused_is_not_waited_for) {
  Screen screen = in_lobby();
  screen.keys("g");
  EXPECT_THAT(screen.text(), HasSubstr("Asking for them"));
  screen.answer(screen.last_request(), "error { code: CODE_NO_RECORDS message: 'None are kept.' }");
  EXPECT_THAT(screen.text(), HasSubstr("None are kept."));
  EXPECT_THAT(screen.text(), Not(HasSubstr("Asking for them")));
}

TEST(Commands, of_the_command_line_wait_until_a_resumed_seat_has_caught_up) {
  App::Options options = alice();
  options.commands = {"create den", "ai o", "say hello"};
  Screen screen({80, 24}, options);
  screen.connect();
  screen.answer(screen.last_request(),
                "welcome { protocol_version: 1 player_name: 'alice' resumed: true room: 'den' }");
  const auto ping = screen.last_request();
  EXPECT_TRUE(ping.has_ping());
  screen.enter(snapshot());
  screen.answer(ping, "pong { }");
  const auto sent = screen.sent();
  ASSERT_EQ(sent.size(), 1U) << "the player who comes back has a room and an opponent";
  EXPECT_EQ(sent.front().chat().text(), "hello");
}

TEST(Commands, board_goes_to_a_place) {
  Screen screen = in_room("rules { rows: 15 cols: 15 k: 5 }");
  screen.keys(":history\r");
  screen.keys(":board c2\r");
  EXPECT_THAT(screen.text(), HasSubstr("Your turn"));
  screen.keys("\r");
  EXPECT_EQ(screen.last_request().move().cell().row(), 1U);
  Screen lobby = in_lobby();
  lobby.keys(":board\r");
  EXPECT_THAT(lobby.text(), HasSubstr("You are in no room."));
}

TEST(Password, that_is_wrong_can_be_typed_again) {
  Screen screen = in_lobby();
  screen.keys("jj\r");
  screen.keys("wrong\r");
  screen.answer(screen.last_request(),
                "error { code: CODE_WRONG_PASSWORD message: 'That is not the password.' }");
  EXPECT_THAT(screen.text(), HasSubstr("That is not the password."));
  screen.keys("right\r");
  EXPECT_EQ(screen.last_request().join_room().password(), "right");
}

TEST(Notice, is_shown_whole_on_two_rows) {
  Screen screen = in_room();
  screen.keys("D\r");
  screen.answer(screen.last_request(),
                "error { code: CODE_NOT_ALLOWED message: 'This is a sentence of a server that says "
                "at some length what you can do.' }");
  EXPECT_THAT(screen.text(), HasSubstr("at some length what you can\n do.\n"));
  EXPECT_THAT(screen.text(), HasSubstr("? Help"));
}

TEST(Notice, disappears_with_the_next_event) {
  Screen screen = in_room();
  screen.keys("D\r");
  screen.answer(screen.last_request(), "error { code: CODE_NOT_ALLOWED message: 'Not now.' }");
  EXPECT_THAT(screen.text(), HasSubstr("\n Refused: Not now.\n"));
  screen.server(
      "update { revision: 8 phase: PHASE_PLAYING turn: MARK_X chat_said { "
      "from: 'bob' text: 'hm' } }");
  EXPECT_THAT(screen.text(), Not(HasSubstr("\n Refused: Not now.\n")));
}

TEST(Hint, is_shown_only_for_its_position) {
  Screen screen = in_room();
  screen.keys("H\r");
  const auto asked = screen.last_request();
  screen.server(x_plays_centre);
  screen.server(o_plays_corner);
  screen.answer(asked, "hinted { cell { row: 1 col: 1 } mark: MARK_X game: 1 ply: 0 }");
  EXPECT_THAT(screen.text(), Not(HasSubstr("would be a good move")));
  EXPECT_THAT(screen.text(), HasSubstr("A hint came too late"));
}

TEST(Hint, is_gone_when_the_move_was_taken_back) {
  Screen screen = in_room();
  screen.keys("H\r");
  screen.answer(screen.last_request(),
                "hinted { cell { row: 1 col: 1 } mark: MARK_X game: 1 ply: 0 }");
  EXPECT_THAT(screen.text(), HasSubstr("\n Hint: b2 would be a good move for X."));
  screen.server(x_plays_centre);
  screen.server(
      "update { revision: 9 phase: PHASE_PLAYING turn: MARK_X "
      "taken_back { ply: 0 by: MARK_X takebacks: 1 } }");
  EXPECT_THAT(screen.text(), Not(HasSubstr("\n Hint: b2")));
}

TEST(Move, is_not_sent_while_it_is_the_turn_of_the_other_side) {
  Screen screen = in_room("turn: MARK_O moves: 0");
  screen.keys("\r");
  EXPECT_TRUE(screen.sent().empty());
  EXPECT_THAT(screen.text(), HasSubstr("Not played: it is the turn of bob (O)."));
  EXPECT_THAT(screen.text(), Not(HasSubstr("is sent")));
  EXPECT_THAT(screen.text(), Not(HasSubstr("~")));
}

TEST(Move, is_not_sent_by_a_watcher) {
  Screen screen;
  screen.welcome();
  auto room = snapshot("x { kind: KIND_PERSON name: 'carol' }");
  room.clear_your_seat();
  screen.enter(room);
  screen.sent();
  screen.keys("\r");
  EXPECT_TRUE(screen.sent().empty());
  EXPECT_THAT(screen.text(), HasSubstr("Not played: you watch this game and have no seat."));
}

TEST(Move, is_marked_until_it_is_answered) {
  Screen screen = in_room();
  screen.keys("\r");
  EXPECT_THAT(screen.text(), HasSubstr("Your move b2 is sent."));
  EXPECT_THAT(screen.text(), HasSubstr("~"));
  const auto move = screen.last_request();
  screen.answer(move, x_plays_centre);
  EXPECT_THAT(screen.text(), Not(HasSubstr("is sent.")));
  EXPECT_THAT(screen.text(), Not(HasSubstr("~")));

  Screen refused = in_room();
  refused.keys("\r");
  refused.answer(refused.last_request(), "error { code: CODE_CELL_TAKEN message: 'It is taken.' }");
  EXPECT_THAT(refused.text(), Not(HasSubstr("is sent.")));
}

}  // namespace
}  // namespace tictactoe::screen::testing::screen_entry_tests
