// Keys, the mouse and typed lines on the full screen.
#include <gmock/gmock.h>

#include "tests/support/screen_harness.hpp"

namespace tictactoe::screen::testing::screen_input_tests {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(Dialog, that_has_just_opened_ignores_keys) {
  Screen screen = in_room();
  screen.app.press(letter_key(U'R'), screen.now);
  for (const Input& input : {Input(letter_key(U'y')), Input(Key{Key::Name::enter, 0}),
                             Input(Key{Key::Name::escape, 0}), Input(Mouse{{}, {30, 14}})}) {
    screen.text();
    screen.now += dialog_pause - milliseconds(1);
    screen.app.take(input, screen.now);
    EXPECT_THAT(screen.text(), HasSubstr("Are you sure?"));
  }
  screen.app.press(letter_key(U'y'), screen.now + dialog_pause);
  EXPECT_TRUE(screen.last_request().has_resign());
}

TEST(Dialog, is_not_answered_by_a_key_that_is_held_down) {
  Screen screen = in_room();
  screen.keys(":resign");
  for (int i = 0; i < 60; ++i, screen.now += milliseconds(33)) {
    screen.app.press(Key{Key::Name::enter, 0}, screen.now);
  }
  EXPECT_THAT(screen.text(), HasSubstr("Are you sure?"));
  EXPECT_TRUE(screen.sent().empty());
}

TEST(Dialog, takes_text_at_once) {
  Screen screen;
  screen.welcome();
  for (const char32_t letter : {U'n', U'x', U'y'}) screen.app.press(letter_key(letter), screen.now);
  EXPECT_THAT(screen.text(), HasSubstr("Name      xy"));
}

TEST(Dialog, a_command_in_capital_letters_is_asked_twice_too) {
  for (const char* line : {":Resign\r", ": RESIGN \r", ":Leave\r"}) {
    Screen screen = in_room();
    screen.keys(line);
    EXPECT_THAT(screen.text(), HasSubstr("Are you sure?")) << line;
    EXPECT_TRUE(screen.sent().empty()) << line;
  }
}

TEST(Click, in_a_list_does_not_send_a_line_that_is_being_typed) {
  for (const char* line : {":play", "cgood luck"}) {
    Screen screen = in_lobby();
    screen.sent();
    screen.keys(line);
    for (int clicks = 0; clicks < 3; ++clicks) screen.click("duel");
    EXPECT_TRUE(screen.sent().empty()) << line;
    screen.keys("\r");
    EXPECT_FALSE(screen.sent().empty()) << line << ": it is still there";
  }
}

TEST(Paste, is_typed_and_nothing_else) {
  Screen screen = in_room();
  screen.keys("\033[200~R\ny\nquit\n\033[201~");
  EXPECT_THAT(screen.text(), HasSubstr("Move or command: R y quit"));
  EXPECT_TRUE(screen.sent().empty());
  screen.keys("\033");
  screen.keys("\t\033[200~good\nluck\033[201~!\r");
  EXPECT_EQ(screen.last_request().chat().text(), "good luck!");
  screen.keys("R\033[200~y\n\033[201~");
  EXPECT_THAT(screen.text(), HasSubstr("Are you sure?"));
  EXPECT_TRUE(screen.sent().empty());
}

TEST(Paste, goes_into_the_field_of_a_dialog_and_into_the_address) {
  Screen screen({80, 24}, alice(true));
  screen.app.start().offer({{"192.0.2.5:7654", "the den", "", true}}, true);
  screen.keys("\033[200~example.org\033[201~\r");
  EXPECT_EQ(screen.app.start().take_choice(), "example.org");
  Screen lobby;
  lobby.welcome();
  lobby.keys("n\x15\033[200~the\nden\033[201~\r");
  EXPECT_EQ(lobby.last_request().create_room().name(), "the den");
}

TEST(Quit, asks_what_becomes_of_the_seat) {
  Screen screen = in_room();
  screen.keys("Q");
  EXPECT_THAT(screen.text(), HasSubstr("Keep the seat"));
  screen.keys("1");
  EXPECT_FALSE(screen.app.ending());
  screen.keys(":quit\r");
  EXPECT_THAT(screen.text(), HasSubstr("Keep the seat"));
  screen.keys("3");
  EXPECT_TRUE(screen.last_request().has_leave_room());
  EXPECT_FALSE(screen.app.ending() && screen.app.ending()->keeps_seat);
}

TEST(Quit, asks_guests_who_cannot_keep_the_seat) {
  Screen screen;
  client::Session::Options session;
  session.guest = true;
  screen.welcome(session);
  screen.enter(snapshot());
  screen.sent();
  for (const char* keys : {"Q", ":quit\r", "\x03"}) {
    screen.keys(keys);
    EXPECT_THAT(screen.text(), HasSubstr("Keep playing")) << keys;
    EXPECT_THAT(screen.text(), Not(HasSubstr("Keep the seat"))) << keys;
    screen.keys("1");
    EXPECT_TRUE(screen.sent().empty()) << keys;
  }
  screen.keys("Q2");
  EXPECT_TRUE(screen.last_request().has_goodbye());
}

TEST(Quit, asks_about_a_game_without_a_server) {
  Screen screen;
  client::Session::Options session;
  session.guest = session.local = true;
  screen.welcome(session);
  screen.enter(snapshot());
  screen.keys("Q");
  EXPECT_THAT(screen.text(), HasSubstr("End this game?"));
  EXPECT_THAT(screen.text(), HasSubstr("without saving"));
  screen.keys("2");
  EXPECT_TRUE(screen.last_request().has_goodbye());
}

TEST(Quit, keeps_the_seat_if_it_is_told_so_or_twice) {
  for (const char* keys : {"Q2", "\x03\x03"}) {
    Screen screen = in_room();
    screen.keys(keys);
    EXPECT_TRUE(screen.app.ending()) << keys;
    EXPECT_TRUE(screen.app.ending() && screen.app.ending()->keeps_seat) << keys;
    EXPECT_TRUE(screen.sent().empty()) << keys;
  }
}

TEST(Quit, a_seat_that_was_given_up_is_not_kept) {
  Screen screen = in_room();
  screen.keys("Q3");
  EXPECT_TRUE(screen.last_request().has_leave_room());
  screen.keys("\x03");
  EXPECT_TRUE(screen.app.ending()) << "once more does not wait for the server";
  EXPECT_FALSE(screen.app.ending() && screen.app.ending()->keeps_seat);
  Screen hung_up = in_room();
  hung_up.keys("Q3");
  hung_up.app.hang_up(hung_up.now);
  EXPECT_FALSE(hung_up.app.ending()->keeps_seat);
}

TEST(Quit, while_the_connection_is_lost_keeps_the_seat) {
  Screen screen = in_room();
  screen.app.talk()->connection_lost("it closed the connection", screen.now);
  screen.keys("Q");
  EXPECT_TRUE(screen.app.ending());
  EXPECT_TRUE(screen.app.ending() && screen.app.ending()->keeps_seat);
}

TEST(Quit, the_end_of_the_terminal_keeps_the_seat) {
  Screen screen = in_room();
  screen.app.hang_up(screen.now);
  EXPECT_TRUE(screen.app.ending());
  EXPECT_TRUE(screen.app.ending() && screen.app.ending()->keeps_seat);
  EXPECT_TRUE(screen.sent().empty());
}

// Cells that are typed in capitals, and keys that were meant for a game that has just ended -------

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

TEST(TypedCell, of_a_missing_row_does_nothing_else) {
  for (char letter = 'A'; letter <= 'E'; ++letter) {
    for (const char* more : {"rules { rows: 5 cols: 5 k: 5 }", "rules { rows: 3 cols: 5 k: 3 }"}) {
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
    EXPECT_THAT(screen.text(), HasSubstr("Are you sure?")) << keys;
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
  EXPECT_THAT(screen.text(), HasSubstr("For a cell, type a row, such as D8"));
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
  EXPECT_TRUE(screen.app.ending() && screen.app.ending()->keeps_seat);
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
    EXPECT_THAT(screen.text(), HasSubstr("Quit?")) << keys;
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

// Keys of other alphabets
// ---------------------------------------------------------------------------

TEST(LookAlikeKeys, begin_a_cell) {
  Screen screen = in_room();
  screen.keys("\u0441\u0662\r");  // Cyrillic es, Arabic two
  const v1::ClientMessage request = screen.last_request();
  ASSERT_TRUE(request.has_move()) << screen.text();
  EXPECT_EQ(request.move().cell().row(), 1U);
  EXPECT_EQ(request.move().cell().col(), 2U);
}

TEST(LookAlikeKeys, are_the_keys_that_they_look_like) {
  Screen screen = in_room("phase: PHASE_FINISHED outcome { winner: MARK_O }");
  screen.keys("\uFF52");  // full-width r
  EXPECT_TRUE(screen.last_request().has_rematch());
  screen.keys("Q");
  screen.keys("\uFF12");  // full-width 2
  EXPECT_TRUE(screen.last_request().has_leave_room());
  Screen lobby = in_lobby();
  lobby.keys("\u0440");  // Cyrillic er
  EXPECT_TRUE(lobby.last_request().has_play());
}

TEST(LookAlikeKeys, of_another_alphabet_are_not_just_ignored) {
  for (const bool in_a_room : {false, true}) {
    Screen screen =
        in_a_room ? in_room("phase: PHASE_FINISHED outcome { winner: MARK_O }") : in_lobby();
    screen.sent();
    screen.keys("\u0438");
    EXPECT_THAT(screen.sent(), IsEmpty());
    EXPECT_THAT(screen.text(), HasSubstr("\u0438 is Cyrillic. Switch the keyboard to "));
  }
  Screen playing = in_room();
  playing.keys("\u04382\r");
  EXPECT_THAT(playing.text(), HasSubstr("is Cyrillic. Switch the keyboard"));
  EXPECT_THAT(playing.sent(), IsEmpty());
}

TEST(LookAlikeKeys, of_text_stay_as_they_are) {
  Screen screen = in_room();
  screen.keys("\t\u0441\u0662\r");
  EXPECT_EQ(screen.last_request().chat().text(), "\u0441\u0662");
  Screen form;
  form.welcome();
  form.keys("n\x15\u0441\u0430");
  form.keys(down);
  form.keys("\x15\uFF19\u0445\uFF19");
  form.keys("\r");
  const v1::CreateRoom room = form.last_request().create_room();
  EXPECT_EQ(room.name(), "\u0441\u0430");
  EXPECT_EQ(room.rules().rows(), 9U) << form.text();
}

}  // namespace
}  // namespace tictactoe::screen::testing::screen_input_tests
