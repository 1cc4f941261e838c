// The form for a new room.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/screen_harness.hpp"

namespace tictactoe::screen::testing::screen_form_tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Form, stays_open_with_the_field_marked_that_is_refused) {
  Screen screen = in_lobby();
  screen.keys("n\x15my den\r");
  EXPECT_THAT(screen.text(), HasSubstr("Asking the server"));
  screen.answer(screen.last_request(),
                "error { code: CODE_ROOM_EXISTS message: 'There is such a room.' }");
  EXPECT_THAT(screen.text(), HasSubstr("! Name"));
  EXPECT_THAT(screen.text(), HasSubstr("There is such a room."));
  screen.keys("2");
  EXPECT_THAT(screen.text(), Not(HasSubstr("! Name")));
  screen.keys("\r");
  const auto again = screen.last_request();
  EXPECT_EQ(again.create_room().name(), "my den2");
  screen.answer(again, snapshot("name: 'my den2'"));
  EXPECT_THAT(screen.text(), Not(HasSubstr("A new room")));
}

TEST(Form, the_ai_of_a_refused_room_does_not_join_another_one) {
  Screen screen = waiting_in_room();
  screen.keys(":rooms\r");
  screen.sent();
  screen.keys("n" + std::string(up) + right + "\r");
  const auto request = screen.last_request();
  ASSERT_TRUE(request.has_create_room());
  screen.answer(request, "error { code: CODE_ALREADY_IN_ROOM message: 'Leave your room first.' }");
  screen.keys("\033");
  screen.server("left { }");
  v1::RoomSnapshot other = snapshot("phase: PHASE_WAITING");
  other.clear_o();
  screen.enter(other);
  for (const auto& sent : screen.sent()) EXPECT_FALSE(sent.has_add_ai());
}

TEST(Form, the_ai_of_a_room_that_was_not_asked_for_does_not_join_another_one) {
  Screen screen = in_lobby();
  screen.keys("n" + std::string(up) + right);
  screen.lose();
  screen.keys("\r");
  screen.keys("\033");
  screen.pass(milliseconds(1000));
  screen.app.talk()->connected(screen.now);
  screen.answer(screen.last_request(), "welcome { protocol_version: 1 player_name: 'alice' }");
  screen.answer(screen.last_request(), "pong { }");
  screen.enter(snapshot());
  for (const auto& sent : screen.sent()) EXPECT_FALSE(sent.has_add_ai());
}

TEST(Form, offers_the_seats_of_ais_to_newcomers) {
  for (const bool open : {false, true}) {
    Screen screen = in_lobby();
    screen.keys("n" + std::string(up) + right + up + up);  // against an AI
    EXPECT_THAT(screen.text(), HasSubstr("▸ Newcomers"));
    if (open) screen.keys(" ");
    screen.keys("\r");
    EXPECT_EQ(screen.last_request().create_room().options().open_ai_seats(), open);
  }
}

TEST(Form, is_sent_once) {
  Screen screen = in_lobby();
  screen.keys("n\r\r");
  EXPECT_EQ(screen.sent().size(), 1U);
  EXPECT_THAT(screen.text(), HasSubstr("Asking the server"));
}

TEST(Form, stays_open_if_it_cannot_be_sent) {
  Screen screen = in_lobby();
  screen.keys("n\x15my den");
  screen.lose();
  screen.keys("\r");
  EXPECT_THAT(screen.text(), HasSubstr("my den"));
  EXPECT_THAT(screen.text(), Not(HasSubstr("Asking the server")));
  EXPECT_THAT(screen.text(), HasSubstr("no connection"));
}

TEST(Form, is_checked_before_it_is_sent) {
  const struct {
    int field;
    const char* text;
    const char* marked;
  } mistakes[] = {
      {0, "", "! Name"}, {1, "3 x 3", "! Board"}, {2, "many", "! In a row"}, {3, "5", "! Clock"}};
  for (const auto& mistake : mistakes) {
    Screen screen = in_lobby();
    screen.keys("n");
    for (int i = 0; i < mistake.field; ++i) screen.keys(down);
    screen.keys("\x15" + std::string(mistake.text) + "\r");
    EXPECT_THAT(screen.text(), HasSubstr(mistake.marked));
    EXPECT_TRUE(screen.sent().empty()) << mistake.marked;
  }
}

