#include "server/core/game_clock.hpp"

#include <gtest/gtest.h>

namespace tictactoe::core::game_clock_tests {
namespace {

TEST(GameClock, a_move_of_two_months_does_not_wrap) {
  GameClock clock{TimeControl{}};
  clock.run(rules::Mark::x, false, Time{});
  const auto spent = clock.moved(Time{} + std::chrono::hours(24 * 60));
  EXPECT_EQ(milliseconds(spent), 0xFFFF'FFFFu);
  EXPECT_EQ(milliseconds_rounded_up(spent), 0xFFFF'FFFFu);
  EXPECT_EQ(milliseconds(std::chrono::hours(24 * 49)), 49u * 86'400'000u);
  EXPECT_EQ(milliseconds(-std::chrono::seconds(1)), 0u);
  EXPECT_EQ(milliseconds_rounded_up(std::chrono::nanoseconds(1)), 1u);
}

}  // namespace
}  // namespace tictactoe::core::game_clock_tests
