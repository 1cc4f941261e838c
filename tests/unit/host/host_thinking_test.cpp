// Thinking beside the event loop: moves of AIs and hints, and what becomes of them when the
// position changes.
#include <gtest/gtest.h>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test::host_thinking_tests {
namespace {

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
  void answer(rules::Cell cell) { result({core::ThoughtResult::Kind::choice, {cell, false}}); }

  void result(const core::ThoughtResult& result) {
    driver.host().thought(driver.thoughts.back().id, result, driver.now());
    driver.collect();
  }

  HostDriver driver;
  core::ConnectionId alice = driver.enter("alice");
};

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
  const core::ThoughtId old = driver.thoughts.back().id;
  driver.ask(alice, remove_ai_request(v1::MARK_O));
  ASSERT_EQ(driver.stopped_thoughts.size(), 1u);
  EXPECT_EQ(driver.stopped_thoughts[0], old);
  // A new AI thinks again.
  driver.ask(alice, add_ai_request(v1::MARK_O, "strong"));
  driver.pass(std::chrono::seconds(1));
  ASSERT_EQ(driver.thoughts.size(), 2u);
  EXPECT_LT(old.number, driver.thoughts[1].id.number);
  driver.take(alice);
  driver.host().thought(old, {core::ThoughtResult::Kind::choice, {{0, 0}, false}}, driver.now());
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
  result({core::ThoughtResult::Kind::busy});
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
  std::uint64_t send(core::ConnectionId from, v1::ClientMessage request) {
    request.set_request_id(++sent);
    driver.send_bytes(from, request.SerializeAsString());
    return sent;
  }
  /// Takes the news that it was asked for.
  std::uint64_t ask_for_hint(core::ConnectionId from) {
    const std::uint64_t request = send(from, hint_request());
    driver.take(alice);
    driver.take(bob);
    return request;
  }

  HostDriver driver;
  core::ConnectionId alice = driver.enter("alice");
  core::ConnectionId bob = driver.enter("bob");
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
    const core::ThoughtId id = driver.thoughts[0].id;
    driver.answer_thought(id, {.choice = {{3, 4}, is_certain}});
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
  const core::ConnectionId other = driver.come_back(driver.token(alice), "den");
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

}  // namespace
}  // namespace tictactoe::test::host_thinking_tests
