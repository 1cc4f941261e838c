// Deadlines and clocks.
#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <set>

#include "server/base/deadlines.hpp"
#include "server/game/game_clock.hpp"

namespace tictactoe::server::deadlines_tests {
namespace {

Deadline at(int milliseconds, std::uint64_t key = 0, Deadline::Kind kind = Deadline::Kind::room) {
  return {Time(std::chrono::milliseconds(milliseconds)), kind, key};
}

TEST(Deadlines, those_of_one_time_come_in_the_order_of_kind_and_key) {
  Deadlines deadlines;
  std::deque<Deadlines::Place> places(4);
  deadlines.set(places[0], at(5, 1));
  deadlines.set(places[1], at(5, 0));
  deadlines.set(places[2], at(5, 9, Deadline::Kind::hello));
  deadlines.set(places[3], at(4, 7));
  std::vector<Deadline> due;
  while (const auto next = deadlines.take_due(Time(std::chrono::milliseconds(5)))) {
    due.push_back(*next);
  }
  const std::vector<Deadline> expected{at(4, 7), at(5, 9, Deadline::Kind::hello), at(5, 0),
                                       at(5, 1)};
  EXPECT_EQ(due, expected);
  EXPECT_TRUE(deadlines.empty());
  for (const Deadlines::Place& place : places) EXPECT_FALSE(place.is_set());
}

TEST(Deadlines, ending_what_is_not_set_and_setting_the_same_again_change_nothing) {
  Deadlines deadlines;
  Deadlines::Place place;
  deadlines.end(place);
  deadlines.set(place, at(3));
  deadlines.set(place, at(3));
  EXPECT_TRUE(deadlines.is(place, at(3)));
  EXPECT_FALSE(deadlines.is(place, at(4)));
  deadlines.end(place);
  deadlines.end(place);
  EXPECT_TRUE(deadlines.empty());
}

TEST(Deadlines, after_any_changes_the_first_is_that_of_an_ordered_set) {
  constexpr std::size_t owners = 40;
  std::mt19937_64 random(1);
  Deadlines deadlines;
  std::deque<Deadlines::Place> places(owners);
  std::set<Deadline> oracle;
  std::vector<Deadline> set(owners);
  for (int step = 0; step < 50'000; ++step) {
    const std::size_t owner = random() % owners;
    oracle.erase(set[owner]);
    if (random() % 3 == 0) {
      deadlines.end(places[owner]);
    } else {
      set[owner] = at(static_cast<int>(random() % 60), owner);
      deadlines.set(places[owner], set[owner]);
      oracle.insert(set[owner]);
    }
    ASSERT_EQ(deadlines.empty(), oracle.empty());
    if (!oracle.empty()) {
      ASSERT_EQ(deadlines.first(), *oracle.begin()) << "step " << step;
    }
    if (random() % 50 != 0) continue;
    const Time now(std::chrono::milliseconds(random() % 60));
    for (std::size_t left = random() % 8; left > 0; --left) {
      const auto due = deadlines.take_due(now);
      ASSERT_EQ(due.has_value(), !oracle.empty() && oracle.begin()->at <= now);
      if (!due) break;
      ASSERT_EQ(*due, *oracle.begin());
      ASSERT_FALSE(places[due->key].is_set());
      oracle.erase(oracle.begin());
    }
  }
}

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
}  // namespace tictactoe::server::deadlines_tests
