// Coming back: the seat, watching, heartbeats, and what was under way when the connection was cut.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/returning_client.hpp"

namespace tictactoe::client::session_return_tests {
namespace {

using testing::first_token;
using testing::Harness;
using ::testing::HasSubstr;
using testing::lasting;
using testing::o_plays_corner;
using testing::Returning;
using testing::said;
using testing::Seated;
using testing::snapshot;
using testing::watched;
using testing::x_plays_centre;

// What becomes of the seat.

TEST(Seat, of_a_server_that_does_not_know_us_is_gone) {
  Seated alice;
  EXPECT_EQ(alice.session().take_token(), "0123456789abcdef");
  alice.typed("1 1");
  alice.sent();
  alice.lose();
  alice.reconnect();
  alice.text();
  alice.answer(alice.welcome_back("token: 'another token 16'"), "pong { }");
  EXPECT_EQ(
      alice.text(),
      "Back on the server as alice, but it does not know you any more: you are a new player.\n"
      "Your seat in the room \"den\" is gone.\n");
  EXPECT_TRUE(alice.sent().empty());
  EXPECT_EQ(alice.session().take_token(), "another token 16");
  EXPECT_EQ(alice.conversation.prompt(alice.now), "> ");

  Seated given_up;
  given_up.lose();
  given_up.reconnect();
  given_up.text();
  given_up.answer(given_up.welcome_back("resumed: true"), "pong { }");
  EXPECT_THAT(given_up.text(), HasSubstr("Your seat in the room \"den\" is gone."));
}

TEST(Seat, of_an_earlier_program_is_taken_up) {
  Conversation::Options options = lasting(true);
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
  EXPECT_EQ(harness.conversation.prompt(harness.now), "Taking up your seat ... ");
  harness.news(snapshot("moves: 4 moves: 0 chat { from: 'bob' seat: MARK_O text: 'hi' }"));
  EXPECT_TRUE(harness.sent().empty());
  harness.answer(barrier, "pong { }");
  EXPECT_THAT(harness.text(),
              HasSubstr("You come back to your seat in the room \"den\".\n"
                        "You are alice and play X in the room \"den\" (3 x 3).\n"
                        "X: alice (you)   O: bob\n"
                        "To move, type row and column (2 3) or the column's letter and the row "
                        "(c2).\nSaid here before:\n  bob (O): hi\nYour turn: place your X.\n"));
  EXPECT_EQ(harness.only_request().move().ply(), 2U);
  EXPECT_FALSE(harness.session().take_token()) << "it is kept already";
}

TEST(Seat, tokens_of_another_length_are_none) {
  for (const char* token : {"token: 'short'", "token: '0123456789abcdef0'"}) {
    Harness harness(lasting());
    harness.welcome("alice", token);
    EXPECT_FALSE(harness.session().take_token()) << token;
  }
}

TEST(Seat, an_earlier_programs_token_may_mean_nothing_any_more) {
  Conversation::Options options = lasting();
  options.session.token = "0123456789abcdef";
  Harness harness(options);
  harness.welcome("alice", "token: 'another token 16'");
  EXPECT_THAT(harness.text(), HasSubstr("does not know you from an earlier time"));
  EXPECT_EQ(harness.session().take_token(), "another token 16");
  Harness short_one(lasting());
  short_one.welcome("alice", "token: 'short'");
  EXPECT_FALSE(short_one.session().take_token());
}

TEST(Watcher, watches_again_with_the_password) {
  Returning alice(lasting());
  alice.welcome("alice", first_token);
  alice.typed("watch den password swordfish");
  auto room = watched("revision: 7");
  alice.answer(alice.only_request(), room);
  alice.lose();
  EXPECT_EQ(alice.reconnect().room(), "");
  alice.text();
  const auto watch = alice.welcome_back("resumed: true");
  EXPECT_EQ(watch.watch_room().name(), "den");
  EXPECT_EQ(watch.watch_room().password(), "swordfish");
  room.set_revision(12);
  alice.answer(watch, room);
  EXPECT_THAT(alice.text(), HasSubstr("The room as it is now:"));
  alice.server(
      "update { revision: 13 phase: PHASE_PLAYING turn: MARK_O "
      "move_played { mark: MARK_X cell { } ply: 1 } }");
  EXPECT_THAT(alice.text(), HasSubstr("alice plays a1."));
}

TEST(Watcher, of_a_room_that_is_gone_is_told) {
  Returning alice(lasting());
  auto room = watched();
  alice.enter_room(room);
  alice.lose();
  alice.reconnect();
  alice.text();
  alice.answer(alice.welcome_back("resumed: true"),
               "error { code: CODE_ROOM_NOT_FOUND message: 'No such room.' }");
  EXPECT_THAT(alice.text(), HasSubstr("You no longer watch the room \"den\": No such room."));
  alice.typed("board");
  EXPECT_THAT(alice.text(), HasSubstr("You are in no room."));
}

TEST(Watcher, is_not_held_up_by_the_rate) {
  Returning alice(lasting());
  auto room = watched();
  alice.enter_room(room);
  alice.lose();
  alice.reconnect();
  alice.answer(alice.welcome_back("resumed: true"),
               "error { code: CODE_RATE_LIMITED retry_after_ms: 50 }");
  alice.pass(milliseconds(50));
  EXPECT_TRUE(alice.only_request().has_watch_room());
}

// Signs of life.

class Beating : public Harness {
 public:
  explicit Beating(bool script = false) : Harness(lasting(script)) {
    answer(only_request(), "welcome { protocol_version: 1 limits { silence_timeout_ms: 30000 } }");
  }
};

TEST(Heartbeats, are_sent_if_nothing_else_was) {
  Beating harness;
  harness.pass(milliseconds(9'999));
  EXPECT_TRUE(harness.sent().empty());
  harness.pass(milliseconds(1));
  const auto ping = harness.only_request();
  EXPECT_TRUE(ping.has_ping());
  harness.answer(ping, "pong { }");
  harness.pass(milliseconds(6'000));
  harness.typed("rooms");
  harness.sent();
  harness.pass(milliseconds(9'999));
  EXPECT_TRUE(harness.sent().empty());
  harness.pass(milliseconds(1));
  EXPECT_TRUE(harness.only_request().has_ping());
}

TEST(Heartbeats, a_silent_server_is_lost) {
  Beating harness;
  harness.pass(milliseconds(29'999));
  EXPECT_TRUE(harness.session().wants_connection());
  harness.pass(milliseconds(1));
  EXPECT_FALSE(harness.session().wants_connection());
  EXPECT_THAT(harness.text(), HasSubstr("Lost the server testhost: no sign of life."));
}

TEST(Heartbeats, any_byte_is_a_sign_of_life) {
  Beating harness;
  for (const char byte : testing::frame_of(said("notice { message: 'a long frame, slowly' }"))) {
    harness.pass(milliseconds(24'000));
    harness.deliver({&byte, 1});
    ASSERT_TRUE(harness.session().wants_connection());
  }
  EXPECT_THAT(harness.text(), HasSubstr("a long frame, slowly"));
}

TEST(Heartbeats, are_not_sent_to_an_old_server_and_never_too_often) {
  Harness old(lasting());
  old.welcome();
  EXPECT_FALSE(old.next_deadline());
  Harness mad(lasting());
  mad.answer(mad.only_request(),
             "welcome { protocol_version: 1 limits { silence_timeout_ms: 1 } }");
  EXPECT_GE(mad.next_in(), shortest_ping_interval);
}

TEST(Heartbeats, do_not_hold_a_script_up_and_are_not_shown_if_refused) {
  Beating harness(true);
  harness.pass(milliseconds(10'000));
  const auto ping = harness.only_request();
  harness.typed("rooms");
  EXPECT_TRUE(harness.only_request().has_list_rooms());
  harness.text();
  harness.answer(ping, "error { code: CODE_UNKNOWN_REQUEST message: 'What?' }");
  EXPECT_EQ(harness.text(), "");
}

// A drop at every byte of an exchange: whatever came before it, the game goes on as if nothing had
// happened, and the move is made once.

// The connection is cut after `cut` bytes of the answers to a move and to a line of chat.
void play_with_a_cut(std::size_t cut, std::size_t& length) {
  Seated alice(lasting(true));
  alice.typed("2 2");
  const auto move = alice.only_request();
  v1::ServerMessage played = said(x_plays_centre);
  played.set_request_id(move.request_id());
  std::string stream = testing::frame_of(played);
  const std::size_t told = stream.size();
  stream += testing::frame_of(said(o_plays_corner));
  length = stream.size();
  alice.deliver(std::string_view(stream).substr(0, cut));
  alice.lose();
  const std::uint64_t revision = alice.reconnect().revision();
  ASSERT_EQ(revision, 7U + (cut >= told ? 1 : 0) + (cut >= length ? 1 : 0)) << cut;
  const auto barrier = alice.welcome_back();
  played.set_request_id(0);
  if (revision < 8) alice.server(played);
  if (revision < 9) alice.server(o_plays_corner);
  alice.answer(barrier, "pong { }");
  EXPECT_TRUE(alice.sent().empty()) << "the move was made, after " << cut;
  const std::string text = alice.text();
  EXPECT_EQ(text.find("You play b2."), text.rfind("You play b2.")) << cut;
  EXPECT_THAT(text, HasSubstr("You play b2."));
  EXPECT_THAT(text, HasSubstr("bob plays a1."));
  alice.typed("c3");
  EXPECT_EQ(alice.only_request().move().ply(), 2U);
}

TEST(Cut, at_every_byte_of_an_exchange) {
  std::size_t length = 0;
  play_with_a_cut(0, length);
  for (std::size_t cut = 1; cut <= length; ++cut) play_with_a_cut(cut, length);
}

TEST(Cut, before_the_move_was_heard_it_is_sent_again) {
  Seated alice;
  alice.typed("2 2");
  const auto move = alice.only_request();
  alice.lose();
  alice.come_back();
  const auto again = alice.only_request();
  EXPECT_EQ(again.move().ShortDebugString(), move.move().ShortDebugString());
  EXPECT_GT(again.request_id(), move.request_id());
}

TEST(Cut, once_more_while_catching_up_loses_nothing) {
  Seated alice;
  alice.typed("2 2");
  alice.typed("say hello");
  alice.sent();
  alice.lose();
  alice.reconnect();
  alice.welcome_back();
  alice.lose();
  alice.come_back();
  const auto again = alice.sent();
  ASSERT_EQ(again.size(), 2U);
  EXPECT_TRUE(again[0].has_move());
  EXPECT_EQ(again[1].chat().text(), "hello");
}

TEST(Cut, what_cant_be_known_is_said) {
  Seated alice;
  alice.typed("say hello");
  alice.typed("rooms");
  alice.sent();
  alice.lose();
  alice.reconnect();
  const auto barrier = alice.welcome_back();
  alice.news(snapshot("revision: 1048576"));
  alice.text();
  alice.answer(barrier, "pong { }");
  EXPECT_EQ(
      alice.text(),
      "It is not known whether the server has heard what you said (\"hello\"): it was sent as "
      "the connection was lost.\n");
  EXPECT_TRUE(alice.only_request().has_list_rooms());
}

TEST(Cut, what_was_refused_for_now_is_sent_again) {
  Seated alice(lasting(true));
  alice.typed("say hello");
  alice.answer(alice.only_request(), "error { code: CODE_RATE_LIMITED retry_after_ms: 60000 }");
  alice.lose();
  alice.reconnect();
  const auto barrier = alice.welcome_back();
  alice.news(snapshot("revision: 1048576"));
  alice.answer(barrier, "pong { }");
  EXPECT_EQ(alice.only_request().chat().text(), "hello");
}

TEST(Guest, says_goodbye) {
  Conversation::Options options = lasting();
  options.session.guest = true;
  Harness harness(options);
  harness.welcome();
  harness.typed("quit");
  const auto goodbye = harness.only_request();
  EXPECT_TRUE(goodbye.has_goodbye());
  EXPECT_FALSE(harness.session().ending());
  harness.answer(goodbye, "left { }");
  EXPECT_EQ(harness.session().ending()->status, 0);
}

}  // namespace
}  // namespace tictactoe::client::session_return_tests
