#include "server/thinking/thought_times.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace tictactoe::thinking::thought_times_tests {
namespace {

using std::chrono::seconds;
using Time = ThoughtTimes::Time;

TEST(ThoughtTimes, keep_nothing_of_what_is_done) {
  ThoughtTimes times;
  for (std::uint64_t number = 1; number <= 1000; ++number) {
    times.add({7, number}, Time(seconds(600)));
    times.erase({7, number});
  }
  EXPECT_EQ(times.size(), 0u);
  EXPECT_EQ(times.first(), std::nullopt);
  times.erase({7, 1});
}

TEST(ThoughtTimes, are_over_in_their_order) {
  ThoughtTimes times;
  times.add({1, 1}, Time(seconds(3)));
  times.add({2, 1}, Time(seconds(2)));
  times.add({3, 1}, Time(seconds(2)));
  EXPECT_EQ(times.first(), Time(seconds(2)));
  EXPECT_EQ(times.take_due(Time(seconds(1))), std::nullopt);
  EXPECT_EQ(times.take_due(Time(seconds(2))), (core::ThoughtId{2, 1}));
  EXPECT_EQ(times.take_due(Time(seconds(2))), (core::ThoughtId{3, 1}));
  EXPECT_EQ(times.take_due(Time(seconds(2))), std::nullopt);
  EXPECT_EQ(times.size(), 1u);
}

TEST(ThoughtTimes, of_a_room_go_together) {
  ThoughtTimes times;
  for (const std::uint64_t room : {1u, 2u, 3u}) {
    times.add({room, 1}, Time(seconds(1)));
    times.add({room, 2}, Time(seconds(2)));
  }
  times.erase_room(2);
  EXPECT_EQ(times.size(), 4u);
  EXPECT_EQ(times.take_due(Time(seconds(9))), (core::ThoughtId{1, 1}));
  EXPECT_EQ(times.take_due(Time(seconds(9))), (core::ThoughtId{3, 1}));
}

}  // namespace
}  // namespace tictactoe::thinking::thought_times_tests
