#include "client/lines/conversation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/console_harness.hpp"

namespace tictactoe::client::lines_conversation_tests {
namespace {

using testing::Harness;
using ::testing::HasSubstr;
using testing::InRoom;
using ::testing::Not;
using testing::o_plays_corner;
using testing::snapshot;
using testing::Welcomed;

TEST(Hello, comes_first_and_asks_for_a_name) {
  Harness harness(false);
  EXPECT_TRUE(harness.conversation.prompt(harness.now).empty());
  const v1::ClientMessage hello = harness.only_request();
  EXPECT_EQ(hello.request_id(), 1U);
  EXPECT_EQ(hello.hello().name(), "alice");
  EXPECT_EQ(hello.hello().protocol_versions(0), 1U);
  EXPECT_EQ(harness.next_in(), welcome_timeout);
}

TEST(Hello, lines_wait_for_the_welcome) {
  Harness harness(false);
  harness.sent();
  harness.typed("play");
  EXPECT_TRUE(harness.sent().empty());
  harness.server("request_id: 1 welcome { protocol_version: 1 player_name: 'alice' }");
  EXPECT_TRUE(harness.only_request().has_play());
}

TEST(Hello, another_name_is_told) {
  Harness harness(false);
  harness.welcome("alice-2");
  EXPECT_THAT(harness.text(), HasSubstr("You are called alice-2 here.\n"
                                        "The name \"alice\" is in use: another player has it, or "
                                        "another client of yours.\n"));
}

TEST(Hello, the_reason_of_the_server_for_another_name_is_told_instead) {
  Harness harness(false);
  harness.welcome("alice-2", "name_note: 'The name alice is that of an account.\\033[2J'");
  const std::string text = harness.text();
  EXPECT_THAT(text,
              HasSubstr("You are called alice-2 here.\nThe name alice is that of an account."));
  EXPECT_THAT(text, HasSubstr(" Use --log-in if it is yours.\n"));
  EXPECT_THAT(text, Not(HasSubstr("is in use")));
  EXPECT_THAT(text, Not(HasSubstr("\033")));
}

TEST(Hello, a_refused_name_is_a_bad_option) {
  Harness harness(false);
  harness.server("request_id: 1 error { code: CODE_INVALID_NAME message: 'Too long.' }");
  EXPECT_EQ(harness.session().ending()->status, 2);
  EXPECT_THAT(harness.conversation.ending_reason(), HasSubstr("Too long."));
}

TEST(Hello, a_peer_that_is_no_server_is_told) {
  for (const std::string& bytes :
       {std::string("HTTP/1.1 400 Bad Request\r\n\r\n") + std::string(80, 'x'),
        std::string("\xFF\xFF\xFF\xFF\xFF\xFF"), std::string("\0", 1)}) {
    Harness harness(false);
    harness.deliver(bytes);
    ASSERT_TRUE(harness.session().ending()) << bytes;
    EXPECT_EQ(harness.session().ending()->status, 1);
    EXPECT_THAT(harness.conversation.ending_reason(), HasSubstr("testhost"));
  }
}

TEST(Hello, a_silent_server_is_given_up) {
  Harness harness(false);
  harness.pass(welcome_timeout);
  EXPECT_EQ(harness.session().ending()->status, 1);
}

TEST(Hello, another_version_ends) {
  Harness harness(false);
  harness.server("request_id: 1 welcome { protocol_version: 9 }");
  EXPECT_THAT(harness.conversation.ending_reason(), HasSubstr("version 9"));
}

// Gaps and hostile servers.

TEST(Gap, asks_for_a_snapshot_once_and_goes_on_from_it) {
  InRoom harness;
  harness.server(o_plays_corner);  // revision 8 never came
  const auto request = harness.only_request();
  EXPECT_TRUE(request.has_get_snapshot());
  harness.server("update { revision: 11 phase: PHASE_PLAYING watchers_changed { watchers: 1 } }");
  EXPECT_TRUE(harness.sent().empty());
  EXPECT_EQ(harness.text(), "");
  harness.answer(request, snapshot("revision: 11 moves: 4 moves: 0"));
  EXPECT_THAT(harness.text(), HasSubstr("Your turn: place your X."));
  harness.typed("3 3");
  EXPECT_EQ(harness.only_request().move().ply(), 2U);
}

TEST(Gap, the_snapshot_is_asked_for_again_if_a_rate_limit_refused_it) {
  InRoom harness;
  harness.server(o_plays_corner);
  harness.answer(harness.only_request(), "error { code: CODE_RATE_LIMITED retry_after_ms: 70 }");
  EXPECT_EQ(harness.next_in(), milliseconds(70));
  harness.pass(milliseconds(70));
  EXPECT_TRUE(harness.only_request().has_get_snapshot());
}

TEST(Hostile, a_server_that_never_makes_sense_is_left) {
  InRoom harness;
  int asked = 0;
  while (!harness.session().ending() && asked < 100) {
    harness.server("update { revision: 8 move_played { mark: MARK_X cell { row: 99 } ply: 1 } }");
    for (const auto& request : harness.sent()) {
      ++asked;
      harness.answer(request, snapshot());
    }
  }
  EXPECT_EQ(asked, max_resyncs);
  EXPECT_EQ(harness.session().ending()->status, 1);
}

TEST(Hostile, an_absurd_room_ends) {
  Welcomed harness;
  harness.news(snapshot("rules { rows: 4000000000 cols: 4000000000 }"));
  EXPECT_EQ(harness.session().ending()->status, 1);
  EXPECT_THAT(harness.conversation.ending_reason(), HasSubstr("4000000000 x 4000000000"));
}

TEST(Hostile, a_frame_over_the_cap_ends) {
  Welcomed harness;
  std::string bytes;
  wire::append_varint(bytes, max_server_frame_bytes + 1);
  harness.deliver(bytes);
  EXPECT_EQ(harness.session().ending()->status, 1);
}

TEST(Hostile, events_out_of_place_do_no_harm) {
  Welcomed harness;
  for (const char* event :
       {"update { revision: 1 move_played { } }", "left { }", "hinted { }", "pong { }",
        "room_list { more: true }", "welcome { }", "request_id: 99", "request_id: 99 error { }",
        "hinted { cell { row: 4294967295 col: 4294967295 } mark: MARK_O }"}) {
    harness.server(event);
    EXPECT_FALSE(harness.session().ending()) << event;
  }
  EXPECT_TRUE(harness.sent().empty());
}

}  // namespace
}  // namespace tictactoe::client::lines_conversation_tests
