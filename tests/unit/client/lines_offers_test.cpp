// Clocks, ends, offers, and players who are away, as a person sees them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "client/lines/conversation.hpp"
#include "tests/support/console_harness.hpp"

namespace tictactoe::client::lines_offers_tests {
namespace {

using testing::Harness;
using ::testing::HasSubstr;
using testing::InRoom;
using ::testing::Not;
using testing::snapshot;
using ::testing::StartsWith;
using testing::Welcomed;

std::string update(const std::string& change, const std::string& head = {}) {
  return "update { revision: 8 " +
         (head.empty() ? std::string("phase: PHASE_PLAYING turn: MARK_X ") : head) + change + " }";
}

// What is told after one update of a room where alice plays X.
std::string told(const std::string& change, const std::string& room = {},
                 const std::string& head = {}) {
  InRoom harness(snapshot(room));
  harness.server(update(change, head));
  return harness.text();
}

const std::string finished = "phase: PHASE_FINISHED ";

TEST(Ends, other_than_by_a_move) {
  const auto ended = [](const std::string& outcome) {
    return told("game_ended { outcome { " + outcome + " } }", "", finished);
  };
  EXPECT_EQ(ended("winner: MARK_X reason: REASON_RESIGNED"),
            "You win! alice (X) wins: bob has resigned. Type `rematch` to play again.\n");
  EXPECT_EQ(ended("winner: MARK_O reason: REASON_TIME"),
            "You lose. bob (O) wins: the time of alice is over. Type `rematch` to play again.\n");
  EXPECT_EQ(ended("winner: MARK_X reason: REASON_FORFEIT"),
            "You win! alice (X) wins: bob was away for too long. Type `rematch` to play again.\n");
  EXPECT_EQ(ended("reason: REASON_BOARD_FULL"), "Draw. Type `rematch` to play again.\n");
  EXPECT_EQ(ended("reason: REASON_AGREED"), "Draw, as agreed. Type `rematch` to play again.\n");
  EXPECT_EQ(ended("reason: REASON_MOVE_LIMIT"),
            "Draw: the game reached the move limit. Type `rematch` to play again.\n");
}

TEST(Ends, come_with_the_score) {
  EXPECT_THAT(
      told("score { x: 2 o: 1 draws: 4 } game_ended { outcome { winner: MARK_X } }", "", finished),
      HasSubstr("\nScore: X 2, O 1, draws 4.\n"));
  InRoom harness(snapshot("score { x: 2 o: 1 }"));
  harness.typed("board");
  EXPECT_THAT(harness.text(), StartsWith("X: alice (you)   O: bob   Score: X 2, O 1, draws 0\n"));
}

TEST(Offers, are_told_with_how_to_answer) {
  EXPECT_EQ(told("draw_offered { by: MARK_O }"),
            "bob (O) offers a draw: type `draw` to accept, or `decline`.\n");
  EXPECT_EQ(told("draw_offered { by: MARK_X }"), "You offer a draw.\n");
  EXPECT_EQ(
      told("takeback_asked { by: MARK_O }"),
      "bob (O) asks to take the last move back: type `takeback` to grant it, or `decline`.\n");
  EXPECT_EQ(told("takeback_asked { by: MARK_X }"), "You ask to take your last move back.\n");
  EXPECT_EQ(told("declined { by: MARK_O }"), "bob (O) says no.\n");
  EXPECT_EQ(told("declined { by: MARK_X }"), "You say no.\n");
  EXPECT_EQ(told("declined { }"), "Somebody says no.\n");
}

TEST(Offers, are_told_on_coming_in) {
  Welcomed harness;
  harness.typed("play");
  harness.answer(harness.only_request(), snapshot("draw_offered_by: MARK_O"));
  EXPECT_THAT(harness.text(), HasSubstr("bob (O) offers a draw: type `draw`"));
}

TEST(Offers, name_the_game_they_are_meant_for) {
  for (const auto& [line, expected] :
       {std::pair("resign", "resign { game: 4 }"), std::pair("draw", "offer_draw { game: 4 }"),
        std::pair("takeback", "ask_takeback { game: 4 }"),
        std::pair("decline", "decline { game: 4 }")}) {
    InRoom harness(snapshot("game: 4"));
    harness.typed(line);
    EXPECT_THAT(harness.only_request().ShortDebugString(), HasSubstr(expected));
  }
}

TEST(Takeback, takes_marks_off_the_board) {
  InRoom harness(snapshot("moves: [4, 0, 8]"));
  harness.server(update("taken_back { ply: 2 by: MARK_X }"));
  EXPECT_EQ(harness.text(),
            "Your last move is taken back; 2 on the board. Your turn: place your X.\n"
            "\n"
            "    a   b   c\n"
            " 1 [O]|   |\n"
            "   ---+---+---\n"
            " 2    | X |\n"
            "   ---+---+---\n"
            " 3    |   |\n"
            "\n");
  harness.typed("c3");
  EXPECT_EQ(harness.only_request().move().ply(), 2U);
}

TEST(Board, takes_back) {
  Board board(3, 3);
  ASSERT_TRUE(board.place({0, 0}, Mark::x));
  ASSERT_TRUE(board.place({1, 1}, Mark::o));
  ASSERT_TRUE(board.place({2, 2}, Mark::x));
  board.take_back(5);
  EXPECT_EQ(board.count(), 3U);
  board.take_back(1);
  EXPECT_EQ(board.count(), 1U);
  EXPECT_EQ(board.last(), (Cell{0, 0}));
  EXPECT_EQ(board.at({1, 1}), Mark::none);
  EXPECT_TRUE(board.place({1, 1}, Mark::x));
  board.clear();
  EXPECT_FALSE(board.last());
  EXPECT_EQ(board.at({0, 0}), Mark::none);
}

// Those who are away.

std::string bob_changes(const std::string& before, const std::string& after) {
  const std::string bob = "kind: KIND_PERSON name: 'bob' ";
  return "seat_changed { seat: MARK_O occupant { " + bob + after + " } previous { " + bob + before +
         " } }";
}

TEST(Away, is_told_with_what_follows_and_when) {
  const std::string goes = bob_changes("", "away: true away_ms_left: 120000");
  EXPECT_EQ(told(goes),
            "bob is away: the seat is held for 2 min, then the game is lost for them. Your turn: "
            "place your X.\n");
  EXPECT_THAT(told(goes, "options { away: AWAY_HOLD }"), HasSubstr("the seat is held for 2 min"));
  EXPECT_THAT(told(goes, "options { away: AWAY_AI }"), HasSubstr("in 2 min an AI plays for them."));
  EXPECT_THAT(told(bob_changes("away: true", "away: true ai_level: 'suggester'")),
              HasSubstr("bob is away: the AI (suggester) plays until they are back."));
  EXPECT_EQ(told(bob_changes("away: true", "")), "bob is back. Your turn: place your X.\n");
  EXPECT_THAT(told(bob_changes("", "away: true away_ms_left: 4294967295")), HasSubstr("49 days"));
}

TEST(Away, moves_of_a_stand_in_are_told_as_its_own) {
  InRoom harness(snapshot("moves: 4 turn: MARK_O o { away: true ai_level: 'suggester' }"));
  harness.server(update("move_played { mark: MARK_O cell { } ply: 2 }"));
  EXPECT_THAT(harness.text(), StartsWith("The AI plays a1 for bob. Your turn: place your X.\n"));
  harness.typed("board");
  EXPECT_THAT(harness.text(), HasSubstr("O: bob (away, an AI plays)"));
}

// Clocks.

TEST(Clocks, stand_beside_whose_turn_it_is) {
  EXPECT_THAT(
      told("clocks { x_ms: 271500 o_ms: 300000 } move_played { mark: MARK_X cell { } ply: 1 }",
           "options { time { game_ms: 300000 } } clocks { x_ms: 300000 o_ms: 300000 }",
           "phase: PHASE_PLAYING turn: MARK_O "),
      HasSubstr("bob's turn (O). Clocks: X 4:32 \xC2\xB7 O 5:00.\n"));
}

TEST(Clocks, tick_in_the_prompt_from_what_was_told_last) {
  Conversation::Options options = Harness::options(false);
  options.prompt = true;
  Harness harness(options);
  harness.enter(snapshot("clocks { x_ms: 2500 o_ms: 300000 }"));
  std::vector<std::string> prompts;
  while (harness.next_deadline() && prompts.size() < 10) {
    prompts.push_back(harness.conversation.prompt(harness.now));
    harness.pass(harness.next_in());
  }
  EXPECT_THAT(prompts, ::testing::ElementsAre("X 0:03 \xC2\xB7 O 5:00  your move> ",
                                              "X 0:02 \xC2\xB7 O 5:00  your move> ",
                                              "X 0:01 \xC2\xB7 O 5:00  your move> "));
  EXPECT_EQ(harness.conversation.prompt(harness.now), "X 0:00 \xC2\xB7 O 5:00  your move> ");
  EXPECT_FALSE(harness.session().ending()) << "whose time is over is for the server to say";
}

TEST(Clocks, stand_still_for_the_computer_and_between_games) {
  for (const char* room : {"turn: MARK_O o { kind: KIND_AI }", "phase: PHASE_FINISHED"}) {
    Conversation::Options options = Harness::options(false);
    options.prompt = true;
    Harness harness(options);
    harness.enter(snapshot(std::string("clocks { x_ms: 2500 o_ms: 300000 } ") + room));
    EXPECT_FALSE(harness.next_deadline()) << room;
  }
}

TEST(Clocks, are_told_on_coming_in) {
  Welcomed harness;
  harness.typed("create den clock 5m+3s");
  harness.answer(harness.only_request(),
                 snapshot("options { time { game_ms: 300000 increment_ms: 3000 } } "
                          "clocks { x_ms: 300000 o_ms: 300000 }"));
  EXPECT_THAT(harness.text(), HasSubstr("(3 x 3; 5 min + 3 s a move)."));
}

// Other news.

TEST(StaleMove, is_answered_by_the_room_as_it_stands) {
  InRoom harness;
  harness.typed("1 1");
  harness.answer(harness.only_request(),
                 "error { code: CODE_STALE_MOVE message: 'The game has gone on.' state { " +
                     snapshot("revision: 20 moves: 4 moves: 0").ShortDebugString() + " } }");
  EXPECT_THAT(harness.text(),
              StartsWith("Refused: The game has gone on.\nThe room as it is now:\n"));
  harness.typed("c3");
  const auto move = harness.only_request();
  EXPECT_EQ(move.move().ply(), 2U);
  harness.answer(move, snapshot("revision: 22 moves: [4, 0, 8, 1]"));
  EXPECT_THAT(harness.text(),
              StartsWith("That move was played already.\nThe room as it is now:\n"));
}

TEST(Chat, of_a_snapshot_is_shown_once_and_not_again_at_a_resync) {
  const std::string chat = "chat { from: 'bob' seat: MARK_O text: 'hi' } ";
  Harness harness(false);
  EXPECT_THAT(harness.join(snapshot(chat)), HasSubstr("Said here before:\n  bob (O): hi\n"));
  harness.server("update { revision: 99 chat_said { } }");
  harness.answer(harness.only_request(), snapshot("revision: 99 " + chat));
  EXPECT_THAT(harness.text(), Not(HasSubstr("bob (O): hi")));
}

TEST(Chat, of_a_snapshot_is_bounded_and_made_fit_for_a_screen) {
  auto room = snapshot();
  for (int i = 0; i < 1'000; ++i) {
    auto& line = *room.add_chat();
    line.set_from("\033[2Jbob");
    line.set_text(std::to_string(i));
  }
  Welcomed harness;
  harness.typed("join den");
  harness.answer(harness.only_request(), room);
  const std::string text = harness.text();
  EXPECT_EQ(text.find('\033'), std::string::npos);
  EXPECT_THAT(text, HasSubstr(": 999\n"));
  EXPECT_LT(text.size(), 5'000U);
}

TEST(Notice, of_the_end_is_told) {
  InRoom harness;
  harness.server("notice { kind: KIND_DRAINING within_ms: 90000 }");
  EXPECT_EQ(harness.text(),
            "The server is about to end: no new games begin, and running ones have 1 min 30 s.\n");
  harness.server("notice { message: 'Tea\\007 is ready.' }");
  EXPECT_EQ(harness.text(), "The server says: Tea\xEF\xBF\xBD is ready.\n");
}

}  // namespace
}  // namespace tictactoe::client::lines_offers_tests
