// AIs that think for long: lent out, called back, and never played in a position that is gone.
#include <gtest/gtest.h>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test {
namespace {

/// Alice in a room of gomoku, where the AI has just begun to think about its answer to her move.
class ThinkingTest : public testing::Test {
 protected:
  ThinkingTest() {
    driver.thinks = false;
    driver.ask(alice, create_request("den", rules::Rules{15, 15, 5}));
    driver.ask(alice, add_ai_request(v1::MARK_O, "unbeatable"));
    driver.ask(alice, move_request(7, 7));
    driver.take(alice);
    driver.pass(std::chrono::seconds(1));
    EXPECT_EQ(driver.thoughts.size(), 1u);
    EXPECT_TRUE(driver.inbox(alice).empty());
  }
  void answer(rules::Cell cell) {
    driver.host().thought(driver.thoughts.back().id,
                          {core::ThoughtResult::Kind::choice, {cell, false}}, driver.now());
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
  EXPECT_TRUE(driver.ask(alice, hint_request()).has_hinted());
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
  // A new AI thinks anew, with a mind of its own.
  driver.ask(alice, add_ai_request(v1::MARK_O, "unbeatable"));
  driver.pass(std::chrono::seconds(1));
  ASSERT_EQ(driver.thoughts.size(), 2u);
  EXPECT_NE(driver.thoughts[0].player, driver.thoughts[1].player);
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

TEST_F(ThinkingTest, real_answers_make_a_whole_game) {
  for (int ply = 0; ply < 20; ++ply) {
    const core::Think think = driver.thoughts.back();
    const ai::Choice choice = think.player->choose({.nodes = 200});
    driver.host().thought(think.id, choice, driver.now());
    driver.collect();
    const v1::RoomSnapshot room = driver.ask(alice, snapshot_request()).snapshot();
    if (room.phase() == v1::PHASE_FINISHED) return;
    ASSERT_EQ(room.turn(), v1::MARK_X);
    const v1::Cell hint = driver.ask(alice, hint_request()).hinted().cell();
    ASSERT_TRUE(driver.ask(alice, move_request(hint.row(), hint.col())).has_update());
    if (driver.ask(alice, snapshot_request()).snapshot().phase() == v1::PHASE_FINISHED) return;
    driver.pass(std::chrono::seconds(1));
  }
}

}  // namespace
}  // namespace tictactoe::test
