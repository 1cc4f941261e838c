#include "client/text/time.hpp"

#include <gtest/gtest.h>

#include "client/session/retry_plan.hpp"

namespace tictactoe::client {
namespace {

TEST(Duration, is_read) {
  EXPECT_EQ(parse_duration("30s"), 30'000U);
  EXPECT_EQ(parse_duration("5m"), 300'000U);
  EXPECT_EQ(parse_duration("1h30m"), 5'400'000U);
  EXPECT_EQ(parse_duration("2D"), 172'800'000U);
  EXPECT_EQ(parse_duration("1d2h3m4s"), 93'784'000U);
  EXPECT_EQ(parse_duration("90s"), 90'000U);
  EXPECT_EQ(parse_duration("0s"), 0U);
}

TEST(Duration, other_text_is_refused) {
  for (const char* text : {"", "5", "m", "5x", "5m3", "3s5m", "5m5m", "-5m", "5.5m", " 5m", "5m ",
                           "5 m", "4294967296s", "50d", "99999999999999999999s"}) {
    EXPECT_FALSE(parse_duration(text)) << text;
  }
  EXPECT_TRUE(parse_duration("49d"));
}

TEST(Duration, is_told_in_words) {
  EXPECT_EQ(duration_text(milliseconds(0)), "0 s");
  EXPECT_EQ(duration_text(milliseconds(-5)), "0 s");
  EXPECT_EQ(duration_text(milliseconds(480)), "0.5 s");
  EXPECT_EQ(duration_text(milliseconds(9'960)), "10.0 s");
  EXPECT_EQ(duration_text(milliseconds(15'000)), "15 s");
  EXPECT_EQ(duration_text(milliseconds(60'000)), "1 min");
  EXPECT_EQ(duration_text(milliseconds(90'000)), "1 min 30 s");
  EXPECT_EQ(duration_text(milliseconds(7'200'000)), "2 h");
  EXPECT_EQ(duration_text(milliseconds(90'000'000)), "1 day 1 h");
  EXPECT_EQ(duration_text(milliseconds(2'592'000'000)), "30 days");
}

TEST(Clock, is_shown_in_whole_seconds_that_have_begun) {
  EXPECT_EQ(clock_text(milliseconds(0)), "0:00");
  EXPECT_EQ(clock_text(milliseconds(-1'000)), "0:00");
  EXPECT_EQ(clock_text(milliseconds(1)), "0:01");
  EXPECT_EQ(clock_text(milliseconds(271'001)), "4:32");
  EXPECT_EQ(clock_text(milliseconds(300'000)), "5:00");
  EXPECT_EQ(clock_text(milliseconds(3'723'000)), "1:02:03");
  EXPECT_EQ(clock_text(milliseconds(4'294'967'295)), "1193:02:48");
}

TEST(Retry, never_means_never) {
  RetryPlan plan(std::chrono::seconds(0), 1);
  EXPECT_FALSE(plan.next(Time()));
}

TEST(Retry, differs_from_seed_to_seed) {
  RetryPlan one(std::chrono::seconds(60), 1);
  RetryPlan other(std::chrono::seconds(60), 2);
  EXPECT_NE(one.next(Time()), other.next(Time()));
}

}  // namespace
}  // namespace tictactoe::client
