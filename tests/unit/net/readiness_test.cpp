// Events of many sockets that are ready at once.
#include "server/net/readiness.hpp"

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <chrono>
#include <deque>

namespace tictactoe::net {
namespace {

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
  int turns = 0;
  const auto all_are_told = [&] {
    for (const Slow& socket : sockets) {
      if (socket.told == 0) return false;
    }
    return true;
  };
  while (!all_are_told()) {
    ASSERT_EQ(io.run_one(), 1u);
    ++turns;
  }
  EXPECT_GE(turns, 25) << "a turn takes few of them";
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
  int turns = 0;
  // The system tells 256 of them in each turn.
  for (; before_all.told + after_all.told < 2; ++turns) ASSERT_EQ(io.run_one(), 1u);
  EXPECT_LE(turns, 6);
  while (!crowd.back().told) ASSERT_EQ(io.run_one(), 1u);
  for (const Slow& socket : crowd) EXPECT_EQ(socket.told, 1);
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
}  // namespace tictactoe::net
