#include "server/net/turn_watch.hpp"

#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <ctime>
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
