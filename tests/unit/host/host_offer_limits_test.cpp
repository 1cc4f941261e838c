// How often a side may offer a draw or ask for a takeback.
#include <gmock/gmock.h>

#include "tests/support/timed_room.hpp"

namespace tictactoe::test::host_offer_limits_tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;
using v1::Error;

using OfferLimitsTest = TimedRoomTest;

TEST_F(OfferLimitsTest, a_loop_of_offers_and_withdrawals_is_stopped) {
  begin();
  for (int i = 0; i < 100; ++i) {
    driver.ask(alice, draw_request());
    driver.ask(alice, decline_request());
  }
  driver.ask(bob, snapshot_request());
  EXPECT_LE(driver.take_updates(bob).size(), 2u);
  EXPECT_THAT(driver.ask(alice, draw_request()).error().message(), HasSubstr("once per move"));
}

TEST_F(OfferLimitsTest, a_draw_can_be_offered_once_per_own_move) {
  begin();
  driver.ask(alice, draw_request());
  driver.ask(alice, move_request(0, 0));
  driver.ask(alice, draw_request());
  ASSERT_EQ(room().draw_offered_by(), v1::MARK_X);
  driver.ask(bob, move_request(1, 1));
  EXPECT_EQ(refusal(alice, draw_request()), Error::CODE_NOT_ALLOWED) << "bob's move was an answer";
  driver.ask(alice, move_request(0, 1));
  EXPECT_TRUE(driver.ask(alice, draw_request()).update().has_draw_offered());
}

TEST_F(OfferLimitsTest, a_side_waits_after_no_also_if_it_moves_fast) {
  begin();
  driver.ask(alice, draw_request());
  driver.ask(bob, decline_request());
  driver.ask(alice, move_request(0, 0));
  driver.pass(milliseconds(9'999));
  EXPECT_THAT(driver.ask(alice, draw_request()).error().message(), HasSubstr("Wait 1 s"));
  EXPECT_EQ(refusal(alice, takeback_request()), Error::CODE_NOT_ALLOWED);
  EXPECT_TRUE(driver.ask(bob, draw_request()).update().has_draw_offered()) << "he has not asked";
  driver.ask(alice, decline_request());
  driver.pass(milliseconds(1));
  EXPECT_TRUE(driver.ask(alice, draw_request()).update().has_draw_offered());
}

TEST_F(OfferLimitsTest, an_offer_can_always_be_accepted) {
  begin();
  driver.ask(alice, draw_request());
  driver.ask(bob, decline_request());
  driver.ask(bob, draw_request());
  EXPECT_TRUE(driver.ask(alice, draw_request()).update().has_game_ended());
}

TEST_F(OfferLimitsTest, a_takeback_can_be_asked_for_once_per_own_move) {
  begin();
  driver.ask(alice, move_request(0, 0));
  driver.ask(alice, takeback_request());
  driver.ask(bob, decline_request());
  driver.pass(seconds(10));
  EXPECT_EQ(refusal(alice, takeback_request()), Error::CODE_NOT_ALLOWED);
  driver.ask(bob, move_request(1, 1));
  driver.ask(alice, move_request(0, 1));
  EXPECT_TRUE(driver.ask(alice, takeback_request()).update().has_takeback_asked());
}

TEST_F(OfferLimitsTest, moves_can_be_taken_back_one_after_the_other) {
  begin();
  driver.ask(alice, move_request(0, 0));
  driver.ask(bob, move_request(1, 1));
  driver.ask(alice, move_request(0, 1));
  for (const std::uint32_t ply : {2u, 0u}) {
    driver.ask(alice, takeback_request());
    EXPECT_EQ(driver.ask(bob, takeback_request()).update().taken_back().ply(), ply);
  }
}

TEST_F(OfferLimitsTest, an_ai_is_asked_for_a_draw_once_per_move_too) {
  driver.ask(alice, create_request("den"));
  driver.ask(alice, add_ai_request(v1::MARK_O));
  driver.ask(alice, draw_request());
  EXPECT_EQ(refusal(alice, draw_request()), Error::CODE_NOT_ALLOWED);
}

TEST_F(OfferLimitsTest, a_rematch_is_asked_for_once_per_game) {
  begin();
  driver.ask(alice, resign_request());
  driver.take(bob);
  for (int i = 0; i < 10; ++i) {
    driver.ask(alice, rematch_request());
    driver.ask(alice, decline_request());
  }
  driver.ask(bob, snapshot_request());
  EXPECT_EQ(driver.take_updates(bob).size(), 1u);
}

TEST_F(OfferLimitsTest, the_next_game_allows_all_again) {
  begin();
  driver.ask(alice, draw_request());
  driver.ask(bob, decline_request());
  driver.ask(bob, resign_request());
  driver.ask(alice, rematch_request());
  driver.ask(bob, rematch_request());
  EXPECT_TRUE(driver.ask(alice, draw_request()).update().has_draw_offered());
}

}  // namespace
}  // namespace tictactoe::test::host_offer_limits_tests
