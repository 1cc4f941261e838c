// People on the full screen: players, invitations, chat in the lobby, mute.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/screen_harness.hpp"

namespace tictactoe::screen::testing::screen_people_tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* invitation =
    "invited { from: 'bob' room { name: 'attic' rules { rows: 5 cols: 5 k: 4 } } }";

v1::ClientMessage find(const std::vector<v1::ClientMessage>& sent,
                       v1::ClientMessage::RequestCase what) {
  for (const v1::ClientMessage& message : sent) {
    if (message.request_case() == what) return message;
  }
  ADD_FAILURE() << "not asked for";
  return {};
}

Screen enter_lobby(Size size = {80, 24}) {
  Screen screen(size);
  screen.welcome();
  return screen;
}

TEST(ScreenInvitation, opens_a_dialog_in_the_lobby_that_ignores_keys_for_a_moment) {
  Screen screen = enter_lobby();
  screen.sent();
  screen.server(invitation);
  EXPECT_THAT(screen.text(), HasSubstr("bob invites you"));
  EXPECT_THAT(screen.text(), HasSubstr("Join \"attic\": 5 x 5, 4 in a row"));
  screen.keys("\r");
  EXPECT_TRUE(screen.app.has_dialog()) << "the key was meant for the list of rooms";
  screen.pass(dialog_pause);
  screen.keys("\r");
  EXPECT_FALSE(screen.app.has_dialog());
  EXPECT_EQ(screen.last_request().join_room().name(), "attic");
}

TEST(ScreenInvitation, can_be_put_off) {
  Screen screen = enter_lobby();
  screen.sent();
  screen.server(invitation);
  screen.pass(dialog_pause);
  screen.keys("2");
  EXPECT_FALSE(screen.app.has_dialog());
  EXPECT_FALSE(screen.last_request().has_join_room());
  EXPECT_THAT(screen.text(), HasSubstr("bob invites you")) << "it stays in the log";
}

TEST(ScreenInvitation, of_a_muted_player_is_not_shown) {
  Screen screen = enter_lobby();
  screen.server(invitation);
  screen.pass(dialog_pause);
  screen.keys("3");
  EXPECT_FALSE(screen.app.has_dialog());
  EXPECT_THAT(screen.text(), HasSubstr("bob is muted"));
  screen.server(invitation);
  EXPECT_FALSE(screen.app.has_dialog());
}

TEST(ScreenInvitation, to_a_room_without_a_seat_is_to_watch_it) {
  Screen screen = enter_lobby();
  screen.server(
      "invited { from: 'bob' room { name: 'attic' x { kind: KIND_PERSON name: 'bob' } "
      "o { kind: KIND_AI name: 'AI' } rules { rows: 3 cols: 3 k: 3 } } }");
  screen.pass(dialog_pause);
  screen.keys("\r");
  EXPECT_EQ(screen.last_request().watch_room().name(), "attic");
}

TEST(ScreenInvitation, does_not_interrupt_a_game_or_a_line) {
  Screen playing = enter_lobby();
  playing.enter(snapshot());
  playing.server(invitation);
  EXPECT_FALSE(playing.app.has_dialog());
  EXPECT_THAT(playing.text(), HasSubstr("bob invites"));
  Screen typing = enter_lobby();
  typing.keys(":rep");
  typing.server(invitation);
  EXPECT_FALSE(typing.app.has_dialog());
}

TEST(Players, are_chosen_to_be_invited) {
  Screen screen = enter_lobby();
  screen.enter(snapshot());
  screen.sent();
  screen.keys("U\r");
  const auto asked = find(screen.sent(), v1::ClientMessage::kListPlayers);
  screen.answer(asked,
                "player_list { players { name: 'alice' } players { name: 'dan' room: 'attic' } }");
  screen.pass(dialog_pause);
  EXPECT_THAT(screen.text(), HasSubstr("dan, in attic"));
  EXPECT_THAT(screen.text(), Not(HasSubstr("1  alice")));
  screen.keys("\r");
  screen.pass(dialog_pause);
  screen.keys("\r");
  const v1::ClientMessage invite = screen.last_request();
  EXPECT_EQ(invite.invite().player(), "dan");
  screen.answer(invite, "done { }");
  EXPECT_THAT(screen.text(), HasSubstr("You have invited dan."));
}

TEST(Newcomer, sees_under_the_seats_that_the_wait_for_one_goes_on) {
  Screen screen = enter_lobby();
  v1::RoomSnapshot room = snapshot(
      "waits_for_seat: true o { kind: KIND_AI name: 'AI' } watchers: 1 "
      "options { open_ai_seats: true }");
  room.set_your_seat(v1::MARK_NONE);
  screen.enter(room);
  for (int i = 0; i < 40; ++i) {
    screen.server("update { revision: " + std::to_string(8 + i) +
                  " phase: PHASE_PLAYING turn: MARK_X chat_said { from: 'bob' text: 'hi' } }");
  }
  EXPECT_THAT(screen.text(), HasSubstr("Waiting for an AI's seat"));
  EXPECT_THAT(screen.text(), HasSubstr("1 watching"));
}

TEST(Players, stand_beside_the_rooms_of_a_wide_screen) {
  Screen screen = enter_lobby({110, 30});
  const auto asked = find(screen.sent(), v1::ClientMessage::kListPlayers);
  screen.answer(asked, "player_list { players { name: 'alice' } players { name: 'dan' } }");
  EXPECT_FALSE(screen.app.has_dialog());
  EXPECT_THAT(screen.text(), HasSubstr("PLAYERS"));
  EXPECT_THAT(screen.text(), HasSubstr("alice (you)"));
  EXPECT_THAT(screen.text(), HasSubstr("dan"));
}

TEST(Members, are_named_in_the_room) {
  Screen screen = enter_lobby();
  screen.enter(snapshot("watchers: 1"));
  const auto asked = find(screen.sent(), v1::ClientMessage::kListMembers);
  screen.answer(asked, "member_list { x { } watchers: 'eve' }");
  EXPECT_THAT(screen.text(), HasSubstr("1 watching: eve"));
  screen.server(
      "update { revision: 8 phase: PHASE_PLAYING turn: MARK_X "
      "watchers_changed { watchers: 2 name: 'fay' joined: true } }");
  EXPECT_TRUE(screen.sent().empty()) << "not so soon again";
  screen.pass(lobby_pace);
  EXPECT_TRUE(screen.last_request().has_list_members());
}

TEST(Members, are_told_line_by_line_to_who_asks) {
  Screen screen = enter_lobby();
  screen.enter(snapshot("watchers: 1"));
  screen.answer(find(screen.sent(), v1::ClientMessage::kListMembers), "member_list { }");
  screen.keys(":members\r");
  screen.answer(find(screen.sent(), v1::ClientMessage::kListMembers),
                "member_list { x { kind: KIND_PERSON name: 'alice' } o { } watchers: 'eve' }");
  EXPECT_THAT(screen.text(), HasSubstr("· Watching: eve"));
}

TEST(LobbyChat, is_typed_and_shown_in_the_lobby) {
  Screen screen = enter_lobby();
  screen.sent();
  screen.keys("CWho plays?");
  EXPECT_THAT(screen.text(), HasSubstr("Say to all in the lobby: Who plays?"));
  screen.keys("\r");
  EXPECT_EQ(screen.last_request().say_in_lobby().text(), "Who plays?");
  screen.server("lobby_update { chat { from: 'dan' text: 'I do' } }");
  EXPECT_THAT(screen.text(), HasSubstr("dan (lobby): I do"));
}

}  // namespace
}  // namespace tictactoe::screen::testing::screen_people_tests
