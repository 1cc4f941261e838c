// Token buckets, and attempts that cost time.
#include <gtest/gtest.h>

#include "server/base/token_bucket.hpp"
#include "server/limits/attempts.hpp"

namespace tictactoe::server::rates_tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Time start{std::chrono::hours(1)};
constexpr Rate rate{.per_second = 10, .burst = 3};

TEST(TokenBucket, has_a_debt_of_at_most_the_burst) {
  TokenBucket bucket(rate, start);
  bucket.charge(rate, 1'000, start);
  EXPECT_EQ(bucket.wait_for(rate, 1, start), milliseconds(400));
  EXPECT_FALSE(bucket.take(rate, 1, start + milliseconds(399)));
  EXPECT_TRUE(bucket.take(rate, 1, start + milliseconds(400)));
}

TEST(TokenBucket, can_be_charged_as_of_now) {
  TokenBucket bucket(rate, start);
  EXPECT_TRUE(bucket.take(rate, 3, start));
  const Time later = start + std::chrono::hours(1);
  bucket.charge(rate, 2, later);
  EXPECT_TRUE(bucket.take(rate, 1, later));
  EXPECT_FALSE(bucket.take(rate, 1, later));
}

TEST(TokenBucket, a_take_can_be_undone) {
  TokenBucket bucket(rate, start);
  EXPECT_TRUE(bucket.take(rate, 3, start));
  bucket.give_back(rate, 3);
  EXPECT_TRUE(bucket.is_full(rate, start));
  EXPECT_TRUE(bucket.take(rate, 5, start));
  bucket.give_back(rate, 5);
  EXPECT_TRUE(bucket.is_full(rate, start)) << "no more than the burst was taken";
}

TEST(TokenBucket, without_a_burst_is_no_limit) {
  constexpr Rate unlimited;
  TokenBucket bucket(unlimited, start);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(bucket.take(unlimited, 1'000, start));
  bucket.charge(unlimited, 1'000, start);
  EXPECT_TRUE(bucket.take(unlimited, 1, start));
  EXPECT_TRUE(bucket.is_full(unlimited, start));
}

TEST(TokenBucket, is_full_at_first_and_again_after_a_while) {
  TokenBucket bucket(rate, start);
  EXPECT_TRUE(bucket.is_full(rate, start));
  EXPECT_TRUE(bucket.take(rate, 1, start));
  EXPECT_FALSE(bucket.is_full(rate, start + milliseconds(99)));
  EXPECT_TRUE(bucket.is_full(rate, start + milliseconds(100)));
}

TEST(TokenBucket, follows_other_numbers) {
  TokenBucket bucket(rate, start);
  EXPECT_TRUE(bucket.take(rate, 1, start));
  constexpr Rate lower{.per_second = 1, .burst = 1};
  bucket.change(lower);  // two of the three tokens are left, and only one of them stays
  EXPECT_TRUE(bucket.take(lower, 1, start));
  EXPECT_FALSE(bucket.take(lower, 1, start + milliseconds(900)));
  EXPECT_TRUE(bucket.take(lower, 1, start + seconds(1)));
  constexpr Rate larger{.per_second = 1, .burst = 5};
  bucket.change(larger);  // what is missing stays missing
  EXPECT_FALSE(bucket.take(larger, 1, start + seconds(1)));
  bucket.charge(larger, 4, start + seconds(1));
  constexpr Rate unlimited;
  EXPECT_TRUE(bucket.is_full(unlimited, start + seconds(1))) << "even if it was not told yet";
  bucket.change(unlimited);  // and no debt
  EXPECT_TRUE(bucket.has(unlimited, 100, start + seconds(1)));
  EXPECT_TRUE(bucket.take(unlimited, 100, start + seconds(1)));
  constexpr Rate limited{.per_second = 1, .burst = 2};
  bucket.change(limited);
  EXPECT_TRUE(bucket.take(limited, 2, start + seconds(1)));
  EXPECT_FALSE(bucket.take(limited, 1, start + seconds(1)));
}

// How often a password can be tried ---------------------------------------------------------------

constexpr Secret room{Secret::Of::room, 7};
constexpr Origin here{11, 10};

AttemptLimits two_free() {
  AttemptLimits limits;
  limits.free_per_address = 2;
  limits.free_per_network = 4;
  limits.running_per_address = 3;
  limits.running_per_network = 6;
  return limits;
}

/// Tries and fails. Returns the wait if it was not allowed.
std::optional<milliseconds> fail(Attempts& attempts, Time now, Secret secret = room,
                                 Origin from = here) {
  const auto wait = attempts.begin(secret, from, now);
  if (!wait) attempts.failed(secret, from, now);
  return wait;
}

TEST(Attempts, wait_twice_as_long_after_each_failure_over_the_free_ones) {
  AttemptLimits limits = two_free();
  limits.decay = std::chrono::hours(24);
  Attempts attempts(limits);
  Time now = start;
  EXPECT_FALSE(fail(attempts, now));
  EXPECT_FALSE(fail(attempts, now));
  for (const int wait : {1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300}) {
    EXPECT_EQ(fail(attempts, now), seconds(wait));
    now += seconds(wait) - milliseconds(1);
    EXPECT_EQ(fail(attempts, now), milliseconds(1));
    now += milliseconds(1);
    EXPECT_FALSE(fail(attempts, now));
  }
}

TEST(Attempts, count_for_each_secret_alone) {
  Attempts attempts(two_free());
  for (int i = 0; i < 2; ++i) fail(attempts, start);
  EXPECT_TRUE(fail(attempts, start));
  EXPECT_FALSE(fail(attempts, start, {Secret::Of::room, 8}));
  EXPECT_FALSE(fail(attempts, start, {Secret::Of::account, 7}));
}

// Those who watched a room with a password come back together, and it is gone.
TEST(Attempts, at_a_name_are_free_as_long_as_they_may_run_together) {
  Attempts attempts(two_free());
  constexpr Secret name{Secret::Of::name, 7};
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(fail(attempts, start, name));
  EXPECT_EQ(fail(attempts, start, name), seconds(1));
  Attempts usual;
  for (int i = 0; i < 64; ++i) EXPECT_FALSE(fail(usual, start, name));
  EXPECT_EQ(fail(usual, start, name), seconds(1));
  EXPECT_EQ(fail(usual, start, name, {12, 10}), seconds(1)) << "the network has no more";
}

TEST(Attempts, from_another_network_do_not_wait_for_these) {
  Attempts attempts(two_free());
  for (int i = 0; i < 2; ++i) fail(attempts, start);
  EXPECT_FALSE(fail(attempts, start, room, {21, 20}));
}

TEST(Attempts, from_one_network_count_together) {
  Attempts attempts(two_free());
  for (std::uint64_t address = 1; address <= 4; ++address) {
    EXPECT_FALSE(fail(attempts, start, room, {address, 10}));
  }
  EXPECT_EQ(fail(attempts, start, room, {5, 10}), seconds(1));
}

TEST(Attempts, that_succeed_end_the_wait_for_those_after_them) {
  Attempts attempts(two_free());
  for (int i = 0; i < 2; ++i) fail(attempts, start);
  ASSERT_FALSE(attempts.begin(room, here, start + seconds(1)));
  attempts.succeeded(room, here);
  EXPECT_EQ(attempts.size(), 0u);
  EXPECT_FALSE(fail(attempts, start + seconds(1)));
}

TEST(Attempts, that_succeed_excuse_earlier_failures_while_others_run) {
  Attempts attempts(two_free());
  fail(attempts, start);
  for (int i = 0; i < 2; ++i) ASSERT_FALSE(attempts.begin(room, here, start));
  attempts.succeeded(room, here);
  attempts.failed(room, here, start);
  EXPECT_FALSE(fail(attempts, start)) << "one failure is left";
  EXPECT_EQ(fail(attempts, start), seconds(1));
}

TEST(Attempts, run_together_until_too_many_have_failed) {
  Attempts attempts(two_free());
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(attempts.begin(room, here, start));
  EXPECT_EQ(attempts.begin(room, here, start), seconds(1)) << "three are running";
  for (int i = 0; i < 3; ++i) attempts.failed(room, here, start);
  EXPECT_EQ(attempts.begin(room, here, start), seconds(2)) << "all three count";
  const Time later = start + seconds(2);
  EXPECT_FALSE(attempts.begin(room, here, later));
  EXPECT_TRUE(attempts.begin(room, here, later)) << "only one at a time";
}

TEST(Attempts, are_forgotten_one_by_one) {
  using std::chrono::minutes;
  Attempts attempts(two_free());
  for (int i = 0; i < 2; ++i) fail(attempts, start);
  EXPECT_FALSE(fail(attempts, start + minutes(5))) << "one is forgotten";
  EXPECT_EQ(fail(attempts, start + minutes(5)), seconds(1)) << "and not the other";
  // Failures in between do not put off that the next one is forgotten.
  EXPECT_FALSE(fail(attempts, start + minutes(9)));
  EXPECT_EQ(fail(attempts, start + minutes(9)), seconds(2));
  EXPECT_FALSE(fail(attempts, start + minutes(10)));
  const Time later = start + minutes(10) + minutes(15);
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(fail(attempts, later)) << "all are";
  EXPECT_EQ(fail(attempts, later), seconds(1));
}

// Somebody who tries as soon as possible, from as many addresses of a network as that takes.
TEST(Attempts, at_four_digits_are_hopeless) {
  Attempts attempts;
  int tried = 0;
  for (Time now = start; now < start + std::chrono::hours(24); now += seconds(1)) {
    for (std::uint64_t address = 1; address <= 8; ++address) {
      while (!fail(attempts, now, room, {address, 10})) ++tried;
    }
  }
  EXPECT_GE(tried, 288) << "once in five minutes";
  EXPECT_LE(tried, 320) << "3.2 % of 10,000";
}

TEST(Attempts, take_bounded_memory) {
  AttemptLimits limits = two_free();
  limits.remembered = 50;
  Attempts attempts(limits);
  for (std::uint64_t i = 0; i < 1'000; ++i) {
    fail(attempts, start, {Secret::Of::room, i}, {i, i});
    EXPECT_LE(attempts.size(), limits.remembered + 2);
  }
}

TEST(Attempts, that_are_withdrawn_neither_count_nor_excuse) {
  Attempts attempts(two_free());
  EXPECT_FALSE(attempts.begin(room, here, start));
  attempts.withdrawn(room, here);
  EXPECT_EQ(attempts.size(), 0u);
  fail(attempts, start);
  fail(attempts, start);
  EXPECT_TRUE(attempts.begin(room, here, start));
  EXPECT_FALSE(attempts.begin(room, here, start + seconds(1)));
  attempts.withdrawn(room, here);
  EXPECT_EQ(fail(attempts, start + seconds(1)), std::nullopt) << "the wait is over";
  EXPECT_EQ(fail(attempts, start + seconds(1)), seconds(2)) << "and the failures are remembered";
}

}  // namespace
}  // namespace tictactoe::server::rates_tests
