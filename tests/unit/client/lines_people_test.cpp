// People at the line front end: lists, invitations, chat in the lobby, mute.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/returning_client.hpp"

namespace tictactoe::client::lines_people_tests {
namespace {

using ::testing::ElementsAre;
using testing::from_text;
using testing::Harness;
using ::testing::HasSubstr;
using testing::InRoom;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::snapshot;
using testing::watched;
using testing::Welcomed;

Harness following() {
  Conversation::Options options = Harness::options(false);
  options.session.follow_lobby = true;
  return Harness(options);
}

constexpr const char* invitation =
    "invited { from: 'bob' room { name: 'the attic' rules { rows: 5 cols: 5 k: 4 } } }";

// Lists.

TEST(LinesPeople, players_are_listed_on_all_pages_with_their_rooms) {
  Welcomed harness;
  harness.typed("players");
  v1::ClientMessage asked = harness.only_request();
  ASSERT_TRUE(asked.has_list_players());
  harness.typed("players");
  EXPECT_THAT(harness.sent(), IsEmpty()) << "one list at a time";
  harness.answer(asked,
                 "player_list { players { name: 'alice' } players { name: 'bob' } more: true }");
  asked = harness.only_request();
  EXPECT_EQ(asked.list_players().after(), "bob");
  harness.answer(asked, "player_list { players { name: 'eve' room: 'den' } }");
  const std::string text = harness.text();
  EXPECT_THAT(text, HasSubstr("alice"));
  EXPECT_THAT(text, HasSubstr("you"));
  EXPECT_THAT(text, HasSubstr("eve"));
  EXPECT_THAT(text, HasSubstr("den"));
}

TEST(LinesPeople, members_are_the_seats_and_the_watchers) {
  InRoom harness;
  harness.typed("members");
  harness.answer(
      harness.only_request(),
      "member_list { x { kind: KIND_PERSON name: 'alice' } o { kind: KIND_AI name: 'AI' } "
      "watchers: 'dan' more: true }");
  const v1::ClientMessage asked = harness.only_request();
  EXPECT_EQ(asked.list_members().after(), "dan");
  harness.answer(asked, "member_list { watchers: 'eve' }");
  EXPECT_EQ(harness.text(), "X: alice   O: AI\nWatching: dan, eve\n");
}

TEST(LinesPeople, a_list_that_is_refused_can_be_asked_for_again) {
  Welcomed harness;
  harness.typed("members");
  harness.answer(harness.only_request(), "error { code: CODE_NOT_IN_ROOM message: 'No room.' }");
  EXPECT_THAT(harness.text(), HasSubstr("No room."));
  harness.typed("members");
  EXPECT_TRUE(harness.only_request().has_list_members());
}

// Seats of AIs.

TEST(LinesPeople, a_newcomer_who_waits_for_the_seat_of_an_ai_is_told_so) {
  Welcomed harness;
  harness.typed("join den");
  v1::RoomSnapshot waiting = watched(
      "waits_for_seat: true o { kind: KIND_AI name: 'AI' } watchers: 1 "
      "options { open_ai_seats: true }");
  harness.answer(harness.only_request(), waiting);
  EXPECT_THAT(harness.text(), HasSubstr("The AI gives you its seat when this game is over.\n"));
}

// bob watches alice play X against an AI whose seat he wants. The last update ends the game, he
// gets the seat, and is sent `last`.
void become_newcomer(Harness& harness, const std::string& outcome) {
  harness.welcome("bob");
  harness.typed("join den");
  v1::RoomSnapshot room = watched("waits_for_seat: true options { open_ai_seats: true }");
  *room.mutable_o() = from_text<v1::Occupant>("kind: KIND_AI name: 'AI'");
  harness.answer(harness.only_request(), room);
  harness.text();
  harness.server("update { revision: 8 phase: PHASE_FINISHED game_ended { outcome { " + outcome +
                 " } } }");
  harness.server(
      "update { revision: 9 phase: PHASE_FINISHED seat_changed { seat: MARK_O "
      "previous { kind: KIND_AI name: 'AI' } occupant { kind: KIND_PERSON name: 'bob' } } }");
  room.set_revision(9);
  room.set_your_seat(v1::MARK_O);
  room.set_phase(v1::PHASE_FINISHED);
  room.clear_turn();
  room.clear_waits_for_seat();
  *room.mutable_outcome() = from_text<v1::Outcome>(outcome);
  *room.mutable_o() = from_text<v1::Occupant>("kind: KIND_PERSON name: 'bob'");
  harness.news(room);
}

TEST(LinesPeople, a_newcomer_has_not_won_the_game_that_the_ai_won) {
  Harness harness(false);
  become_newcomer(harness, "winner: MARK_O reason: REASON_RESIGNED");
  const std::string text = harness.text();
  EXPECT_THAT(text, HasSubstr("AI (O) wins: alice has resigned.")) << text;
  EXPECT_THAT(text, Not(HasSubstr("bob (O) wins"))) << text;
  EXPECT_THAT(text, Not(HasSubstr("You win"))) << text;
  harness.typed("board");
  EXPECT_THAT(harness.text(), HasSubstr("AI (O) wins: alice has resigned. Type `rematch`"));
}

TEST(LinesPeople, a_newcomer_has_not_lost_the_game_that_the_ai_lost) {
  Harness harness(false);
  become_newcomer(harness, "winner: MARK_X reason: REASON_TIME");
  const std::string text = harness.text();
  EXPECT_THAT(text, HasSubstr("alice (X) wins: the time of AI is over.")) << text;
  EXPECT_THAT(text, Not(HasSubstr("You lose"))) << text;
}

TEST(LinesPeople, the_exit_status_tells_a_newcomer_how_the_watched_game_ended) {
  Conversation::Options options = Harness::options(true);
  options.exit_result = true;
  Harness harness(std::move(options));
  become_newcomer(harness, "winner: MARK_O reason: REASON_RESIGNED");
  harness.typed("quit");
  harness.pass(std::chrono::minutes(1));
  EXPECT_EQ(harness.conversation.exit_status(), exit_lost) << "X, as for every watcher";
}

TEST(LinesPeople, who_played_a_game_that_ended_before_is_not_guessed) {
  Harness harness(false);
  harness.welcome("bob");
  harness.typed("join den");
  v1::RoomSnapshot room = snapshot(
      "phase: PHASE_FINISHED options { open_ai_seats: true } "
      "outcome { winner: MARK_O reason: REASON_RESIGNED }");
  room.set_your_seat(v1::MARK_O);
  harness.answer(harness.only_request(), room);
  const std::string text = harness.text();
  EXPECT_THAT(text, HasSubstr("\nO wins: X has resigned. Type `rematch`")) << text;
}

// Invitations.

TEST(LinesPeople, an_invitation_is_sent_and_told) {
  InRoom harness;
  harness.typed("invite \"Bo B\"");
  const v1::ClientMessage asked = harness.only_request();
  EXPECT_EQ(asked.invite().player(), "Bo B");
  harness.answer(asked, "done { }");
  EXPECT_EQ(harness.text(), "You have invited Bo B.\n");
}

TEST(LinesPeople, an_invitation_says_what_to_type) {
  Welcomed harness;
  harness.server(invitation);
  EXPECT_EQ(harness.text(),
            "bob invites you to the room \"the attic\" (5 x 5, 4 in a row). Type `join \"the "
            "attic\"` to come, or `mute bob`.\n");
}

TEST(LinesPeople, an_invitation_that_may_be_lost_is_told_and_not_sent_again) {
  testing::Returning alice(testing::lasting());
  alice.enter();
  alice.typed("invite bob");
  alice.lose();
  alice.come_back();
  EXPECT_THAT(alice.sent(), IsEmpty());
  EXPECT_THAT(alice.text(), HasSubstr("your invitation of bob"));
}

// Chat in the lobby.

TEST(LinesPeople, the_lobby_is_followed_outside_of_rooms) {
  Harness harness = following();
  harness.welcome();
  v1::ClientMessage asked = harness.only_request();
  ASSERT_TRUE(asked.has_watch_lobby());
  EXPECT_FALSE(asked.watch_lobby().stop());
  harness.answer(asked, "lobby_update { reset: true chat { from: 'bob' text: 'hi' } }");
  EXPECT_THAT(harness.text(), HasSubstr("bob (lobby): hi\n"));
  harness.typed("play");
  harness.answer(harness.only_request(), snapshot());
  asked = harness.only_request();
  EXPECT_TRUE(asked.watch_lobby().stop());
  harness.answer(asked, "lobby_update { stopped: true }");
  harness.typed("leave");
  harness.answer(harness.only_request(), "left { }");
  harness.text();
  harness.answer(harness.only_request(),
                 "lobby_update { reset: true chat { from: 'bob' text: 'hi' } "
                 "chat { from: 'eve' text: 'news' } }");
  EXPECT_EQ(harness.text(), "eve (lobby): news\n") << "only what was not heard before";
}

TEST(LinesPeople, what_is_said_outside_of_a_room_is_said_in_the_lobby) {
  Welcomed harness;
  harness.typed("say Who plays?");
  const auto asked = harness.sent();
  ASSERT_EQ(asked.size(), 2U);
  EXPECT_TRUE(asked[0].has_watch_lobby()) << "only those who follow the lobby may talk there";
  EXPECT_EQ(asked[1].say_in_lobby().text(), "Who plays?");
}

TEST(LinesPeople, a_server_that_knows_no_lobby_is_not_complained_about) {
  Harness harness = following();
  harness.welcome();
  harness.text();
  harness.answer(harness.only_request(), "error { code: CODE_UNKNOWN_REQUEST message: 'What?' }");
  EXPECT_EQ(harness.text(), "");
}

// Muted players.

TEST(LinesPeople, a_muted_player_is_neither_heard_nor_invites) {
  Harness harness = following();
  harness.welcome();
  harness.answer(harness.only_request(), "lobby_update { reset: true }");
  harness.typed("mute bob");
  EXPECT_THAT(harness.text(), HasSubstr("bob is muted"));
  EXPECT_THAT(harness.sent(), IsEmpty()) << "the server is not told";
  harness.server(invitation);
  harness.server(
      "lobby_update { chat { from: 'bob' text: 'buy' } chat { from: 'eve' text: 'hi' } }");
  EXPECT_EQ(harness.text(), "eve (lobby): hi\n");
  harness.typed("unmute bob");
  harness.server(invitation);
  EXPECT_THAT(harness.text(), HasSubstr("bob invites you"));
}

TEST(LinesPeople, a_muted_player_is_not_heard_in_a_room) {
  InRoom harness;
  harness.typed("mute bob");
  harness.text();
  harness.server(
      "update { revision: 8 phase: PHASE_PLAYING turn: MARK_X chat_said { from: 'bob' text: 'buy' "
      "} }");
  EXPECT_EQ(harness.text(), "");
  harness.news(
      snapshot("revision: 9 chat { from: 'bob' text: 'buy' } chat { from: 'eve' text: 'hi' }"));
  EXPECT_THAT(harness.text(), Not(HasSubstr("buy")));
  EXPECT_EQ(harness.session().room()->chat.size(), 1U);
}

TEST(LinesPeople, a_name_in_other_letters_is_the_same_player) {
  Harness harness = following();
  harness.welcome();
  harness.answer(harness.only_request(),
                 "lobby_update { reset: true chat { from: 'nc' text: 'hi' } }");
  harness.text();
  harness.typed("mute NC");
  EXPECT_EQ(harness.text(),
            "nc is muted: you see neither their chat nor their invitations. They are not told.\n");
  harness.server("lobby_update { chat { from: 'nc' text: 'buy' } }");
  EXPECT_EQ(harness.text(), "");
  harness.typed("mute ALICE");
  EXPECT_EQ(harness.text(), "You can't mute yourself.\n");
  harness.typed("unmute nC");
  harness.text();
  harness.server("lobby_update { chat { from: 'nc' text: 'sorry' } }");
  EXPECT_EQ(harness.text(), "nc (lobby): sorry\n");
}

TEST(LinesPeople, a_name_that_nobody_has_is_muted_with_a_warning) {
  Welcomed harness;
  harness.typed("mute zed");
  EXPECT_EQ(harness.text(), "zed is muted, but no player of that name is known here yet.\n");
  harness.server(invitation);
  harness.text();
  harness.typed("mute bob");
  EXPECT_EQ(harness.text(),
            "bob is muted: you see neither their chat nor their invitations. They are not told.\n");
}

TEST(LinesPeople, mute_alone_lists_who_is_muted) {
  Welcomed harness;
  harness.typed("mute");
  EXPECT_EQ(harness.text(), "Nobody is muted.\n");
  harness.typed("mute eve");
  harness.typed("mute bob");
  harness.text();
  harness.typed("mute");
  EXPECT_EQ(harness.text(), "Muted: bob, eve.\n");
  harness.typed("mute alice");
  EXPECT_EQ(harness.text(), "You can't mute yourself.\n");
  harness.typed("unmute dan");
  EXPECT_EQ(harness.text(), "dan is not muted. Muted: bob, eve.\n");
}

}  // namespace
}  // namespace tictactoe::client::lines_people_tests
