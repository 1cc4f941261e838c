// Thinking beside the event loop, and the levels of AI players.
#include <gmock/gmock.h>

#include "server/game/ai_levels.hpp"
#include "tests/support/host_driver.hpp"

namespace tictactoe::test::host_thinking_tests {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using v1::Error;

/// Alice in a room of gomoku, where the AI has just begun to think about its answer to her move.
class ThinkingTest : public testing::Test {
 protected:
  ThinkingTest() {
    driver.thinks = false;
    driver.ask(alice, create_request("den", rules::Rules{15, 15, 5}));
    driver.ask(alice, add_ai_request(v1::MARK_O, "strong"));
    driver.ask(alice, move_request(7, 7));
    driver.take(alice);
    driver.pass(std::chrono::seconds(1));
    EXPECT_EQ(driver.thoughts.size(), 1u);
    EXPECT_TRUE(driver.inbox(alice).empty());
  }
  void answer(rules::Cell cell) { result(ai::Choice{cell, false}); }

  void result(const server::ThoughtResult& result) {
    driver.host().thought(driver.thoughts.back().id, result, driver.now());
    driver.collect();
  }

  HostDriver driver;
  server::ConnectionId alice = driver.enter("alice");
};

// At the end of its first pause of 600 ms the AI has begun to think; 400 ms have passed since.
class PaceTest : public ThinkingTest {
 protected:
  void answer_with(ai::Effort effort) {
    ai::Choice choice{{8, 8}, false};
    choice.effort = effort;
    result(choice);
  }
  /// Whether the AI has moved after this time, but not a millisecond before.
  void expect_move_after(std::chrono::milliseconds time) {
    driver.pass(time - std::chrono::milliseconds(1));
    EXPECT_TRUE(driver.inbox(alice).empty());
    driver.pass(std::chrono::milliseconds(1));
    EXPECT_EQ(driver.take_updates(alice).size(), 1u);
    EXPECT_EQ(driver.thoughts.size(), 1u) << "it has thought once";
  }
};

TEST_F(PaceTest, much_effort_takes_twice_as_long_as_none) {
  answer_with(ai::Effort::much);
  expect_move_after(std::chrono::milliseconds(200));
}

TEST_F(PaceTest, thinking_counts) {
  driver.pass(std::chrono::milliseconds(200));
  answer_with(ai::Effort::much);
  EXPECT_EQ(driver.take_updates(alice).size(), 1u);
}

TEST_F(PaceTest, some_effort_takes_half_as_much_again) {
  answer_with(ai::Effort::some);
  EXPECT_EQ(driver.take_updates(alice).size(), 1u) << "100 ms ago a person would have moved";
}

TEST_F(PaceTest, is_even_if_the_owner_wants_that) {
  server::Config config = HostDriver::patient();
  config.ai_pace = false;
  driver.host().change_settings(config);
  answer_with(ai::Effort::much);
  EXPECT_EQ(driver.take_updates(alice).size(), 1u);
}

TEST_F(PaceTest, a_move_that_waits_is_dropped_with_its_position) {
  answer_with(ai::Effort::much);
  driver.ask(alice, takeback_request());
  driver.ask(alice, move_request(6, 6));
  driver.take(alice);
  driver.pass(std::chrono::milliseconds(599));
  EXPECT_EQ(driver.thoughts.size(), 1u);
  driver.pass(std::chrono::milliseconds(1));
  ASSERT_EQ(driver.thoughts.size(), 2u);
  EXPECT_EQ(*driver.thoughts.back().moves, (std::vector<rules::Cell>{{6, 6}}));
  EXPECT_TRUE(driver.inbox(alice).empty());
}

TEST_F(PaceTest, a_move_that_waits_is_dropped_with_its_player) {
  answer_with(ai::Effort::much);
  driver.ask(alice, remove_ai_request(v1::MARK_O));
  EXPECT_FALSE(driver.host().next_deadline());
  driver.ask(alice, add_ai_request(v1::MARK_O, "2"));
  driver.take(alice);
  driver.pass(std::chrono::milliseconds(600));
  EXPECT_TRUE(driver.inbox(alice).empty());
  EXPECT_EQ(driver.thoughts.size(), 2u);
}

TEST_F(PaceTest, a_move_that_waits_is_dropped_with_its_game) {
  answer_with(ai::Effort::much);
  driver.ask(alice, resign_request());
  driver.take(alice);
  driver.pass(std::chrono::seconds(10));
  EXPECT_TRUE(driver.inbox(alice).empty());
}

TEST_F(ThinkingTest, a_move_says_if_it_can_no_longer_lose) {
  result(ai::Choice{{8, 8}, true});
  const auto updates = driver.take_updates(alice);
  ASSERT_EQ(updates.size(), 1u);
  EXPECT_TRUE(updates[0].move_played().cannot_lose());
}

TEST_F(ThinkingTest, an_answer_is_played) {
  EXPECT_FALSE(driver.host().next_deadline());
  answer({8, 8});
  const auto updates = driver.take_updates(alice);
  ASSERT_EQ(updates.size(), 1u);
  EXPECT_EQ(updates[0].move_played().mark(), v1::MARK_O);
  EXPECT_EQ(updates[0].move_played().cell().row(), 8u);
  EXPECT_EQ(updates[0].turn(), v1::MARK_X);
  EXPECT_TRUE(driver.stopped_thoughts.empty());
  // The same answer again is of a position that is gone.
  answer({9, 9});
  EXPECT_TRUE(driver.inbox(alice).empty());
}

TEST_F(ThinkingTest, goes_on_through_what_does_not_concern_it) {
  driver.ask(alice, chat_request("hurry up"));
  driver.ask(driver.enter("bob"), watch_request("den"));
  EXPECT_TRUE(driver.stopped_thoughts.empty());
  driver.take(alice);
  answer({8, 8});
  EXPECT_EQ(driver.take_updates(alice).size(), 1u);
}

TEST_F(ThinkingTest, is_called_back_when_the_ai_is_sent_away) {
  const server::ThoughtId old = driver.thoughts.back().id;
  driver.ask(alice, remove_ai_request(v1::MARK_O));
  ASSERT_EQ(driver.stopped_thoughts.size(), 1u);
  EXPECT_EQ(driver.stopped_thoughts[0], old);
  // A new AI thinks again.
  driver.ask(alice, add_ai_request(v1::MARK_O, "strong"));
  driver.pass(std::chrono::seconds(1));
  ASSERT_EQ(driver.thoughts.size(), 2u);
  EXPECT_LT(old.number, driver.thoughts[1].id.number);
  driver.take(alice);
  driver.host().thought(old, ai::Choice{{0, 0}, false}, driver.now());
  driver.collect();
  EXPECT_TRUE(driver.inbox(alice).empty()) << "a stale thought was played";
  answer({8, 8});
  EXPECT_EQ(driver.take_updates(alice).size(), 1u);
}

TEST_F(ThinkingTest, is_called_back_when_the_room_closes) {
  driver.ask(alice, leave_request());
  EXPECT_EQ(driver.stopped_thoughts.size(), 1u);
  EXPECT_EQ(driver.host().rooms(), 0u);
  answer({8, 8});
}

TEST_F(ThinkingTest, stops_while_a_seat_is_open) {
  driver.ask(driver.enter("bob"), watch_request("den"));
  driver.ask(alice, leave_request());
  EXPECT_EQ(driver.stopped_thoughts.size(), 1u);
  EXPECT_FALSE(driver.host().next_deadline());
}

TEST_F(ThinkingTest, is_about_the_game_without_what_was_taken_back) {
  answer({8, 8});
  driver.ask(alice, move_request(6, 6));
  driver.pass(std::chrono::seconds(1));
  driver.ask(alice, takeback_request());
  EXPECT_EQ(driver.stopped_thoughts.size(), 1u);
  driver.ask(alice, move_request(5, 5));
  driver.pass(std::chrono::seconds(1));
  EXPECT_EQ(*driver.thoughts.back().moves, (std::vector<rules::Cell>{{7, 7}, {8, 8}, {5, 5}}));
}

TEST_F(ThinkingTest, a_full_queue_is_tried_again_later) {
  result(std::nullopt);
  EXPECT_TRUE(driver.inbox(alice).empty());
  driver.pass(std::chrono::seconds(2));
  ASSERT_EQ(driver.thoughts.size(), 2u);
  answer({8, 8});
  EXPECT_EQ(driver.take_updates(alice).size(), 1u);
}

TEST_F(ThinkingTest, players_are_released_with_the_game_and_with_the_last_person) {
  EXPECT_TRUE(driver.released.empty());
  driver.ask(alice, resign_request());
  EXPECT_EQ(driver.released.size(), 1u);
  driver.ask(alice, rematch_request());
  driver.pass(std::chrono::seconds(1));
  ASSERT_EQ(driver.thoughts.size(), 2u);
  answer({3, 3});
  driver.disconnect(alice);
  driver.pass(std::chrono::seconds(1));
  EXPECT_EQ(driver.released.size(), 1u) << "it is the turn of somebody who may come back";
}

// Hints -------------------------------------------------------------------------------------------

class HintTest : public testing::Test {
 protected:
  HintTest() {
    driver.ask(alice, with_hints(create_request("den", rules::Rules{15, 15, 5})));
    driver.ask(bob, join_request("den"));
    driver.ask(alice, move_request(7, 7));
    driver.take(alice);
    driver.take(bob);
    driver.thinks = false;
  }
  /// Sends a request that is not answered at once.
  std::uint64_t send(server::ConnectionId from, v1::ClientMessage request) {
    request.set_request_id(++sent);
    driver.send_bytes(from, request.SerializeAsString());
    return sent;
  }
  /// Takes the news that it was asked for.
  std::uint64_t ask_for_hint(server::ConnectionId from) {
    const std::uint64_t request = send(from, hint_request());
    driver.take(alice);
    driver.take(bob);
    return request;
  }

