// Thinking beside the event loop: moves of AIs and hints, and what becomes of them when the
// position changes.
#include <gtest/gtest.h>

#include <array>

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

TEST_F(ThinkingTest, hands_over_only_what_has_changed) {
  answer({8, 8});
  driver.ask(alice, move_request(6, 6));
  driver.pass(std::chrono::seconds(1));
  ASSERT_EQ(driver.thoughts.size(), 2u);
  EXPECT_EQ(driver.thoughts[0].base, 0u);
  EXPECT_EQ(driver.thoughts[0].moves->size(), 1u);
  EXPECT_EQ(driver.thoughts[1].base, driver.thoughts[0].id.number);
  EXPECT_EQ(driver.thoughts[1].keep, 1u);
  EXPECT_EQ(driver.thoughts[1].moves->size(), 2u);
}

TEST_F(ThinkingTest, a_takeback_keeps_what_still_stands) {
  answer({8, 8});
  driver.ask(alice, move_request(6, 6));
  driver.pass(std::chrono::seconds(1));
  driver.ask(alice, takeback_request());
  EXPECT_EQ(driver.stopped_thoughts.size(), 1u);
  driver.ask(alice, move_request(5, 5));
  driver.pass(std::chrono::seconds(1));
  const core::Think& think = driver.thoughts.back();
  EXPECT_EQ(think.base, driver.thoughts[1].id.number);
  EXPECT_EQ(think.keep, 2u);
  ASSERT_EQ(think.moves->size(), 1u);
  EXPECT_EQ(think.moves->front(), (rules::Cell{5, 5}));
}

TEST_F(ThinkingTest, the_whole_game_is_sent_when_it_is_needed) {
  answer({8, 8});
  driver.ask(alice, move_request(6, 6));
  driver.pass(std::chrono::seconds(1));
  result({core::ThoughtResult::Kind::needs_whole_game});
  ASSERT_EQ(driver.thoughts.size(), 3u);
  EXPECT_EQ(driver.thoughts[2].base, 0u);
  EXPECT_EQ(driver.thoughts[2].moves->size(), 3u);
  driver.take(alice);
  answer({9, 9});
  EXPECT_EQ(driver.take_updates(alice).size(), 1u);
}

TEST_F(ThinkingTest, a_full_queue_is_tried_again_later) {
  result({core::ThoughtResult::Kind::busy});
  EXPECT_TRUE(driver.inbox(alice).empty());
  driver.pass(std::chrono::seconds(2));
  ASSERT_EQ(driver.thoughts.size(), 2u);
  answer({8, 8});
  EXPECT_EQ(driver.take_updates(alice).size(), 1u);
}

TEST_F(ThinkingTest, an_ai_that_does_not_fit_into_memory_plays_a_free_cell) {
  result({core::ThoughtResult::Kind::too_large});
  const auto updates = driver.take_updates(alice);
  ASSERT_EQ(updates.size(), 1u);
  EXPECT_EQ(updates[0].move_played().mark(), v1::MARK_O);
}

