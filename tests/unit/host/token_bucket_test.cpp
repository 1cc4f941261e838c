// The rate limit that requests and discovery queries have to keep.
#include <gtest/gtest.h>

#include "server/core/token_bucket.hpp"

namespace tictactoe::core::token_bucket_tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Time start{std::chrono::hours(1)};
constexpr Rate rate{.per_second = 10, .burst = 3};

TEST(TokenBucket, has_a_debt_of_at_most_the_burst) {
  TokenBucket bucket(rate, start);
  bucket.charge(rate, 1'000);
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
  bucket.charge(unlimited, 1'000);
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
  bucket.charge(larger, 4);
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

}  // namespace
}  // namespace tictactoe::core::token_bucket_tests