  HostDriver driver;
  server::ConnectionId alice = driver.enter("alice");
  server::ConnectionId bob = driver.enter("bob");
  std::uint64_t sent = 1'000'000;
};

TEST_F(HintTest, comes_later_and_names_its_position) {
  const std::uint64_t request = ask_for_hint(alice);
  EXPECT_TRUE(driver.inbox(alice).empty());
  driver.ask(alice, chat_request("hm"));
  driver.take(alice);
  driver.answer_thoughts();
  ASSERT_EQ(driver.inbox(alice).size(), 1u);
  const v1::ServerMessage& answer = driver.inbox(alice)[0];
  EXPECT_EQ(answer.request_id(), request);
  EXPECT_EQ(answer.hinted().mark(), v1::MARK_O);
  EXPECT_EQ(answer.hinted().game(), 1u);
  EXPECT_EQ(answer.hinted().ply(), 1u);
  EXPECT_EQ(answer.hinted().takebacks(), 0u);
  EXPECT_TRUE(driver.inbox(bob).size() == 1u) << "only the chat";
}

TEST_F(HintTest, comes_from_the_strongest_level_and_says_if_it_is_certain) {
  for (const bool is_certain : {true, false}) {
    driver.thoughts.clear();
    driver.take(alice);
    ask_for_hint(alice);
    ASSERT_EQ(driver.thoughts.size(), 1u);
    EXPECT_EQ(driver.thoughts[0].level, ai::Level::strong);
    const server::ThoughtId id = driver.thoughts[0].id;
    driver.answer_thought(id, ai::Choice{{3, 4}, is_certain});
    ASSERT_EQ(driver.inbox(alice).size(), 1u);
    EXPECT_EQ(driver.inbox(alice)[0].hinted().cannot_lose(), is_certain);
  }
}

TEST_F(HintTest, one_thought_serves_everybody_who_asks) {
  ask_for_hint(alice);
  ask_for_hint(bob);
  EXPECT_EQ(driver.thoughts.size(), 1u);
  driver.answer_thoughts();
  EXPECT_TRUE(driver.inbox(alice).back().has_hinted());
  EXPECT_TRUE(driver.inbox(bob).back().has_hinted());
}

TEST_F(HintTest, is_refused_once_its_position_is_gone) {
  const std::uint64_t request = ask_for_hint(alice);
  driver.ask(bob, move_request(8, 8));
  ASSERT_FALSE(driver.inbox(alice).empty());
  EXPECT_EQ(driver.inbox(alice)[0].request_id(), request);
  EXPECT_EQ(driver.inbox(alice)[0].error().code(), v1::Error::CODE_STALE_REQUEST);
  EXPECT_EQ(driver.stopped_thoughts.size(), 1u);
  driver.take(alice);
  driver.answer_thoughts();
  EXPECT_TRUE(driver.inbox(alice).empty());
}

TEST_F(HintTest, is_answered_when_the_player_leaves) {
  const std::uint64_t request = ask_for_hint(alice);
  driver.ask(alice, leave_request());
  EXPECT_EQ(driver.inbox(alice)[0].request_id(), request);
  EXPECT_EQ(driver.inbox(alice)[0].error().code(), v1::Error::CODE_STALE_REQUEST);
}

TEST_F(HintTest, is_dropped_with_the_connection) {
  ask_for_hint(alice);
  driver.disconnect(alice);
  EXPECT_EQ(driver.stopped_thoughts.size(), 1u);
  driver.answer_thoughts();
}

TEST_F(HintTest, is_dropped_when_another_connection_takes_over) {
  ask_for_hint(alice);
  const server::ConnectionId other = driver.come_back(driver.token(alice), "den");
  driver.answer_thoughts();
  for (const v1::ServerMessage& message : driver.inbox(other)) EXPECT_FALSE(message.has_hinted());
}

TEST_F(HintTest, one_connection_waits_for_a_few_only) {
  ask_for_hint(alice);
  ask_for_hint(alice);
  const v1::Error refused = driver.ask(alice, hint_request()).error();
  EXPECT_EQ(refused.code(), v1::Error::CODE_RATE_LIMITED);
  EXPECT_GT(refused.retry_after_ms(), 0u);
  for (int i = 0; i < 100; ++i) ask_for_hint(alice);  // these are refused, and free
  driver.answer_thoughts();
  driver.take(alice);
  ask_for_hint(alice);
  driver.answer_thoughts();
  EXPECT_TRUE(driver.inbox(alice).back().has_hinted());
}

// Which levels an AI can have in a room -----------------------------------------------------------

std::string level_after(const v1::ServerMessage& answer) {
  return answer.update().seat_changed().occupant().ai_level();
}

TEST(AiLevels, perfect_is_offered_where_it_cannot_lose) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  driver.ask(alice, create_request("den", rules::Rules::square(5)));
  EXPECT_EQ(level_after(driver.ask(alice, add_ai_request(v1::MARK_O, "perfect"))), "perfect");
}