TEST(Form, a_typed_board_brings_its_k) {
  const struct {
    const char* board;
    std::uint32_t k;
  } boards[] = {{"3x9", 3}, {"5", 4}, {"15x15", 5}, {"100x20", 5}};
  for (const auto& board : boards) {
    Screen screen = in_lobby();
    screen.keys("n" + std::string(down) + "\x15" + board.board + "\r");
    EXPECT_EQ(screen.last_request().create_room().rules().k(), board.k) << board.board;
  }
  // But not once the person has chosen one.
  Screen screen = in_lobby();
  screen.keys("n" + std::string(down) + down + "\x15" + "6" + up + "\x15" + "15x15\r");
  EXPECT_EQ(screen.last_request().create_room().rules().k(), 6U);
}

TEST(Form, typing_replaces_what_the_form_proposes) {
  Screen screen = in_lobby();
  screen.keys("n" + std::string(down) + right + "15x15" + up + "my den\r");
  const v1::CreateRoom room = screen.last_request().create_room();
  EXPECT_EQ(room.name(), "my den");
  EXPECT_EQ(room.rules().rows(), 15U);
  // But not what the person has edited.
  Screen edited = in_lobby();
  edited.keys("n" + std::string(down) + right + "\x7F" + "6\r");
  EXPECT_EQ(edited.last_request().create_room().rules().cols(), 6U);
  Screen pasted = in_lobby();
  pasted.keys("n" + std::string(down) + "\033[200~7x8\033[201~\r");
  EXPECT_EQ(pasted.last_request().create_room().rules().rows(), 7U);
}

TEST(Form, says_that_k_follows_the_board) {
  Screen screen = in_lobby();
  screen.keys("n" + std::string(down) + "15x15");
  EXPECT_THAT(screen.text(), HasSubstr("In a row is 5 now, for 15 x 15."));
  screen.keys("x6\r");
  EXPECT_EQ(screen.last_request().create_room().rules().k(), 6U) << "named with the board";
}

TEST(Form, marks_the_number_in_a_row_if_the_server_refuses_that) {
  const struct {
    const char* board;
    const char* k;
    const char* marked;
  } refusals[] = {{"3x3", "9", "! In a row"}, {"900x3", "3", "! Board"}, {"2x9", "3", "! Board"}};
  for (const auto& refusal : refusals) {
    Screen screen;
    screen.connect();
    screen.answer(screen.sent().back(),
                  "welcome { protocol_version: 1 player_name: 'alice' "
                  "limits { client_frame_bytes: 65536 min_side: 3 max_side: 100 } }");
    screen.keys("n" + std::string(down) + refusal.board + down + refusal.k + "\r");
    screen.answer(screen.last_request(), "error { code: CODE_INVALID_RULES message: 'Not so.' }");
    EXPECT_THAT(screen.text(), HasSubstr(refusal.marked));
  }
}

TEST(Form, shows_the_whole_reason_of_a_refusal) {
  Screen screen = in_lobby();
  screen.keys("n\r");
  screen.answer(
      screen.last_request(),
      "error { code: CODE_INVALID_NAME message: 'This is a sentence of a server that says "
      "at some length what is wrong with that name.' }");
  EXPECT_THAT(screen.text(), HasSubstr("with that name."));
}

TEST(Form, the_proposed_name_fits_the_servers_limit) {
  Screen screen;
  screen.connect();
  screen.answer(screen.sent().back(),
                "welcome { protocol_version: 1 player_name: 'Alexandria\u00DF' "
                "limits { client_frame_bytes: 65536 name_length: 12 } }");
  screen.keys("n\r");
  EXPECT_EQ(screen.last_request().create_room().name(), "Alexand-room");
}

}  // namespace
}  // namespace tictactoe::screen::testing::screen_form_tests
