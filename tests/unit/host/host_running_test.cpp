// Games in progress: when they count as such, what a stalled disk does to their clocks, and how a
// move names its position.
#include "tests/support/two_players.hpp"

namespace tictactoe::test::host_running_tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using v1::Error;

class RunningTest : public TwoPlayersTest {
 protected:
  void begin(std::uint32_t game_ms = 0, v1::AwayPolicy away = v1::AWAY_FORFEIT) {
    v1::ClientMessage request = create_request("den", rules::Rules{5, 5, 4});
    request.mutable_create_room()->mutable_options()->mutable_time()->set_game_ms(game_ms);
    request.mutable_create_room()->mutable_options()->set_away(away);
    driver.ask(alice, request);
    driver.ask(bob, join_request("den"));
  }
  void record_as(core::Recording recording) {
    driver.host().recording(recording, driver.now());
    driver.collect();
  }
  static v1::ClientMessage move_at(std::uint32_t row, std::uint32_t col, std::uint32_t ply,
                                   std::uint32_t takebacks) {
    v1::ClientMessage request = move_request(row, col);
    request.mutable_move()->set_game(1);
    request.mutable_move()->set_ply(ply);
    request.mutable_move()->set_takebacks(takebacks);
    return request;
  }
};

// Clocks and stalls -------------------------------------------------------------------------------

TEST_F(RunningTest, a_stall_costs_no_time_also_if_somebody_disconnects_in_it) {
  begin(60'000);
  driver.ask(alice, move_request(0, 0));
  driver.pass(seconds(2));
  record_as(core::Recording::stalled);
  driver.pass(seconds(10));
  driver.disconnect(alice);
  driver.pass(seconds(10));
  EXPECT_EQ(room().clocks().o_ms(), 58'000u) << "no time passes";
  record_as(core::Recording::good);
  EXPECT_EQ(room().clocks().o_ms(), 58'000u);
  driver.pass(seconds(3));
  EXPECT_EQ(room().clocks().o_ms(), 55'000u);
}

TEST_F(RunningTest, a_stall_does_not_shorten_the_time_that_a_seat_is_held) {
  begin();
  driver.ask(alice, move_request(0, 0));
  record_as(core::Recording::stalled);
  driver.pass(seconds(100));
  driver.disconnect(alice);
  driver.pass(seconds(100));
  record_as(core::Recording::good);
  EXPECT_EQ(room().x().away_ms_left(), 120'000u);
  driver.pass(seconds(119));
  EXPECT_TRUE(room().x().away());
  driver.pass(seconds(1));
  EXPECT_EQ(room().outcome().reason(), v1::Outcome::REASON_FORFEIT);
}

// Games without a mark ----------------------------------------------------------------------------

TEST_F(RunningTest, draining_waits_for_a_game_that_has_no_mark_yet) {
  begin();
  driver.host().drain(seconds(60), driver.now());
  driver.collect();
  EXPECT_FALSE(driver.host().is_drained(driver.now()));
  EXPECT_TRUE(driver.ask(alice, move_request(0, 0)).has_update());
  driver.ask(bob, resign_request());
  EXPECT_TRUE(driver.host().is_drained(driver.now()));
}

TEST_F(RunningTest, draining_does_not_wait_for_an_opponent) {
  driver.ask(alice, create_request("den"));
  driver.host().drain(seconds(60), driver.now());
  EXPECT_TRUE(driver.host().is_drained(driver.now()));
}

TEST_F(RunningTest, a_seat_is_held_for_long_in_a_game_that_has_no_mark_yet) {
  begin(0, v1::AWAY_HOLD);
  driver.disconnect(alice);
  driver.pass(seconds(1'000));
  EXPECT_TRUE(room().x().away());
}

TEST_F(RunningTest, a_game_resigned_before_its_first_mark_is_counted_and_recorded) {
  begin();
  driver.ask(alice, resign_request());
  EXPECT_EQ(room().score().o(), 1u);
  int recorded = 0;
  for (const journal::v1::Record& record : driver.records) {
    if (!record.has_game_finished()) continue;
    ++recorded;
    EXPECT_EQ(record.game_finished().moves_size(), 0);
    EXPECT_EQ(record.game_finished().outcome().winner(), v1::MARK_O);
  }
  EXPECT_EQ(recorded, 1);
}

// Positions ---------------------------------------------------------------------------------------

TEST_F(RunningTest, a_takeback_is_counted) {
  begin();
  driver.ask(alice, move_request(0, 0));
  driver.ask(alice, takeback_request());
  EXPECT_EQ(driver.ask(bob, takeback_request()).update().taken_back().takebacks(), 1u);
  EXPECT_EQ(room().takebacks(), 1u);
  EXPECT_EQ(driver.records.back().room().takebacks(), 1u);
  driver.ask(bob, resign_request());
  driver.ask(bob, rematch_request());
  driver.ask(alice, rematch_request());
  EXPECT_EQ(room().takebacks(), 0u) << "in this game";
}

TEST_F(RunningTest, a_move_that_was_taken_back_is_not_played_again_by_its_retry) {
  begin();
  const v1::ClientMessage move = move_at(0, 0, 0, 0);
  EXPECT_TRUE(driver.ask(alice, move).has_update());
  EXPECT_TRUE(driver.ask(alice, move).has_snapshot()) << "done already";
  driver.ask(alice, takeback_request());
  driver.ask(bob, takeback_request());
  const v1::Error error = driver.ask(alice, move).error();
  EXPECT_EQ(error.code(), Error::CODE_STALE_MOVE);
  EXPECT_EQ(error.state().takebacks(), 1u);
  EXPECT_EQ(room().moves_size(), 0);
  EXPECT_TRUE(driver.ask(alice, move_at(0, 0, 0, 1)).has_update());
}

TEST_F(RunningTest, a_move_that_a_later_takeback_left_on_the_board_stays_done) {
  begin();
  const v1::ClientMessage move = move_at(0, 0, 0, 0);
  driver.ask(alice, move);
  driver.ask(bob, move_request(1, 1));
  driver.ask(bob, takeback_request());
  driver.ask(alice, takeback_request());
  EXPECT_EQ(room().moves_size(), 1);
  EXPECT_TRUE(driver.ask(alice, move).has_snapshot());
}

TEST_F(RunningTest, a_client_that_counts_no_takebacks_plays_on) {
  begin();
  driver.ask(alice, move_request(0, 0));
  driver.ask(alice, takeback_request());
  driver.ask(bob, takeback_request());
  v1::ClientMessage move = move_request(2, 2);
  move.mutable_move()->set_game(1);
  move.mutable_move()->set_ply(0);
  EXPECT_TRUE(driver.ask(alice, move).has_update());
}

}  // namespace
}  // namespace tictactoe::test::host_running_tests