TEST(AiLevels, graded_ones_are_called_by_what_they_mean) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  driver.ask(alice, create_request("den", rules::Rules{15, 15, 5}));
  // The default is one that newcomers beat now and then.
  for (const auto& [asked, level, name] :
       {std::tuple("1", "1", "AI (1, beginner)"), std::tuple("8", "8", "AI (8, master)"),
        std::tuple("", "3", "AI (3, casual)"), std::tuple("strong", "strong", "AI (strong)")}) {
    const v1::ServerMessage answer = driver.ask(alice, add_ai_request(v1::MARK_O, asked));
    EXPECT_EQ(level_after(answer), level);
    EXPECT_EQ(answer.update().seat_changed().occupant().name(), name);
    driver.ask(alice, remove_ai_request(v1::MARK_O));
  }
}

TEST(AiLevels, perfect_is_refused_elsewhere_with_the_reason) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  driver.ask(alice, create_request("den", rules::Rules{15, 15, 5}));
  const Error error = driver.ask(alice, add_ai_request(v1::MARK_O, "perfect")).error();
  EXPECT_EQ(error.code(), Error::CODE_NOT_ALLOWED);
  EXPECT_THAT(error.message(), AllOf(HasSubstr("No proof is known"), HasSubstr("strong")));
}

TEST(AiLevels, perfect_is_refused_in_a_game_that_others_have_begun) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  const auto bob = driver.enter("bob");
  driver.ask(alice, create_request("den"));
  driver.ask(bob, join_request("den"));
  driver.ask(alice, move_request(0, 0));
  driver.ask(bob, move_request(0, 1));
  EXPECT_THAT(driver.ask(bob, add_ai_request(v1::MARK_O, "perfect")).error().message(),
              HasSubstr("Others started this game"));
  EXPECT_EQ(level_after(driver.ask(bob, add_ai_request(v1::MARK_O, "strong"))), "strong");
  // In the next game the AI begins with the others.
  driver.ask(alice, resign_request());
  driver.ask(alice, remove_ai_request(v1::MARK_O));
  EXPECT_EQ(level_after(driver.ask(alice, add_ai_request(v1::MARK_O, "perfect"))), "perfect");
}

