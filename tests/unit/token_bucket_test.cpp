// The rate limit that requests and discovery queries have to keep.
#include <gtest/gtest.h>

#include "server/core/token_bucket.hpp"

namespace tictactoe::core {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Time start{std::chrono::hours(1)};

TEST(TokenBucket, allows_a_burst_and_then_the_rate) {
  TokenBucket bucket(10, 3, start);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(bucket.take(1, start));
  EXPECT_FALSE(bucket.take(1, start));
  EXPECT_EQ(bucket.wait_for(1, start), milliseconds(100));
  EXPECT_EQ(bucket.wait_for(2, start), milliseconds(200));
  EXPECT_FALSE(bucket.take(1, start + milliseconds(99)));
  EXPECT_TRUE(bucket.take(1, start + milliseconds(100)));
}

TEST(TokenBucket, never_holds_more_than_the_burst) {
  TokenBucket bucket(10, 3, start);
  const Time later = start + std::chrono::hours(1);
  EXPECT_TRUE(bucket.take(3, later));
  EXPECT_FALSE(bucket.take(1, later));
}

TEST(TokenBucket, a_cost_over_the_burst_takes_all_of_it) {
  TokenBucket bucket(10, 3, start);
  EXPECT_TRUE(bucket.take(8, start));
  EXPECT_EQ(bucket.wait_for(8, start), milliseconds(300));
  EXPECT_FALSE(bucket.take(8, start + milliseconds(299)));
  EXPECT_TRUE(bucket.take(8, start + milliseconds(300)));
}

TEST(TokenBucket, a_refused_request_costs_nothing) {
  TokenBucket bucket(10, 3, start);
  EXPECT_TRUE(bucket.take(2, start));
  EXPECT_FALSE(bucket.take(2, start));
  EXPECT_TRUE(bucket.take(1, start));
}

TEST(TokenBucket, has_a_debt_of_at_most_the_burst) {
  TokenBucket bucket(10, 3, start);
  bucket.charge(1'000);
  EXPECT_EQ(bucket.wait_for(1, start), milliseconds(400));
  EXPECT_FALSE(bucket.take(1, start + milliseconds(399)));
  EXPECT_TRUE(bucket.take(1, start + milliseconds(400)));
}

TEST(TokenBucket, can_be_charged_as_of_now) {
  TokenBucket bucket(10, 3, start);
  EXPECT_TRUE(bucket.take(3, start));
  const Time later = start + std::chrono::hours(1);
  bucket.charge(2, later);
  EXPECT_TRUE(bucket.take(1, later));
  EXPECT_FALSE(bucket.take(1, later));
}

TEST(TokenBucket, a_take_can_be_undone) {
  TokenBucket bucket(10, 3, start);
  EXPECT_TRUE(bucket.take(3, start));
  bucket.give_back(3);
  EXPECT_TRUE(bucket.is_full(start));
  EXPECT_TRUE(bucket.take(5, start));
  bucket.give_back(5);
  EXPECT_TRUE(bucket.is_full(start)) << "no more than the burst was taken";
}

TEST(TokenBucket, without_a_burst_is_no_limit) {
  TokenBucket bucket(0, 0, start);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(bucket.take(1'000, start));
  bucket.charge(1'000);
  EXPECT_TRUE(bucket.take(1, start));
  EXPECT_TRUE(bucket.is_full(start));
}

TEST(TokenBucket, is_full_at_first_and_again_after_a_while) {
  TokenBucket bucket(10, 3, start);
  EXPECT_TRUE(bucket.is_full(start));
  EXPECT_TRUE(bucket.take(1, start));
  EXPECT_FALSE(bucket.is_full(start + milliseconds(99)));
  EXPECT_TRUE(bucket.is_full(start + milliseconds(100)));
}

TEST(TokenBucket, follows_other_numbers) {
  TokenBucket bucket(10, 3, start);
  EXPECT_TRUE(bucket.take(1, start));
  bucket.change(1, 1);  // two of the three tokens are left, and only one of them stays
  EXPECT_TRUE(bucket.take(1, start));
  EXPECT_FALSE(bucket.take(1, start + milliseconds(900)));
  EXPECT_TRUE(bucket.take(1, start + seconds(1)));
  bucket.change(1, 5);  // what is missing stays missing
  EXPECT_FALSE(bucket.take(1, start + seconds(1)));
  bucket.charge(4);
  bucket.change(0, 0);  // no limit, and no debt
  EXPECT_TRUE(bucket.has(100, start + seconds(1)));
  EXPECT_TRUE(bucket.take(100, start + seconds(1)));
  bucket.change(1, 2);
  EXPECT_TRUE(bucket.take(2, start + seconds(1)));
  EXPECT_FALSE(bucket.take(1, start + seconds(1)));
}

}  // namespace
}  // namespace tictactoe::core
