// What the full screen takes for keys, for clicks and for text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/screen_harness.hpp"

namespace tictactoe::screen::testing::screen_input_tests {
namespace {

using ::testing::HasSubstr;

TEST(Dialog, that_has_just_opened_ignores_keys) {
  Screen screen = in_room();
  screen.app.press(letter_key(U'R'), screen.now);
  for (const Input& input : {Input(letter_key(U'y')), Input(Key{Key::Name::enter, 0}),
                             Input(Key{Key::Name::escape, 0}), Input(Mouse{{}, {30, 14}})}) {
    screen.text();
    screen.now += dialog_pause - milliseconds(1);
    screen.app.take(input, screen.now);
    EXPECT_THAT(screen.text(), HasSubstr("Sure?"));
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
  EXPECT_THAT(screen.text(), HasSubstr("Sure?"));
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
    EXPECT_THAT(screen.text(), HasSubstr("Sure?")) << line;
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
  EXPECT_THAT(screen.text(), HasSubstr("Sure?"));
  EXPECT_TRUE(screen.sent().empty());
}

TEST(Paste, goes_into_the_field_of_a_dialog_and_into_the_address) {
  Screen screen({80, 24}, alice(true));
  screen.app.offer({{"192.0.2.5:7654", "the den", "", true}}, true);
  screen.keys("\033[200~example.org\033[201~\r");
  EXPECT_EQ(screen.app.take_choice(), "example.org");
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
  EXPECT_FALSE(screen.app.seat_is_kept());
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
    EXPECT_THAT(screen.text(), HasSubstr("Go on playing")) << keys;
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
  EXPECT_THAT(screen.text(), HasSubstr("it is not kept"));
  screen.keys("2");
  EXPECT_TRUE(screen.last_request().has_goodbye());
}

TEST(Quit, keeps_the_seat_if_it_is_told_so_or_twice) {
  for (const char* keys : {"Q2", "\x03\x03"}) {
    Screen screen = in_room();
    screen.keys(keys);
    EXPECT_TRUE(screen.app.ending()) << keys;
    EXPECT_TRUE(screen.app.seat_is_kept()) << keys;
    EXPECT_TRUE(screen.sent().empty()) << keys;
  }
}

TEST(Quit, a_seat_that_was_given_up_is_not_kept) {
  Screen screen = in_room();
  screen.keys("Q3");
  EXPECT_TRUE(screen.last_request().has_leave_room());
  screen.keys("\x03");
  EXPECT_TRUE(screen.app.ending()) << "once more does not wait for the server";
  EXPECT_FALSE(screen.app.seat_is_kept());
  Screen hung_up = in_room();
  hung_up.keys("Q3");
  hung_up.app.hang_up(hung_up.now);
  EXPECT_FALSE(hung_up.app.seat_is_kept());
}

TEST(Quit, while_the_connection_is_lost_keeps_the_seat) {
  Screen screen = in_room();
  screen.app.talk()->connection_lost("it closed the connection", screen.now);
  screen.keys("Q");
  EXPECT_TRUE(screen.app.ending());
  EXPECT_TRUE(screen.app.seat_is_kept());
}

TEST(Quit, the_end_of_the_terminal_keeps_the_seat) {
  Screen screen = in_room();
  screen.app.hang_up(screen.now);
  EXPECT_TRUE(screen.app.ending());
  EXPECT_TRUE(screen.app.seat_is_kept());
  EXPECT_TRUE(screen.sent().empty());
}

}  // namespace
}  // namespace tictactoe::screen::testing::screen_input_tests
