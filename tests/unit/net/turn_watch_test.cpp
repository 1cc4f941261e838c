#include "server/net/turn_watch.hpp"

#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <ctime>
#include <numeric>
#include <string>
#include <vector>

namespace tictactoe::net {
namespace {

using std::chrono::milliseconds;

void use_cpu_time(milliseconds time) {
  const std::clock_t end = std::clock() + CLOCKS_PER_SEC * time.count() / 1'000;
  while (std::clock() < end) {
  }
}

TEST(TurnWatch, reports_long_handlers_that_are_no_events_of_the_shell) {
  std::vector<std::string> reports;
  TurnWatch watch(milliseconds(20), [&](const char* event, std::chrono::microseconds took) {
    EXPECT_GT(took, milliseconds(20));
    reports.emplace_back(event);
  });
  boost::asio::io_context io;
  boost::asio::post(io, [] { use_cpu_time(milliseconds(30)); });
  boost::asio::post(io, [] {});
  boost::asio::post(io, [&] {
    watch.on_event("timer");
    use_cpu_time(milliseconds(30));
  });
  watch.run(io);
  EXPECT_EQ(reports, (std::vector<std::string>{"other", "timer"}));
}

TEST(TurnWatch, counts_how_long_events_of_the_shell_take) {
  TurnWatch watch;
  boost::asio::io_context io;
  boost::asio::post(io, [&] {
    watch.on_event("timer");
    use_cpu_time(milliseconds(30));
  });
  boost::asio::post(io, [] { use_cpu_time(milliseconds(1)); });  // is none
  boost::asio::post(io, [&] { watch.on_event("received"); });
  watch.run(io);
  std::uint64_t count = 0;
  for (const std::uint64_t in_bucket : watch.turns().counts()) count += in_bucket;
  EXPECT_EQ(count, 2U);
  EXPECT_EQ(watch.turns().counts().front(), 1U);
  EXPECT_GE(watch.turns().sum(), milliseconds(29));
}

TEST(TurnWatch, counts_the_cpu_time_of_all_handlers_but_those_that_are_left_out) {
  TurnWatch watch(milliseconds(20), [](const char* /*event*/, std::chrono::microseconds) {});
  boost::asio::io_context io;
  boost::asio::post(io, [] { use_cpu_time(milliseconds(10)); });
  boost::asio::post(io, [&] { watch.on_event("received"); });
  boost::asio::post(io, [&] {
    watch.leave_out();
    use_cpu_time(milliseconds(30));
  });
  watch.run(io);
  const auto& counts = watch.handlers().counts();
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}), 2U);
  EXPECT_GE(watch.handlers().sum(), milliseconds(9));
  EXPECT_LE(watch.handlers().sum(), milliseconds(25));
  const auto& turns = watch.fine_turns().counts();
  EXPECT_EQ(std::accumulate(turns.begin(), turns.end(), std::uint64_t{0}), 1U);
}

TEST(TurnWatch, bounds_of_fine_durations_are_at_most_a_quarter_apart) {
  const auto& bounds = figures::FineDurations::bounds;
  EXPECT_EQ(bounds.front(), std::chrono::microseconds(8));
  EXPECT_GE(bounds.back(), std::chrono::seconds(8));
  for (std::size_t i = 1; i < bounds.size(); ++i) {
    EXPECT_GT(bounds[i], bounds[i - 1]);
    EXPECT_LE(4 * bounds[i], 5 * bounds[i - 1]);
  }
}

TEST(TurnWatch, does_not_add_up_short_handlers) {
  int reports = 0;
  TurnWatch watch(milliseconds(20),
                  [&](const char* /*event*/, std::chrono::microseconds /*took*/) { ++reports; });
  boost::asio::io_context io;
  for (int i = 0; i < 10; ++i) {
    boost::asio::post(io, [] { use_cpu_time(milliseconds(4)); });
  }
  watch.run(io);
  EXPECT_EQ(reports, 0);
}

}  // namespace
}  // namespace tictactoe::net
