// Slices of the loop: who gets one, and how long it takes.
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <chrono>
#include <ctime>
#include <deque>
#include <numeric>
#include <string>
#include <vector>

#include "server/transport/shell/slice_queue.hpp"
#include "server/transport/shell/slice_watch.hpp"
#include "server/transport/tcp/readiness.hpp"

namespace tictactoe::transport::slices_tests {
namespace {

struct Steps {
  void push(std::uint64_t network) {
    queue.push(network, [this, network] { done.push_back(network); });
  }
  boost::asio::io_context io{1};
  SliceQueue queue{io, 4};
  std::vector<std::uint64_t> done;  // networks
};

TEST(SliceQueue, computes_a_few_in_a_slice_and_networks_take_turns) {
  Steps steps;
  for (int i = 0; i < 6; ++i) steps.push(1);
  steps.push(2);
  EXPECT_TRUE(steps.done.empty()) << "not within push()";
  bool others_run = false;
  boost::asio::post(steps.io, [&] { others_run = true; });
  steps.io.poll_one();
  EXPECT_EQ(steps.done, (std::vector<std::uint64_t>{1, 2, 1, 1}));
  steps.io.poll_one();
  EXPECT_TRUE(others_run) << "between two slices";
  steps.io.poll();
  EXPECT_EQ(steps.done.size(), 7u);
}

TEST(SliceQueue, takes_the_next_step_from_within_a_step) {
  Steps steps;
  steps.queue.push(3, [&] { steps.push(3); });
  steps.io.poll();
  EXPECT_EQ(steps.done, std::vector<std::uint64_t>{3});
}

TEST(SliceQueue, computes_fewer_in_a_slice_if_each_takes_longer) {
  Steps steps;
  steps.queue.set_at_once(1);
  for (int i = 0; i < 3; ++i) steps.push(1);
  steps.io.poll_one();
  EXPECT_EQ(steps.done.size(), 1u);
  steps.io.poll();
  EXPECT_EQ(steps.done.size(), 3u);
}

using std::chrono::milliseconds;

void use_cpu_time(milliseconds time) {
  const std::clock_t end = std::clock() + CLOCKS_PER_SEC * time.count() / 1'000;
  while (std::clock() < end) {
  }
}

TEST(SliceWatch, reports_long_handlers_that_are_no_events_of_the_shell) {
  std::vector<std::string> reports;
  SliceWatch watch(milliseconds(20), [&](const char* event, std::chrono::microseconds took) {
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

TEST(SliceWatch, counts_how_long_events_of_the_shell_take) {
  SliceWatch watch;
  boost::asio::io_context io;
  boost::asio::post(io, [&] {
    watch.on_event("timer");
    use_cpu_time(milliseconds(30));
  });
  boost::asio::post(io, [] { use_cpu_time(milliseconds(1)); });  // is none
  boost::asio::post(io, [&] { watch.on_event("received"); });
  watch.run(io);
  std::uint64_t count = 0;
  for (const std::uint64_t in_bucket : watch.slices().counts()) count += in_bucket;
  EXPECT_EQ(count, 2U);
  EXPECT_EQ(watch.slices().counts().front(), 1U);
  EXPECT_GE(watch.slices().sum(), milliseconds(29));
}

TEST(SliceWatch, counts_the_cpu_time_of_all_handlers_but_those_that_are_left_out) {
  SliceWatch watch(milliseconds(20), [](const char* /*event*/, std::chrono::microseconds) {});
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
  const auto& slices = watch.fine_slices().counts();
  EXPECT_EQ(std::accumulate(slices.begin(), slices.end(), std::uint64_t{0}), 1U);
}

TEST(SliceWatch, bounds_of_fine_durations_are_at_most_a_quarter_apart) {
  const auto& bounds = figures::FineDurations::bounds;
  EXPECT_EQ(bounds.front(), std::chrono::microseconds(8));
  EXPECT_GE(bounds.back(), std::chrono::seconds(8));
  for (std::size_t i = 1; i < bounds.size(); ++i) {
    EXPECT_GT(bounds[i], bounds[i - 1]);
    EXPECT_LE(4 * bounds[i], 5 * bounds[i - 1]);
  }
}

TEST(SliceWatch, does_not_add_up_short_handlers) {
  int reports = 0;
  SliceWatch watch(milliseconds(20),
                   [&](const char* /*event*/, std::chrono::microseconds /*took*/) { ++reports; });
  boost::asio::io_context io;
  for (int i = 0; i < 10; ++i) {
    boost::asio::post(io, [] { use_cpu_time(milliseconds(4)); });
  }
  watch.run(io);
  EXPECT_EQ(reports, 0);
}

// Events of many sockets that are ready at once.

using std::chrono::milliseconds;

// Is ready from the beginning, and takes some time when it is told.
class Slow final : public ReadinessHandler {
 public:
  explicit Slow(Readiness& readiness, std::uint64_t network = 0)
      : ReadinessHandler(network), readiness_(readiness), socket_(::eventfd(1, 0)) {
    EXPECT_TRUE(readiness_.watch(socket_, *this));
  }
  ~Slow() override {
    readiness_.unwatch(socket_, *this);
    ::close(socket_);
  }
  Slow(const Slow&) = delete;
  Slow& operator=(const Slow&) = delete;

  void on_ready(std::uint32_t /*events*/) override {
    ++told;
    const auto end = std::chrono::steady_clock::now() + milliseconds(1);
    while (std::chrono::steady_clock::now() < end) {
    }
  }

  int told = 0;

 private:
  Readiness& readiness_;
  int socket_;
};

TEST(Readiness, of_many_sockets_lets_others_have_their_turns) {
  boost::asio::io_context io;
  Readiness readiness(io);
  std::deque<Slow> sockets;
  for (int i = 0; i < 100; ++i) sockets.emplace_back(readiness);
  int slices = 0;
  const auto all_are_told = [&] {
    for (const Slow& socket : sockets) {
      if (socket.told == 0) return false;
    }
    return true;
  };
  while (!all_are_told()) {
    ASSERT_EQ(io.run_one(), 1u);
    ++slices;
  }
  EXPECT_GE(slices, 25) << "a slice takes few of them";
  for (const Slow& socket : sockets) EXPECT_EQ(socket.told, 1);
}

TEST(Readiness, of_many_networks_is_told_in_turns) {
  boost::asio::io_context io;
  Readiness readiness(io);
  std::deque<Slow> crowd;
  for (int i = 0; i < 600; ++i) crowd.emplace_back(readiness, i % 2);
  ASSERT_EQ(io.run_one(), 1u);
  // One that is told late by the system, and one that becomes ready when the crowd is waiting.
  Slow before_all(readiness, 2);
  ASSERT_EQ(io.run_one(), 1u);
  Slow after_all(readiness, 1'000);
  int slices = 0;
  // The system tells 256 of them in each slice.
  for (; before_all.told + after_all.told < 2; ++slices) ASSERT_EQ(io.run_one(), 1u);
  EXPECT_LE(slices, 6);
  while (!crowd.back().told) ASSERT_EQ(io.run_one(), 1u);
  for (const Slow& socket : crowd) EXPECT_EQ(socket.told, 1);
}

TEST(Readiness, is_told_again_in_a_later_turn_if_asked_for) {
  boost::asio::io_context io;
  Readiness readiness(io);
  Slow socket(readiness);
  Slow other(readiness, 1);
  while (other.told == 0) io.run_one();
  EXPECT_EQ(socket.told, 1);
  readiness.report_again(socket, EPOLLIN);
  readiness.report_again(socket, EPOLLOUT);
  EXPECT_EQ(socket.told, 1) << "not at once";
  io.run_one();
  EXPECT_EQ(socket.told, 2);
  io.poll();
  EXPECT_EQ(socket.told, 2);
  EXPECT_EQ(other.told, 1);
}

TEST(Readiness, of_sockets_that_are_gone_is_not_told_in_a_later_turn) {
  boost::asio::io_context io;
  Readiness readiness(io);
  std::deque<Slow> sockets;
  for (int i = 0; i < 100; ++i) sockets.emplace_back(readiness);
  ASSERT_EQ(io.run_one(), 1u);
  sockets.clear();
  io.run();
}

}  // namespace
}  // namespace tictactoe::transport::slices_tests
