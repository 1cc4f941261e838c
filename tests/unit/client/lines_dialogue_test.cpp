#include "client/lines/conversation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/console_harness.hpp"

namespace tictactoe::client::lines_dialogue_tests {
namespace {

using testing::Harness;
using ::testing::HasSubstr;
using testing::InRoom;
using ::testing::Not;
using testing::o_plays_corner;
using testing::snapshot;
using testing::Welcomed;
using testing::x_plays_centre;

// A person at a terminal.

TEST(Person, moves_name_game_and_ply) {
  InRoom harness(snapshot("moves: 0 moves: 1 game: 4"));
  EXPECT_EQ(harness.conversation.prompt(harness.now), "your move> ");
  harness.typed("b3");
  const v1::Move move = harness.only_request().move();
  EXPECT_EQ(move.ShortDebugString(), "cell { row: 2 col: 1 } game: 4 ply: 2");
}

TEST(Person, sees_who_they_are_and_how_to_move) {
  Welcomed harness;
  harness.typed("play");
  harness.answer(harness.only_request(), snapshot());
  EXPECT_EQ(harness.text(),
            "You are alice and play X in the room \"den\" (3 x 3).\n"
            "X: alice (you)   O: bob\n"
            "To move, type row and column (2 3) or the column's letter and the row (c2).\n"
            "Your turn: place your X.\n"
            "\n"
            "    a   b   c\n"
            " 1    |   |\n"
            "   ---+---+---\n"
            " 2    |   |\n"
            "   ---+---+---\n"
            " 3    |   |\n"
            "\n");
}

TEST(Person, lines_go_out_at_once) {
  InRoom harness;
  harness.typed("1 1");
  harness.typed("2 2");
  harness.typed("say hi");
  EXPECT_EQ(harness.sent().size(), 3U);
}

TEST(Person, no_more_lines_are_taken_than_the_server_answers) {
  InRoom harness;
  for (std::size_t i = 0; i < max_pending; ++i) harness.typed("hint");
  EXPECT_FALSE(harness.conversation.wants_lines());
  harness.answer(harness.sent().front(), "hinted { }");
  EXPECT_TRUE(harness.conversation.wants_lines());
}

TEST(Person, a_rate_limit_is_told) {
  InRoom harness;
  harness.typed("hint");
  harness.answer(harness.only_request(), "error { code: CODE_RATE_LIMITED message: 'Slow down.' }");
  EXPECT_EQ(harness.text(), "Refused: Slow down.\n");
  EXPECT_TRUE(harness.sent().empty());
}

TEST(Person, outside_of_a_room_a_move_is_not_sent) {
  Welcomed harness;
  harness.typed("1 1");
  EXPECT_TRUE(harness.sent().empty());
  EXPECT_THAT(harness.text(), HasSubstr("You are in no room."));
}

TEST(Person, is_asked_how_to_end_with_the_time_for_which_a_seat_is_held) {
  InRoom harness(snapshot("options { grace_ms: 600000 }"));
  harness.conversation.ask_quit(harness.now);
  EXPECT_EQ(
      harness.text(),
      "A game is going on. Type `leave` to end and give your seat up, `keep` to end and keep it "
      "for 10 min, or `go on` to go on playing.\n");
  EXPECT_TRUE(harness.sent().empty());
  harness.session().drop(harness.now);
  EXPECT_EQ(
      harness.text(),
      "Your seat is held for 10 min. Start again with the same name and server to return to it.\n");
}

TEST(Person, is_told_that_the_server_ends_and_who_is_there) {
  Conversation::Options options = Harness::options(false);
  options.hosting = true;
  Harness harness(options);
  harness.enter(snapshot("options { grace_ms: 600000 }"));
  harness.conversation.ask_quit(harness.now);
  EXPECT_EQ(harness.text(), "") << "first it is asked who is there";
  harness.answer(harness.only_request(),
                 "player_list { players { name: 'alice' } players { name: 'carol' } }");
  EXPECT_EQ(
      harness.text(),
      "The server ends with this program. bob and carol are still connected. ./run serve keeps a "
      "server running.\n"
      "Games are saved. When the server starts again, the seats of this game are held for 10 min.\n"
      "A game is going on. Type `leave` to end and give your seat up, `keep` to end and keep it "
      "for 10 min, or `go on` to go on playing.\n");
  harness.typed("players");
  harness.answer(harness.only_request(), "player_list { players { name: 'alice' } }");
  EXPECT_THAT(harness.text(), Not(HasSubstr("server ends"))) << "the list is asked for";
  harness.session().drop(harness.now);
  EXPECT_EQ(harness.text(),
            "The server has ended. When it starts again, your seat is held for 10 min.\n");

  Harness in_lobby(options);
  in_lobby.welcome();
  in_lobby.text();
  in_lobby.conversation.ask_quit(in_lobby.now);
  in_lobby.answer(in_lobby.only_request(), "player_list { players { name: 'alice' } }");
  EXPECT_EQ(in_lobby.text(),
            "The server ends with this program. Nobody else is connected.\n"
            "Type `leave` to end, or `go on` to stay.\n");
}

TEST(Person, is_asked_how_to_end_although_nobody_can_be_listed) {
  Conversation::Options options = Harness::options(false);
  options.hosting = true;
  Harness harness(options);
  harness.welcome();
  harness.text();
  harness.conversation.ask_quit(harness.now);
  harness.answer(harness.only_request(), "error { code: CODE_NOT_ALLOWED message: 'No.' }");
  EXPECT_THAT(harness.text(), HasSubstr("Type `leave` to end"));
  harness.typed("players");
  harness.answer(harness.only_request(), "player_list { players { name: 'alice' } }");
  EXPECT_THAT(harness.text(), Not(HasSubstr("Type `leave`"))) << "that question was asked";
}

TEST(Person, with_the_name_of_an_account_is_to_be_asked_for_its_password) {
  constexpr const char* note = "name_note: 'That is an account.'";
  for (const bool guest : {false, true}) {
    Conversation::Options options = Harness::options(false);
    options.asks_account = true;
    options.session.guest = guest;
    Harness harness(options);
    harness.typed("create den");
    harness.welcome("alice-2", note);
    EXPECT_EQ(harness.text(), "The name \"alice\" has a password.\n");
    EXPECT_TRUE(harness.conversation.wants_account_password());
    for (const v1::ClientMessage& request : harness.sent()) {
      EXPECT_TRUE(request.has_goodbye());
      harness.answer(request, "left { }");
    }
    ASSERT_TRUE(harness.session().ending());
    EXPECT_EQ(harness.session().ending()->status, 0);
  }
}

TEST(Person, is_not_asked_for_the_password_of_an_account_without_need) {
  Conversation::Options options = Harness::options(false);
  Harness cannot_be_asked(options);
  cannot_be_asked.welcome("alice-2", "name_note: 'That is an account.'");
  EXPECT_THAT(cannot_be_asked.text(), HasSubstr("You are called alice-2 here."));
  options.asks_account = true;
  Harness free_name(options);
  free_name.welcome();
  options.session.passwords.account = "known";
  Harness has_given_it(options);
  has_given_it.welcome("alice-2", "name_note: 'That is an account.'");
  for (Harness* const harness : {&cannot_be_asked, &free_name, &has_given_it}) {
    EXPECT_FALSE(harness->conversation.wants_account_password());
    EXPECT_FALSE(harness->session().ending());
  }
}

TEST(Person, quit_leaves_the_room_first) {
  InRoom harness;
  harness.typed("quit");
  const auto leave = harness.only_request();
  EXPECT_TRUE(leave.has_leave_room());
  EXPECT_FALSE(harness.session().ending());
  harness.answer(leave, "left { }");
  EXPECT_EQ(harness.session().ending()->status, 0);

  InRoom without_answer;
  without_answer.typed("quit");
  EXPECT_EQ(without_answer.next_in(), leave_timeout);
  without_answer.pass(leave_timeout);
  EXPECT_EQ(without_answer.session().ending()->status, 0);
}

TEST(Person, a_lost_server_is_status_one) {
  InRoom harness;
  harness.session().connection_lost("reset by peer", harness.now);
  EXPECT_EQ(harness.session().ending()->status, 1);
  EXPECT_EQ(harness.conversation.ending_reason(), "Lost the server testhost: reset by peer.");
}

TEST(Person, a_stopping_server_is_told_apart) {
  InRoom harness;
  harness.server("error { code: CODE_SERVER_STOPPING message: 'See you.' closing: true }");
  EXPECT_EQ(harness.session().ending()->status, 1);
  EXPECT_EQ(harness.conversation.ending_reason(), "The server testhost stops: See you.");
}

TEST(Person, lists_are_asked_for_page_by_page) {
  Welcomed harness;
  harness.typed("rooms");
  auto request = harness.only_request();
  harness.answer(request,
                 "room_list { more: true rooms { name: 'a' rules { rows: 3 cols: 3 k: 3 } "
                 "phase: PHASE_PLAYING ply: 4 x { kind: KIND_PERSON name: 'ann' } "
                 "o { kind: KIND_AI name: 'Robo' } watchers: 3 } }");
  EXPECT_EQ(harness.text(), "");
  request = harness.only_request();
  EXPECT_EQ(request.list_rooms().after(), "a");
  harness.answer(request,
                 "room_list { rooms { name: 'b' rules { rows: 15 cols: 15 k: 5 } phase: "
                 "PHASE_WAITING needs_password: true x { kind: KIND_PERSON name: 'bob' } } "
                 "rooms { name: 'c' rules { rows: 3 cols: 3 k: 3 } phase: PHASE_WAITING } }");
  EXPECT_EQ(harness.text(),
            "ROOM  BOARD                X     O          STATE\n"
            "c     3 x 3                open  open       waiting\n"
            "b     15 x 15, 5 in a row  bob   open       waiting, password\n"
            "a     3 x 3                ann   Robo (AI)  move 5, 3 watching\n");
}

TEST(Person, a_list_without_end_is_cut_short) {
  Welcomed harness;
  harness.typed("rooms");
  int pages = 0;
  for (auto requests = harness.sent(); !requests.empty(); requests = harness.sent()) {
    ++pages;
    harness.answer(requests.front(), "room_list { more: true rooms { name: 'again' } }");
  }
  EXPECT_EQ(pages, max_list_pages);
  EXPECT_THAT(harness.text(), HasSubstr("more rooms"));
}

TEST(Person, control_characters_never_reach_the_screen) {
  InRoom harness;
  harness.server(
      "update { revision: 8 phase: PHASE_PLAYING turn: MARK_X "
      "chat_said { from: 'b\\033ob' text: '\\033]0;gotcha\\007\\r\\n\\302\\233' } }");
  harness.server("error { message: '\\033[2J' }");
  for (const char byte : harness.text()) {
    EXPECT_TRUE(byte == '\n' || static_cast<unsigned char>(byte) >= 0x20) << int{byte};
  }
}

TEST(Person, losing_the_seat_is_told) {
  InRoom harness;
  harness.server(
      "update { revision: 8 phase: PHASE_PLAYING turn: MARK_X seat_changed { seat: MARK_X "
      "occupant { kind: KIND_AI name: 'Robo' ai_level: 'strong' } "
      "previous { kind: KIND_PERSON name: 'alice' } watchers: 1 } }");
  EXPECT_THAT(harness.text(),
              HasSubstr("Robo (AI) plays X now. You watch now. Robo (AI)'s turn (X).\n"));
}

// Games told.

TEST(Told, a_move_and_whose_turn_it_is) {
  InRoom harness;
  harness.server(x_plays_centre);
  EXPECT_THAT(harness.text(), HasSubstr("You play b2. bob's turn (O).\n"));
  harness.server(o_plays_corner);
  EXPECT_THAT(harness.text(), HasSubstr("bob plays a1. Your turn: place your X.\n"));
}

TEST(Told, a_win) {
  InRoom harness(snapshot("moves: 0 moves: 3 moves: 1 moves: 4"));
  harness.server(
      "update { revision: 8 phase: PHASE_FINISHED move_played { mark: MARK_X cell { col: 2 } "
      "ply: 5 outcome { winner: MARK_X reason: REASON_LINE lines { kind: KIND_ROW first { } "
      "last { col: 2 } } } } }");
  EXPECT_EQ(harness.text(),
            "You play c1.\n"
            "You win! alice (X) wins: row 1. Type `rematch` to play again.\n"
            "\n"
            "    a   b   c\n"
            " 1 *X*|*X*|*X*\n"
            "   ---+---+---\n"
            " 2  O | O |\n"
            "   ---+---+---\n"
            " 3    |   |\n"
            "\n");
}

TEST(Told, who_won_is_said_once) {
  InRoom harness(snapshot("phase: PHASE_FINISHED outcome { winner: MARK_X }"));
  harness.server(
      "update { revision: 8 phase: PHASE_FINISHED seat_changed { seat: MARK_O occupant { } "
      "previous { kind: KIND_PERSON name: 'bob' } } }");
  EXPECT_EQ(harness.text(), "bob has left the seat O.\n");
  harness.typed("board");
  EXPECT_THAT(harness.text(),
              HasSubstr("You win! alice (X) wins. The next game begins when somebody takes O.\n"));
}

TEST(Told, a_rematch) {
  InRoom harness(snapshot("phase: PHASE_FINISHED outcome { reason: REASON_BOARD_FULL }"));
  harness.server("update { revision: 8 phase: PHASE_FINISHED rematch_wanted { seat: MARK_O } }");
  EXPECT_EQ(harness.text(), "bob (O) wants a rematch: type `rematch` to agree.\n");
  harness.server(
      "update { revision: 9 phase: PHASE_PLAYING turn: MARK_O "
      "game_started { game: 2 starter: MARK_O } }");
  EXPECT_THAT(harness.text(), HasSubstr("Game 2 begins: bob (O) starts. bob's turn (O).\n"));
}

}  // namespace
}  // namespace tictactoe::client::lines_dialogue_tests