TEST_F(ThinkingTest, players_are_released_with_the_game_and_with_the_last_person) {
  EXPECT_TRUE(driver.released.empty());
  driver.ask(alice, resign_request());
  EXPECT_EQ(driver.released.size(), 1u);
  driver.ask(alice, rematch_request());
  driver.pass(std::chrono::seconds(1));
  ASSERT_EQ(driver.thoughts.size(), 2u);
  EXPECT_EQ(driver.thoughts[1].base, 0u);
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

TEST_F(HintTest, comes_from_a_lower_level_on_a_board_that_is_too_large) {
  ask_for_hint(alice);
  for (const ai::Level level : {ai::Level::strong, ai::Level::suggester}) {
    ASSERT_EQ(driver.thoughts.size(), 1u);
    EXPECT_EQ(driver.thoughts[0].level, level);
    const core::ThoughtId id = driver.thoughts[0].id;
    driver.thoughts.clear();
    driver.answer_thought(id, {core::ThoughtResult::Kind::too_large});
  }
  ASSERT_EQ(driver.inbox(alice).size(), 1u);
  EXPECT_EQ(driver.inbox(alice)[0].error().code(), v1::Error::CODE_NOT_ALLOWED);
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

// Many rooms may ask for hints at the same time, so none copies its long game at once.
// An AI player that does not know the game has to follow all of it.
TEST(LongGameTest, makes_hints_cost_more) {
  core::Config config = HostDriver::patient();
  config.limits.requests_per_second = 1;
  config.limits.request_burst = 5'000;
  HostDriver driver(config);
  driver.thinks = false;
  const std::array players{driver.enter("alice"), driver.enter("bob")};
  driver.ask(players[0], with_hints(create_request("den", rules::Rules{60, 60, 60})));
  driver.ask(players[1], join_request("den"));
  constexpr std::uint32_t moves = 2'500;
  for (std::uint32_t i = 0; i < moves; ++i) {
    const auto answer = driver.ask(players[i % 2], move_request(i / 60, i % 60));
    ASSERT_TRUE(answer.has_update());
    if (i % 100 == 0) {
      for (const auto player : players) driver.take(player);
    }
  }
  const auto carol = driver.enter("carol");
  const auto dan = driver.enter("dan");
  driver.ask(carol, watch_request("den"));
  driver.ask(dan, watch_request("den"));
  driver.post(dan, hint_request());
  EXPECT_EQ(driver.tokens(carol) - driver.tokens(dan), 4 + 2);
}

TEST(LongGameTest, is_handed_over_when_the_pool_asks_for_it) {
  core::Config config = HostDriver::patient();
  config.limits.requests_per_second = 0;
  HostDriver driver(config);
  driver.thinks = false;
  const core::ConnectionId alice = driver.enter("alice");
  const core::ConnectionId bob = driver.enter("bob");
  driver.ask(alice, with_hints(create_request("den", rules::Rules{80, 80, 5})));
  driver.ask(bob, join_request("den"));
  // Nobody ever has more than two in a row.
  constexpr std::size_t plies = 5000;
  for (std::uint32_t i = 0; i < plies / 2; ++i) {
    const std::uint32_t row = i / 40;
    const std::uint32_t in_row = i % 40;
    const std::uint32_t x_col = in_row / 2 * 4 + in_row % 2 + row % 2 * 2;
    const std::uint32_t o_col = in_row / 2 * 4 + in_row % 2 + (row + 1) % 2 * 2;
    ASSERT_TRUE(driver.ask(alice, move_request(row, x_col)).has_update());
    ASSERT_TRUE(driver.ask(bob, move_request(row, o_col)).has_update());
  }
  driver.take(alice);
  driver.post(alice, hint_request());
  driver.take(alice);
  ASSERT_EQ(driver.thoughts.size(), 1u);
  EXPECT_TRUE(driver.thoughts[0].moves->empty());
  EXPECT_EQ(driver.thoughts[0].keep, plies);
  driver.answer_thoughts();
  ASSERT_EQ(driver.thoughts.size(), 2u);
  EXPECT_EQ(driver.thoughts[1].keep, 0u);
  EXPECT_EQ(driver.thoughts[1].moves->size(), plies);
  driver.answer_thoughts();
  ASSERT_EQ(driver.inbox(alice).size(), 1u);
  EXPECT_EQ(driver.inbox(alice)[0].hinted().ply(), plies);
  // From now on the pool knows the game.
  ASSERT_TRUE(driver.ask(alice, move_request(79, 79)).has_update());
  driver.post(alice, hint_request());
  ASSERT_EQ(driver.thoughts.size(), 3u);
  EXPECT_EQ(driver.thoughts[2].moves->size(), 1u);
}

}  // namespace
}  // namespace tictactoe::test::host_thinking_tests
