#include "client/lines/pacing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "client/lines/conversation.hpp"
#include "tests/support/console_harness.hpp"

namespace tictactoe::client::lines_script_tests {
namespace {

using testing::Harness;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::snapshot;
using testing::watched;
using testing::x_plays_centre;

TEST(Script, a_line_waits_for_the_answer_to_the_one_before) {
  Harness harness(true);
  harness.welcome();
  harness.typed("create den");
  harness.typed("say hello");
  EXPECT_FALSE(harness.conversation.wants_lines());
  const auto create = harness.only_request();
  EXPECT_TRUE(create.has_create_room());
  harness.answer(create, snapshot());
  EXPECT_TRUE(harness.only_request().has_chat());
  EXPECT_TRUE(harness.conversation.wants_lines());
}

TEST(Script, a_move_waits_for_the_turn) {
  Harness harness(true);
  harness.enter(snapshot("turn: MARK_O starter: MARK_O"));
  harness.typed("2 2");
  EXPECT_TRUE(harness.sent().empty());
  harness.server(
      "update { revision: 8 phase: PHASE_PLAYING turn: MARK_X "
      "move_played { mark: MARK_O cell { } ply: 1 } }");
  EXPECT_EQ(harness.only_request().move().ply(), 1U);
}

TEST(Script, a_move_is_not_sent_if_its_turn_cannot_come) {
  Harness outside(true);
  outside.welcome();
  outside.text();
  outside.typed("2 2");
  EXPECT_EQ(outside.text(), "Skipped \"2 2\": you are not in a room.\n");

  Harness watching(true);
  auto room = watched();
  watching.enter(room);
  watching.typed("hint");
  EXPECT_EQ(watching.text(), "Skipped \"hint\": you have no seat in this room.\n");

  Harness over(true);
  over.enter(snapshot("turn: MARK_O"));
  over.typed("2 2");
  over.typed("say well played");
  over.server(
      "update { revision: 8 phase: PHASE_FINISHED "
      "move_played { mark: MARK_O cell { } ply: 1 outcome { winner: MARK_O } } }");
  EXPECT_THAT(over.text(), HasSubstr("Skipped \"2 2\": the game is over.\n"));
  EXPECT_TRUE(over.only_request().has_chat());
}

TEST(Script, waiting_is_refused_if_only_the_script_itself_could_end_it) {
  Harness harness(true);
  harness.enter();
  harness.typed("wait");
  harness.typed("rematch");
  EXPECT_TRUE(harness.sent().empty());
  EXPECT_THAT(harness.text(),
              HasSubstr("Skipped \"wait\": the game is still on, and it is your move.\n"
                        "Skipped \"rematch\": the game is still on, and it is your move.\n"));
}

TEST(Script, a_rematch_waits_for_the_end_and_moves_for_the_next_game) {
  Harness harness(true);
  harness.enter();
  harness.server(
      "update { revision: 8 phase: PHASE_PLAYING turn: MARK_O "
      "move_played { mark: MARK_X cell { row: 2 col: 2 } ply: 1 } }");
  harness.typed("rematch");
  harness.typed("2 2");
  EXPECT_TRUE(harness.sent().empty());
  harness.server(
      "update { revision: 9 phase: PHASE_FINISHED "
      "move_played { mark: MARK_O cell { } ply: 2 outcome { winner: MARK_O } } }");
  const auto rematch = harness.only_request();
  EXPECT_TRUE(rematch.has_rematch());
  harness.answer(rematch,
                 "update { revision: 10 phase: PHASE_FINISHED rematch_wanted { seat: MARK_X } }");
  EXPECT_THAT(harness.text(), Not(HasSubstr("not sent")));
  EXPECT_TRUE(harness.sent().empty());
  harness.server(
      "update { revision: 11 phase: PHASE_PLAYING turn: MARK_X "
      "game_started { game: 2 starter: MARK_X } }");
  EXPECT_EQ(harness.only_request().move().game(), 2U);
}

TEST(Script, wait_ends_with_the_game) {
  Harness harness(true);
  auto room = watched();
  harness.enter(room);
  harness.typed("wait");
  harness.typed("leave");
  harness.conversation.input_ended(harness.now);
  EXPECT_TRUE(harness.sent().empty());
  harness.server(
      "update { revision: 8 phase: PHASE_FINISHED "
      "move_played { mark: MARK_X cell { } ply: 1 outcome { winner: MARK_X } } }");
  const auto leave = harness.only_request();
  harness.answer(leave, "left { }");
  EXPECT_EQ(harness.session().ending()->status, 0);
}

TEST(Script, the_end_of_input_finishes_what_is_pending) {
  Harness harness(true);
  harness.enter();
  harness.typed("2 2");
  const auto move = harness.only_request();
  harness.conversation.input_ended(harness.now);
  EXPECT_TRUE(harness.sent().empty());
  harness.answer(move, x_plays_centre);
  EXPECT_THAT(harness.text(), HasSubstr("You play b2."));
  const auto leave = harness.only_request();
  EXPECT_TRUE(leave.has_leave_room());
  harness.answer(leave, "left { }");
  EXPECT_EQ(harness.session().ending()->status, 0);
}

TEST(Script, an_empty_one_still_says_hello) {
  Harness harness(true);
  harness.conversation.input_ended(harness.now);
  EXPECT_FALSE(harness.session().ending());
  harness.welcome();
  EXPECT_EQ(harness.session().ending()->status, 0);
}

TEST(Script, a_rate_limit_is_waited_for) {
  Harness harness(true);
  harness.enter();
  harness.typed("say one");
  harness.typed("say two");
  const auto first = harness.only_request();
  harness.answer(first, "error { code: CODE_RATE_LIMITED retry_after_ms: 4000000000 }");
  EXPECT_EQ(harness.next_in(), max_retry_delay);
  EXPECT_TRUE(harness.sent().empty());
  harness.pass(max_retry_delay);
  const auto again = harness.only_request();
  EXPECT_EQ(again.chat().text(), "one");
  EXPECT_GT(again.request_id(), first.request_id());
}

TEST(Script, a_refusal_or_a_mistake_does_not_stop_it) {
  Harness harness(true);
  harness.enter();
  harness.text();
  harness.typed("dance");
  harness.typed("9 9");
  harness.typed("say on");
  harness.answer(harness.only_request(), "error { code: CODE_OFF_BOARD message: 'Off it.' }");
  EXPECT_THAT(harness.text(), HasSubstr("Off it.\n"));
  EXPECT_TRUE(harness.only_request().has_chat());
}

TEST(Script, a_long_line_is_refused_and_bounded) {
  Harness harness(true);
  harness.welcome();
  harness.text();
  const std::string line(10 * max_line_bytes, 'x');
  harness.typed(line);
  EXPECT_THAT(harness.text(), HasSubstr("longer than 4096 bytes"));
}

// --fail and --exit-result.

Conversation::Options failing(bool script) {
  Conversation::Options options = Harness::options(script);
  options.fail = true;
  return options;
}

TEST(Fail, a_refused_line_ends_with_status_1) {
  Harness harness(failing(true));
  harness.enter();
  harness.typed("9 9");
  harness.typed("say on");
  harness.answer(harness.only_request(), "error { code: CODE_OFF_BOARD message: 'Off it.' }");
  EXPECT_THAT(harness.text(), HasSubstr("Off it.\n"));
  const auto leave = harness.only_request();
  EXPECT_TRUE(leave.has_leave_room());
  harness.answer(leave, "left { }");
  EXPECT_EQ(harness.conversation.exit_status(), 1);
}

TEST(Fail, a_line_that_is_not_understood_ends_with_status_1) {
  for (const char* line : {"dance", "2 2"}) {  // no command; a move in no room
    Harness harness(failing(true));
    harness.welcome();
    harness.typed(line);
    ASSERT_TRUE(harness.session().ending()) << line;
    EXPECT_EQ(harness.conversation.exit_status(), 1) << line;
  }
}

TEST(Fail, without_a_refusal_the_status_is_0) {
  Harness harness(failing(true));
  harness.welcome();
  harness.conversation.input_ended(harness.now);
  EXPECT_EQ(harness.conversation.exit_status(), 0);
}

int status_after(const std::string& outcome, v1::Mark seat = v1::MARK_X) {
  Conversation::Options options = Harness::options(true);
  options.exit_result = true;
  Harness harness(options);
  v1::RoomSnapshot room = snapshot();
  room.set_your_seat(seat);
  harness.enter(room);
  if (!outcome.empty()) {
    harness.server("update { revision: 8 phase: PHASE_FINISHED game_ended { outcome { " + outcome +
                   " } } }");
  }
  harness.conversation.input_ended(harness.now);
  harness.answer(harness.only_request(), "left { }");
  return harness.conversation.exit_status();
}

TEST(ExitResult, tells_how_the_last_game_ended) {
  EXPECT_EQ(status_after("winner: MARK_X"), 0);
  EXPECT_EQ(status_after("winner: MARK_O"), exit_lost);
  EXPECT_EQ(status_after("winner: MARK_O", v1::MARK_O), 0);
  EXPECT_EQ(status_after("reason: REASON_AGREED"), exit_draw);
  EXPECT_EQ(status_after(""), exit_no_result);
  EXPECT_EQ(status_after("winner: MARK_X", v1::MARK_NONE), 0);
  EXPECT_EQ(status_after("winner: MARK_O", v1::MARK_NONE), exit_lost);
}

TEST(Script, does_not_wait_silently_for_somebody_who_may_never_come) {
  Harness harness(true);
  v1::RoomSnapshot room = snapshot("phase: PHASE_WAITING");
  room.clear_o();
  harness.enter(room);
  harness.typed("2 2");
  EXPECT_TRUE(harness.sent().empty());
  EXPECT_EQ(harness.text(), "Waiting to run \"2 2\": nobody has taken the other seat yet.\n");
  harness.server("update { revision: 8 phase: PHASE_WAITING watchers_changed { watchers: 1 } }");
  EXPECT_THAT(harness.text(), Not(HasSubstr("Waiting to run "))) << "once is enough";
}

}  // namespace
}  // namespace tictactoe::client::lines_script_tests
