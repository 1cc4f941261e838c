#include "server/admin/service_manager.hpp"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <chrono>

namespace tictactoe::admin::service_manager_tests {
namespace {

using std::chrono::milliseconds;

TEST(Watchdog, feeds_several_times_in_each_timeout) {
  boost::asio::io_context io;
  int feeds = 0;
  Watchdog watchdog(io, milliseconds(40), [] { return true; }, [&] { ++feeds; });
  watchdog.start();
  EXPECT_EQ(feeds, 1);
  while (feeds < 5) io.run_one();
  watchdog.stop();
  io.run();
  EXPECT_EQ(feeds, 5);
}

TEST(Watchdog, feeds_nothing_while_something_is_stuck) {
  boost::asio::io_context io;
  int looks = 0;
  int feeds = 0;
  Watchdog watchdog(io, milliseconds(4), [&] { return ++looks > 3; }, [&] { ++feeds; });
  watchdog.start();
  while (looks < 3) io.run_one();
  EXPECT_EQ(feeds, 0);
  while (looks < 5) io.run_one();
  EXPECT_EQ(feeds, 2);
}

TEST(Watchdog, does_nothing_without_a_timeout) {
  boost::asio::io_context io;
  Watchdog watchdog(io, milliseconds(0), [] { return true; }, [] { FAIL(); });
  watchdog.start();
  EXPECT_EQ(io.run(), 0U);
}

TEST(JournalPulse, advances_if_nothing_waits_or_a_commit_has_ended) {
  JournalPulse pulse;
  EXPECT_TRUE(pulse.advance(0, 0));
  EXPECT_TRUE(pulse.advance(3, 1));
  EXPECT_FALSE(pulse.advance(3, 1));
  EXPECT_FALSE(pulse.advance(9, 1));
  EXPECT_TRUE(pulse.advance(9, 2));  // even if it has failed: something is tried
  EXPECT_TRUE(pulse.advance(0, 2));
}

}  // namespace
}  // namespace tictactoe::admin::service_manager_tests