TEST(AiLevels, an_unknown_one_is_refused_with_the_known_ones) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  driver.ask(alice, create_request("den"));
  const Error error = driver.ask(alice, add_ai_request(v1::MARK_O, "genius")).error();
  EXPECT_EQ(error.code(), Error::CODE_UNKNOWN_AI_LEVEL);
  EXPECT_THAT(error.message(),
              HasSubstr("3, 1, 2, 4, 5, 6, 7, 8, suggester, random, strong, perfect"));
}

/// Engines are further levels of some games.
class EngineLevels : public testing::Test {
 protected:
  static server::Config config() {
    server::Config config;
    config.engines = {"embryo", "rapfi"};
    return config;
  }
  HostDriver driver{config()};
  server::ConnectionId alice = driver.enter("alice");
};

TEST_F(EngineLevels, are_told_in_the_welcome) {
  EXPECT_THAT(driver.ask(driver.connect(), hello_request("bob")).welcome().limits().ai_levels(),
              ElementsAre("3", "1", "2", "4", "5", "6", "7", "8", "suggester", "random", "strong",
                          "perfect", "embryo", "rapfi"));
}

TEST_F(EngineLevels, are_offered_for_five_in_a_row_on_square_boards) {
  int number = 0;
  for (const rules::Rules rules :
       {rules::Rules{15, 15, 5}, rules::Rules{100, 100, 5, false}, rules::Rules::square(5)}) {
    driver.ask(alice, leave_request());
    driver.ask(alice, create_request("den" + std::to_string(++number), rules));
    EXPECT_EQ(level_after(driver.ask(alice, add_ai_request(v1::MARK_O, "embryo"))), "embryo");
  }
  for (const rules::Rules rules : {rules::Rules{15, 15, 6}, rules::Rules{15, 16, 5},
                                   rules::Rules{101, 101, 5}, rules::Rules::square(3)}) {
    driver.ask(alice, leave_request());
    driver.ask(alice, create_request("den" + std::to_string(++number), rules));
    const Error error = driver.ask(alice, add_ai_request(v1::MARK_O, "embryo")).error();
    EXPECT_EQ(error.code(), Error::CODE_NOT_ALLOWED);
    EXPECT_THAT(error.message(), HasSubstr("The engine embryo plays five in a row"));
  }
}

