#include "server/net/turn_queue.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tictactoe::net {
namespace {

struct Steps {
  void push(std::uint64_t network) {
    queue.push(network, StoredHandler([this, network](auto&&...) { done.push_back(network); }));
  }
  boost::asio::io_context io{1};
  TurnQueue queue{io, 4};
  std::vector<std::uint64_t> done;  // networks
};

TEST(TurnQueue, computes_a_few_in_a_turn_and_networks_take_turns) {
  Steps steps;
  for (int i = 0; i < 6; ++i) steps.push(1);
  steps.push(2);
  EXPECT_TRUE(steps.done.empty()) << "not within push()";
  bool others_run = false;
  boost::asio::post(steps.io, [&] { others_run = true; });
  steps.io.poll_one();
  EXPECT_EQ(steps.done, (std::vector<std::uint64_t>{1, 2, 1, 1}));
  steps.io.poll_one();
  EXPECT_TRUE(others_run) << "between two turns";
  steps.io.poll();
  EXPECT_EQ(steps.done.size(), 7u);
}

TEST(TurnQueue, takes_the_next_step_from_within_a_step) {
  Steps steps;
  steps.queue.push(3, StoredHandler([&](auto&&...) { steps.push(3); }));
  steps.io.poll();
  EXPECT_EQ(steps.done, std::vector<std::uint64_t>{3});
}

TEST(TurnQueue, computes_fewer_in_a_turn_if_each_takes_longer) {
  Steps steps;
  steps.queue.set_at_once(1);
  for (int i = 0; i < 3; ++i) steps.push(1);
  steps.io.poll_one();
  EXPECT_EQ(steps.done.size(), 1u);
  steps.io.poll();
  EXPECT_EQ(steps.done.size(), 3u);
}

}  // namespace
}  // namespace tictactoe::net
