// Cells that are typed in capitals, and keys that were meant for a game that has just ended.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/screen_harness.hpp"

namespace tictactoe::screen::testing::screen_typing_tests {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* large_board = "rules { rows: 25 cols: 25 k: 5 }";

constexpr const char* bob_resigns =
    "update { revision: 8 phase: PHASE_FINISHED turn: MARK_NONE game_ended { outcome { "
    "winner: MARK_X reason: REASON_RESIGNED } } }";

// Keys at the pace of a person who looks at the keyboard, not at the screen.
void type_keys(Screen& screen, std::string_view keys, milliseconds pace = milliseconds(120)) {
  for (const char key : keys) {
    screen.app.press(
        key == '\r' ? Key{Key::Name::enter, 0} : letter_key(static_cast<unsigned char>(key)),
        screen.now);
    screen.now += pace;
    screen.app.happened(screen.now);
  }
}

TEST(TypedCell, in_capitals_is_a_move) {
  for (char letter = 'A'; letter <= 'Y'; ++letter) {
    for (const milliseconds pace : {milliseconds(20), milliseconds(400), milliseconds(900)}) {
      Screen screen = in_room(large_board);
      const std::string cell = std::string(1, letter) + "12";
      type_keys(screen, cell + "\r", pace);
      const auto requests = screen.sent();
      ASSERT_EQ(requests.size(), 1) << cell << " " << screen.text();
      EXPECT_EQ(requests[0].move().cell().row(), 11) << cell;
      EXPECT_EQ(requests[0].move().cell().col(), static_cast<unsigned>(letter - 'A')) << cell;
      EXPECT_FALSE(screen.app.has_dialog()) << cell;
      EXPECT_FALSE(screen.app.ending()) << cell;
    }
  }
}

TEST(TypedCell, that_is_not_on_the_board_does_nothing_else) {
  for (char letter = 'A'; letter <= 'Z'; ++letter) {
    for (const char* more : {"rules { rows: 5 cols: 5 k: 5 }", "options { hints: true }"}) {
      Screen screen = in_room(more);
      const std::string cell = std::string(1, letter) + "9";
      type_keys(screen, cell + "\r");
      const auto requests = screen.sent();
      ASSERT_EQ(requests.size(), 1) << cell;
      EXPECT_TRUE(requests[0].has_move()) << cell;
    }
  }
}

TEST(TypedCell, Enter_never_confirms_a_dialog) {
  for (const char* keys : {"L\r", "R\r", "l8\rL\r", "R\r\r\r"}) {
    Screen screen = in_room();
    type_keys(screen, keys, milliseconds(2'000));
    for (const v1::ClientMessage& request : screen.sent()) EXPECT_TRUE(request.has_move()) << keys;
    EXPECT_THAT(screen.text(), HasSubstr("Sure?")) << keys;
  }
}

TEST(TypedCell, a_number_is_one_even_if_the_dialog_has_been_read) {
  Screen screen = in_room(large_board);
  type_keys(screen, "L8\r", milliseconds(5'000));
  EXPECT_EQ(screen.last_request().move().cell().row(), 7);
}

TEST(TypedCell, a_capital_alone_is_a_command_after_a_moment) {
  Screen screen = in_room(large_board);
  type_keys(screen, "D");
  EXPECT_THAT(screen.sent(), IsEmpty());
  EXPECT_THAT(screen.text(), HasSubstr("D, or a cell"));
  ASSERT_TRUE(screen.app.next_deadline());
  EXPECT_LE(*screen.app.next_deadline(), screen.now + capital_pace);
  screen.pass(capital_pace);
  EXPECT_TRUE(screen.last_request().has_offer_draw());
  EXPECT_THAT(screen.text(), Not(HasSubstr("D, or a cell")));
  screen.pass(capital_pace);
  EXPECT_THAT(screen.sent(), IsEmpty());
}

TEST(TypedCell, the_next_key_need_not_wait_for_a_capital) {
  Screen screen = in_room(large_board);
  type_keys(screen, "H\r");
  EXPECT_TRUE(screen.last_request().has_hint()) << "Enter means the command, not the cursor's cell";
  type_keys(screen, "HT\r");
  const auto requests = screen.sent();
  ASSERT_EQ(requests.size(), 2);
  EXPECT_TRUE(requests[0].has_hint());
  EXPECT_TRUE(requests[1].has_ask_takeback());
  type_keys(screen, "D");
  screen.keys("\033");
  screen.pass(2 * capital_pace);
  EXPECT_THAT(screen.sent(), IsEmpty()) << "Escape drops it";
}

TEST(TypedCell, a_capital_that_is_no_column_waits_for_a_number_too) {
  Screen screen = in_room();
  type_keys(screen, "D");
  EXPECT_THAT(screen.sent(), IsEmpty());
  EXPECT_THAT(screen.text(), HasSubstr("Enter means D"));
  screen.pass(capital_pace);
  EXPECT_TRUE(screen.last_request().has_offer_draw());
}

TEST(TypedCell, a_click_on_a_key_does_not_wait) {
  Screen screen = in_room();
  screen.click("Draw");
  EXPECT_TRUE(screen.last_request().has_offer_draw());
}

TEST(TypedCell, digits_choose_from_a_menu_that_has_been_read) {
  Screen screen = in_room();
  type_keys(screen, "Q");
  screen.now += word_pace;
  type_keys(screen, "2");
  EXPECT_TRUE(screen.app.seat_is_kept());
}

TEST(EndedGame, keys_that_were_meant_for_it_do_nothing) {
  for (const char* keys :
       {"c2\r", "r5\r", "q", "l1\r", "L1\r", "a1\r", "b3\r", "\r", "R", " ", "uu"}) {
    Screen screen = in_room();
    screen.server(bob_resigns);
    type_keys(screen, keys);
    screen.pass(milliseconds(3'000));
    EXPECT_THAT(screen.sent(), IsEmpty()) << keys;
    EXPECT_FALSE(screen.app.ending()) << keys;
    EXPECT_FALSE(screen.app.has_dialog()) << keys;
  }
}

TEST(EndedGame, text_that_is_pasted_just_after_it_begins_no_command) {
  Screen screen = in_room();
  screen.server(bob_resigns);
  screen.keys("\033[200~rematch\033[201~\r");
  EXPECT_THAT(screen.sent(), IsEmpty());
  EXPECT_THAT(screen.text(), Not(HasSubstr("Move or command: rematch")));
  screen.pass(game_end_pause);
  screen.keys("\033[200~rematch\033[201~\r");
  EXPECT_TRUE(screen.last_request().has_rematch());
}

TEST(EndedGame, clicks_that_were_meant_for_it_do_nothing) {
  Screen screen = in_room();
  screen.server(bob_resigns);
  for (const char* label : {"Rematch", "Leave", "Quit", "Players", "AI", "Chat"}) {
    screen.click(label);
    EXPECT_THAT(screen.sent(), IsEmpty()) << label;
    EXPECT_FALSE(screen.app.has_dialog()) << label;
  }
  screen.keys("\r");
  EXPECT_THAT(screen.sent(), IsEmpty());
}

TEST(EndedGame, typing_that_goes_on_beyond_a_second_does_nothing_either) {
  Screen screen = in_room();
  screen.server(bob_resigns);
  type_keys(screen, "c2\rr5\rc2\rr5\r", milliseconds(200));
  EXPECT_THAT(screen.sent(), IsEmpty());
}

TEST(EndedGame, its_keys_work_after_a_second) {
  Screen screen = in_room();
  screen.server(bob_resigns);
  screen.pass(game_end_pause);
  type_keys(screen, "r");
  EXPECT_TRUE(screen.last_request().has_rematch());
}

TEST(EndedGame, a_line_that_was_begun_is_refused_and_nothing_else) {
  Screen screen = in_room();
  type_keys(screen, "c");
  screen.server(bob_resigns);
  type_keys(screen, "2\r");
  for (const v1::ClientMessage& request : screen.sent()) EXPECT_TRUE(request.has_move());
}

TEST(EndedGame, quitting_asks) {
  for (const char* keys : {"q", "Q", "\x03"}) {
    Screen screen = in_room();
    screen.server(bob_resigns);
    screen.pass(game_end_pause);
    screen.keys(keys);
    EXPECT_THAT(screen.text(), HasSubstr("End the program?")) << keys;
    EXPECT_THAT(screen.text(), Not(HasSubstr("Keep the seat"))) << keys;
    screen.keys("1");
    EXPECT_THAT(screen.sent(), IsEmpty()) << keys;
    screen.keys("q2");
    EXPECT_TRUE(screen.last_request().has_leave_room()) << keys;
  }
}

TEST(EndedGame, a_room_that_is_gone_takes_no_keys_either) {
  Screen screen = in_room();
  screen.server("left { }");
  type_keys(screen, "q");
  type_keys(screen, "p5n\r");
  for (const v1::ClientMessage& request : screen.sent()) {
    EXPECT_FALSE(request.has_play() || request.has_goodbye() || request.has_create_room());
  }
  EXPECT_FALSE(screen.app.ending());
  EXPECT_FALSE(screen.app.has_dialog());
}

TEST(EndedGame, leaving_by_oneself_needs_no_pause) {
  Screen screen = in_room();
  screen.keys("Ly");
  screen.answer(screen.last_request(), "left { }");
  screen.keys("p");
  EXPECT_TRUE(screen.last_request().has_play());
}

}  // namespace
}  // namespace tictactoe::screen::testing::screen_typing_tests
