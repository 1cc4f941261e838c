// What the front end for lines tells of a lost connection, and how its lines wait meanwhile.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/support/returning_client.hpp"

namespace tictactoe::client::lines_lost_tests {
namespace {

using testing::first_token;
using testing::Harness;
using ::testing::HasSubstr;
using testing::lasting_lines;
using ::testing::Not;
using testing::o_plays_corner;
using testing::ReturningLines;
using testing::SeatedLines;
using testing::snapshot;
using testing::x_plays_centre;

TEST(LinesLost, the_reason_is_told_and_why_there_is_no_more_trying) {
  SeatedLines alice(lasting_lines(true));
  alice.lose();
  EXPECT_THAT(alice.text(),
              HasSubstr("Lost the connection to testhost: reset by peer. Reconnecting "
                        "for up to 1 min.\nTrying again in "));
  while (!alice.session().ending()) {
    alice.pass(alice.next_in());
    alice.session().cannot_connect("Connection refused", alice.now);
  }
  EXPECT_EQ(alice.conversation.ending_reason(),
            "The server testhost has not come back within 1 min. Can't reach a server at testhost: "
            "Connection refused.");
  SeatedLines replaced;
  replaced.server("error { closing: true code: CODE_REPLACED }");
  EXPECT_EQ(replaced.conversation.ending_reason(),
            "Another client has connected as alice and has taken over.");
}

TEST(LinesLost, what_was_missed_is_told_and_then_how_things_stand) {
  SeatedLines alice;
  alice.server(x_plays_centre);
  alice.lose();
  alice.reconnect();
  alice.text();
  const auto barrier = alice.welcome_back();
  alice.server(o_plays_corner);
  alice.server(
      "update { revision: 10 phase: PHASE_PLAYING turn: MARK_X "
      "chat_said { from: 'bob' seat: MARK_O text: 'where are you?' } }");
  alice.answer(barrier, "pong { }");
  EXPECT_EQ(alice.text(),
            "Back on the server as alice.\n"
            "bob plays a1.\n"
            "bob (O): where are you?\n"
            "Your turn: place your X.\n"
            "\n"
            "    a   b   c\n"
            " 1 [O]|   |\n"
            "   ---+---+---\n"
            " 2    | X |\n"
            "   ---+---+---\n"
            " 3    |   |\n"
            "\n");
}

TEST(LinesLost, says_that_nothing_was_missed) {
  SeatedLines alice;
  alice.lose();
  alice.reconnect();
  alice.text();
  alice.answer(alice.welcome_back(), "pong { }");
  EXPECT_EQ(alice.text(),
            "Back on the server as alice.\nYou missed nothing. Your turn: place your X.\n");
}

TEST(LinesLost, a_snapshot_is_told_with_the_chat_that_is_new) {
  ReturningLines alice(lasting_lines());
  alice.enter_room(snapshot("chat { from: 'bob' text: 'hi' }"));
  alice.lose();
  alice.reconnect();
  alice.text();
  const auto barrier = alice.welcome_back();
  alice.news(
      snapshot("revision: 1048576 moves: 4 moves: 0 chat { from: 'bob' text: 'hi' } "
               "chat { from: 'bob' text: 'back?' }"));
  alice.answer(barrier, "pong { }");
  const std::string text = alice.text();
  EXPECT_THAT(text, HasSubstr("The room now:\nX: alice (you)   O: bob\nChat while you were away:\n "
                              " bob: back?\nYour turn: place your X.\n"));
  EXPECT_THAT(text, Not(HasSubstr("bob: hi")));
}

TEST(LinesSeat, that_is_gone_is_told) {
  SeatedLines alice;
  alice.lose();
  alice.reconnect();
  alice.text();
  alice.answer(alice.welcome_back("token: 'another token 16'"), "pong { }");
  EXPECT_EQ(alice.text(),
            "Back on the server as alice, but the server no longer knows you: you are a new "
            "player.\nYou lost your seat in the room \"den\".\n");
}

TEST(LinesRedirect, and_another_server_of_the_lobby_are_told) {
  SeatedLines moved;
  moved.server("redirect { server { address: '10.0.0.2:7654' key: 'of b' } }");
  moved.reconnect();
  moved.answer(moved.welcome_back(), "pong { }");
  EXPECT_EQ(moved.text(), "Moved to 10.0.0.2:7654.\n") << "nothing was missed";

  ReturningLines alice(lasting_lines());
  alice.enter(snapshot(),
              std::string(first_token) + " servers { address: '10.0.0.2:7654' key: 'of b' }");
  alice.lose();
  alice.pass(alice.next_in());
  alice.text();
  alice.session().cannot_connect("Connection refused", alice.now);
  EXPECT_EQ(alice.text(),
            "Can't reach a server at testhost: Connection refused. Trying 10.0.0.2:7654.\n");
  alice.come_back();
  EXPECT_THAT(alice.text(),
              ::testing::StartsWith("Back on the server as alice, at 10.0.0.2:7654.\n"));
}

TEST(LinesLost, each_try_is_a_line) {
  SeatedLines alice(lasting_lines(true));
  alice.lose();
  alice.text();
  for (int i = 0; i < 4; ++i) {
    alice.pass(alice.next_in());
    EXPECT_EQ(alice.text(), "");
    alice.session().cannot_connect("Connection refused", alice.now);
    EXPECT_THAT(alice.text(),
                ::testing::MatchesRegex("Can't reach a server at testhost: Connection "
                                        "refused. Trying again in [0-9.]+ s.\n"));
  }
}

TEST(LinesLost, the_end_of_input_ends_the_countdown_once_nothing_is_pending) {
  SeatedLines idle(lasting_lines(true));
  idle.lose();
  idle.conversation.input_ended(idle.now);
  EXPECT_EQ(idle.session().ending()->status, 0);

  SeatedLines asking(lasting_lines(true));
  asking.typed("2 2");
  asking.sent();
  asking.lose();
  asking.conversation.input_ended(asking.now);
  EXPECT_FALSE(asking.session().ending());
  asking.come_back();
  const auto again = asking.only_request();
  EXPECT_TRUE(again.has_move());
  asking.answer(again, x_plays_centre);
  EXPECT_TRUE(asking.only_request().has_leave_room());
}

TEST(LinesLost, a_person_is_told_that_nothing_is_sent_and_a_script_waits) {
  SeatedLines person;
  person.lose();
  person.text();
  person.typed("1 1");
  person.typed("say hello?");
  person.typed("help");
  EXPECT_THAT(person.text(), ::testing::StartsWith("Not sent: you are not connected.\n"
                                                   "Not sent: you are not connected.\nTo move,"));
  person.come_back();
  EXPECT_TRUE(person.sent().empty());

  SeatedLines script(lasting_lines(true));
  script.lose();
  script.typed("1 1");
  EXPECT_FALSE(script.conversation.wants_lines());
  script.reconnect();
  const auto barrier = script.welcome_back();
  EXPECT_TRUE(script.sent().empty()) << "before it is known what was missed";
  script.answer(barrier, "pong { }");
  EXPECT_TRUE(script.only_request().has_move());
}

TEST(LinesSeat, of_an_earlier_program_is_taken_up) {
  Conversation::Options options = lasting_lines(true);
  options.session.token = "0123456789abcdef";
  Harness harness(options);
  const auto hello = harness.only_request();
  EXPECT_EQ(hello.hello().token(), "0123456789abcdef");
  EXPECT_EQ(hello.hello().room(), "");
  harness.typed("c3");
  harness.answer(hello,
                 "welcome { protocol_version: 1 player_name: 'alice' resumed: true "
                 "room: 'den' }");
  const auto barrier = harness.only_request();
  EXPECT_TRUE(barrier.has_ping());
  harness.news(snapshot("moves: 4 moves: 0 chat { from: 'bob' seat: MARK_O text: 'hi' }"));
  EXPECT_TRUE(harness.sent().empty());
  harness.answer(barrier, "pong { }");
  EXPECT_THAT(harness.text(),
              HasSubstr("You are back in your seat in the room \"den\".\nYou are alice, playing X "
                        "in the room \"den\" (3 x 3).\nX: alice (you)   O: bob\nTo move, type row "
                        "and column (2 3) or the column's letter and the row (c2).\nEarlier "
                        "chat:\n  bob (O): hi\nYour turn: place your X.\n"));
  EXPECT_EQ(harness.only_request().move().ply(), 2U);
  EXPECT_FALSE(harness.session().take_token()) << "it is kept already";
}

TEST(LinesSeat, of_an_earlier_program_needs_no_room_and_no_opponent) {
  for (const bool script : {false, true}) {
    Conversation::Options options = lasting_lines(script);
    options.session.token = "0123456789abcdef";
    Harness harness(options);
    harness.conversation.begin_with({"create den open-seats", "ai o", "say hi"}, harness.now);
    harness.answer(
        harness.only_request(),
        "welcome { protocol_version: 1 player_name: 'alice' resumed: true room: 'den' }");
    const auto barrier = harness.only_request();
    harness.news(snapshot());
    harness.answer(barrier, "pong { }");
    const auto request = harness.only_request();
    EXPECT_TRUE(script ? request.has_create_room() : request.has_chat());
  }
}

TEST(LinesHeartbeats, do_not_hold_a_script_up_and_are_not_shown_if_refused) {
  Harness harness(lasting_lines(true));
  harness.answer(harness.only_request(),
                 "welcome { protocol_version: 1 limits { silence_timeout_ms: 30000 } }");
  harness.pass(milliseconds(10'000));
  const auto ping = harness.only_request();
  harness.typed("rooms");
  EXPECT_TRUE(harness.only_request().has_list_rooms());
  harness.text();
  harness.answer(ping, "error { code: CODE_UNKNOWN_REQUEST message: 'What?' }");
  EXPECT_EQ(harness.text(), "");
}

TEST(LinesLost, quit_ends_at_once_during_the_countdown) {
  for (const bool script : {false, true}) {
    SeatedLines alice(lasting_lines(script));
    alice.lose();
    alice.typed("quit");
    ASSERT_TRUE(alice.session().ending());
    EXPECT_EQ(alice.session().ending()->status, 0);
    EXPECT_TRUE(alice.session().ending()->keeps_seat);
  }
  SeatedLines interrupted;
  interrupted.lose();
  interrupted.reconnect();
  interrupted.conversation.leave(interrupted.now);
  EXPECT_EQ(interrupted.session().ending()->status, 0);
}

TEST(LinesRedirect, looks_like_no_lost_connection) {
  ReturningLines alice(lasting_lines());
  alice.welcome("alice", first_token);
  alice.typed("join den");
  alice.answer(alice.only_request(),
               "redirect { server { address: '10.0.0.2:7654' key: 'of b' } }");
  alice.text();
  for (const bool connected : {false, true}) {
    if (connected) alice.reconnect();
    EXPECT_EQ(lost_text(alice.session(), alice.now), "");
  }
  alice.typed("rooms");
  EXPECT_EQ(alice.text(), "") << "what is typed meanwhile waits";
  alice.answer(alice.welcome_back("resumed: true"), "pong { }");
  const auto requests = alice.sent();
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_TRUE(requests[0].has_join_room());
  EXPECT_TRUE(requests[1].has_list_rooms());
}

}  // namespace
}  // namespace tictactoe::client::lines_lost_tests
