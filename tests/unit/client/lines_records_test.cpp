// Finished games: the inquiry that fetches them, the table and the replay.
#include <gmock/gmock.h>
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>

#include <string>

#include "client/lines/inquiry.hpp"
#include "client/lines/listing.hpp"
#include "client/words/board.hpp"
#include "client/words/lists.hpp"
#include "client/words/replay_text.hpp"
#include "client/words/time.hpp"
#include "tests/support/console_harness.hpp"

namespace tictactoe::client::lines_records_tests {
namespace {

using testing::from_text;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Welcomed;

v1::GameRecord record(const std::string& more = {}) {
  auto game = from_text<v1::GameRecord>(
      "id: 17 room: 'den' rules { rows: 3 cols: 3 k: 3 } starter: MARK_X "
      "x { kind: KIND_PERSON name: 'alice' } o { kind: KIND_AI name: 'AI (random)' } "
      "moves: [0, 3, 1, 4, 2] move_ms: [1500, 600, 2000, 600, 700] ended_unix_ms: 1779048909250 "
      "outcome { winner: MARK_X reason: REASON_LINE }");
  game.MergeFrom(from_text<v1::GameRecord>(more));
  return game;
}

TEST(Replay, goes_move_by_move) {
  setenv("TZ", "UTC", 1);
  Replay replay(record());
  ASSERT_EQ(replay.fault(), "");
  EXPECT_EQ(summary_text(replay),
            "Game 17: alice (X) and AI (random) (O) in the room \"den\", 3 x 3.\n"
            "Ended 2026-05-17 20:15.\n");
  replay.step();
  EXPECT_EQ(move_text(replay), "1. alice (X) plays a1 after 1.5 s.");
  EXPECT_THAT(draw_board(replay.room(), {}), HasSubstr("[X]"));
  replay.step();
  EXPECT_EQ(move_text(replay), "2. AI (random) (O) plays a2 after 0.6 s.");
  for (int i = 0; i < 3; ++i) replay.step();
  EXPECT_TRUE(replay.at_end());
  EXPECT_EQ(outcome_text(replay), "alice (X) wins.");
}

TEST(Replay, nonsense_is_refused) {
  for (const char* more :
       {"moves: 0", "moves: 9", "moves: 4294967295", "rules { rows: 4000000000 }"}) {
    EXPECT_NE(Replay(record(more)).fault(), "") << more;
  }
  EXPECT_NE(Replay(v1::GameRecord()).fault(), "");
}

TEST(Replay, without_moves_is_at_its_end) {
  auto game = record();
  game.clear_moves();
  game.clear_outcome();
  const Replay replay(game);
  EXPECT_TRUE(replay.at_end());
  EXPECT_TRUE(replay.room().outcome);
  EXPECT_EQ(outcome_text(replay), "Draw.");
}

// Times are those of the user's time zone, whatever it is.
class TimeZone {
 public:
  explicit TimeZone(const char* zone) {
    setenv("TZ", zone, 1);
    tzset();
  }
  ~TimeZone() {
    unsetenv("TZ");
    tzset();
  }
};

TEST(GameTable, times_are_local) {
  const TimeZone zone("XST-2");
  EXPECT_EQ(date_text(1779048909250), "2026-05-17 22:15");
}

TEST(GameTable, lists_them) {
  const TimeZone zone("UTC");
  EXPECT_EQ(draw_game_table({read_game(record()),
                             read_game(record("id: 3 ended_unix_ms: 18446744073709551615 outcome { "
                                              "winner: MARK_O reason: REASON_RESIGNED }"))}),
            "GAME  ENDED             BOARD  X      O            RESULT\n"
            "17    2026-05-17 20:15  3 x 3  alice  AI (random)  X wins\n"
            "3                       3 x 3  alice  AI (random)  O wins, resigned\n");
  EXPECT_EQ(draw_game_table({}), "No finished games.\n");
}

TEST(GameTable, json_has_no_moves_that_the_list_does_not_have) {
  v1::GameList list;
  *list.add_games() = record("room: 'a\"moves\":[],b'");
  const std::string with_moves = game_list_json(list);
  EXPECT_THAT(with_moves, HasSubstr("\"moves\":[0,3,1,4,2]"));
  EXPECT_THAT(with_moves, HasSubstr("\"moveMs\":[1500,"));
  list.mutable_games(0)->clear_moves();
  list.mutable_games(0)->clear_move_ms();
  const std::string without = game_list_json(list);
  EXPECT_THAT(without, Not(HasSubstr("\"moves\":")));
  EXPECT_THAT(without, Not(HasSubstr("moveMs")));
  EXPECT_THAT(without, HasSubstr("a\\\"moves\\\":[],b"));
  v1::GameList read;
  ASSERT_TRUE(google::protobuf::util::JsonStringToMessage(without, &read).ok());
  EXPECT_EQ(read.SerializeAsString(), list.SerializeAsString());
}

TEST(Client, shows_history_and_replay) {
  Welcomed harness;
  harness.typed("history \"al ice\"");
  const auto list = harness.only_request();
  EXPECT_EQ(list.list_games().player(), "al ice");
  harness.answer(list, "game_list { games { " + record().ShortDebugString() + " } more: true }");
  EXPECT_THAT(harness.text(), HasSubstr("17    2026-05-17 20:15  3 x 3  alice"));
  harness.typed("replay 17");
  const auto get = harness.only_request();
  EXPECT_EQ(get.get_game().id(), 17U);
  harness.answer(get, "game_found { game { " + record().ShortDebugString() + " } }");
  EXPECT_THAT(harness.text(), HasSubstr("5. alice (X) plays c1 after 0.7 s.\nalice (X) wins.\n"));
}

TEST(Client, tells_the_latest_moves_of_a_long_game) {
  Welcomed harness;
  harness.typed("replay 17");
  auto game = record("rules { rows: 100 cols: 100 k: 5 }");
  game.clear_moves();
  for (std::uint32_t i = 0; i < 10'000; ++i) game.add_moves(i);
  harness.answer(harness.only_request(), "game_found { game { " + game.ShortDebugString() + " } }");
  const std::string text = harness.text();
  EXPECT_THAT(text, HasSubstr("\n9801. alice (X) plays a99."));
  EXPECT_THAT(text, HasSubstr("\n10000. AI (random) (O) plays cv100."));
  EXPECT_THAT(text, Not(HasSubstr("\n9800. ")));
}

// Inquiries.

class Visit {
 public:
  explicit Visit(Inquiry::Options options) : inquiry(std::move(options)) {
    inquiry.session().connected(now);
  }

  static Inquiry::Options list(std::size_t limit) {
    Inquiry::Options options;
    options.session.name = "alice";
    options.server = "testhost";
    options.question.mutable_list_games();
    options.limit = limit;
    return options;
  }

  v1::ClientMessage asked() {
    const auto requests = testing::requests_in(inquiry.session().take_bytes());
    EXPECT_EQ(requests.size(), 1U);
    return requests.empty() ? v1::ClientMessage() : requests.front();
  }

  void answer(const v1::ClientMessage& request, const std::string& text) {
    v1::ServerMessage message = testing::said(text);
    message.set_request_id(request.request_id());
    testing::deliver_to(inquiry.session(), testing::frame_of(message), now, [] {});
    inquiry.update(now);
  }

  void welcome() { answer(asked(), "welcome { protocol_version: 1 player_name: 'alice-2' }"); }

  Time now{std::chrono::hours(1)};
  Inquiry inquiry;
};

TEST(Inquiry, asks_page_by_page_until_the_limit) {
  Visit visit(Visit::list(3));
  visit.welcome();
  auto request = visit.asked();
  EXPECT_EQ(request.list_games().before(), 0U);
  visit.answer(request, "game_list { games { id: 9 } games { id: 7 } more: true }");
  request = visit.asked();
  EXPECT_EQ(request.list_games().before(), 7U);
  visit.answer(request, "game_list { games { id: 6 } games { id: 5 } more: true }");
  request = visit.asked();
  EXPECT_TRUE(request.has_goodbye());
  visit.answer(request, "left { }");
  EXPECT_EQ(visit.inquiry.fault(), "");
  EXPECT_EQ(visit.inquiry.games().games_size(), 3);
  EXPECT_TRUE(visit.inquiry.games().more());
}

TEST(Inquiry, is_not_led_in_circles) {
  Visit visit(Visit::list(100));
  visit.welcome();
  visit.answer(visit.asked(), "game_list { games { id: 9 } more: true }");
  visit.answer(visit.asked(), "game_list { games { id: 9 } more: true }");
  EXPECT_TRUE(visit.asked().has_goodbye());
}

TEST(Inquiry, waits_if_it_is_too_fast) {
  Visit visit(Visit::list(100));
  visit.welcome();
  visit.answer(visit.asked(), "error { code: CODE_RATE_LIMITED retry_after_ms: 70 }");
  EXPECT_EQ(visit.inquiry.session().next_deadline(), visit.now + milliseconds(70));
  visit.now += milliseconds(70);
  visit.inquiry.session().deadline_reached(visit.now);
  EXPECT_TRUE(visit.asked().has_list_games());
}

TEST(Inquiry, tells_what_is_wrong) {
  Visit refused(Visit::list(1));
  refused.welcome();
  refused.answer(refused.asked(), "error { code: CODE_NO_RECORDS message: 'None are kept.' }");
  const auto goodbye = refused.asked();
  EXPECT_TRUE(goodbye.has_goodbye()) << "or the name would stay taken";
  refused.answer(goodbye, "left { }");
  EXPECT_EQ(refused.inquiry.fault(), "None are kept.");

  Visit silent(Visit::list(1));
  silent.inquiry.session().deadline_reached(silent.now + welcome_timeout);
  silent.inquiry.update(silent.now);
  EXPECT_THAT(silent.inquiry.fault().value(), HasSubstr("No answer from testhost"));

  Visit lost(Visit::list(1));
  lost.inquiry.session().connection_lost("reset by peer", lost.now);
  lost.inquiry.update(lost.now);
  EXPECT_THAT(lost.inquiry.fault().value(), HasSubstr("reset by peer"));
}

TEST(Inquiry, keeps_no_more_bytes_of_a_list_than_its_limit) {
  Visit visit(Visit::list(10'000));
  visit.welcome();
  const std::string large(max_server_frame_bytes - 256, 'x');
  std::size_t sent = 0;
  for (int id = 10'000; sent <= max_inquiry_bytes; --id) {
    visit.answer(visit.asked(), "game_list { games { id: " + std::to_string(id) + " room: '" +
                                    large + "' } more: true }");
    sent += large.size();
  }
  visit.answer(visit.asked(), "game_list { games { id: 1 } }");
  EXPECT_LE(visit.inquiry.games().ByteSizeLong(), max_inquiry_bytes + 64);
  EXPECT_TRUE(visit.inquiry.games().more()) << "something was left out";
}

TEST(Inquiry, leaves_out_games_beyond_the_limit) {
  Visit visit(Visit::list(1));
  visit.welcome();
  visit.answer(visit.asked(), "game_list { games { id: 9 } games { id: 7 } more: true }");
  EXPECT_EQ(visit.inquiry.games().games_size(), 1);
  EXPECT_THAT(json_line(visit.inquiry.games()), HasSubstr("\"id\":\"9\""));
  EXPECT_THAT(json_line(visit.inquiry.games()), HasSubstr("\"more\":true"));
}

}  // namespace
}  // namespace tictactoe::client::lines_records_tests