TEST_F(EngineLevels, think_as_engines_and_tell_their_faults) {
  driver.thinks = false;
  driver.ask(alice, create_request("den", rules::Rules{15, 15, 5}));
  EXPECT_EQ(driver.ask(alice, add_ai_request(v1::MARK_O, "rapfi"))
                .update()
                .seat_changed()
                .occupant()
                .name(),
            "AI (rapfi)");
  driver.ask(alice, move_request(7, 7));
  driver.take(alice);
  driver.pass(std::chrono::seconds(1));
  ASSERT_EQ(driver.thoughts.size(), 1u);
  EXPECT_EQ(driver.thoughts[0].level.engine, "rapfi");
  EXPECT_EQ(driver.thoughts[0].level.level, ai::Level::strong);
  driver.host().thought(driver.thoughts[0].id, ai::Choice{{8, 8}, false, "It failed."},
                        driver.now());
  driver.collect();
  const auto updates = driver.take_updates(alice);
  ASSERT_EQ(updates.size(), 1u);
  EXPECT_EQ(updates[0].move_played().engine_fault(), "It failed.");
}

TEST(EngineNames, are_short_words_that_are_no_levels) {
  for (const char* const good : {"embryo", "Rapfi-2.1", "a", "1234567890123456"}) {
    EXPECT_EQ(server::engine_name_problem(good), std::nullopt) << good;
  }
  for (const char* const bad :
       {"", "12345678901234567", "a b", "strong", "3", "perfect", "a)", "\u00e9"}) {
    EXPECT_NE(server::engine_name_problem(bad), std::nullopt) << bad;
  }
}

TEST(EngineNames, of_a_journal_need_not_be_known) {
  EXPECT_EQ(server::parse_saved_ai_level("perfect"), server::AiLevel(ai::Level::perfect));
  EXPECT_EQ(server::parse_saved_ai_level("gone"), server::AiLevel(std::string("gone")));
  EXPECT_EQ(server::parse_saved_ai_level("a b"), std::nullopt);
}

}  // namespace
}  // namespace tictactoe::test::host_thinking_tests
