#include "server/cluster/question_queue.hpp"

#include <gtest/gtest.h>

namespace tictactoe::test::question_queue_tests {
namespace {

using server::Origin;
using Queue = cluster::QuestionQueue<int>;

TEST(QuestionQueue, takes_turns_with_a_network_that_floods_it) {
  Queue queue(1'000);
  int flood = 0;
  while (queue.push(Origin{1, 1}, flood)) ++flood;
  EXPECT_EQ(flood, 500);
  ASSERT_TRUE(queue.push(Origin{7, 2}, -1));
  EXPECT_EQ(queue.pop(), 0);
  EXPECT_EQ(queue.pop(), -1);
}

TEST(QuestionQueue, always_takes_what_drops_a_claim_and_asks_it_first) {
  Queue queue(2);
  ASSERT_TRUE(queue.push(Origin{1, 1}, 1));
  ASSERT_FALSE(queue.push(Origin{1, 1}, 2));
  ASSERT_TRUE(queue.push(std::nullopt, 3));
  ASSERT_TRUE(queue.push(std::nullopt, 4));
  EXPECT_EQ(queue.pop(), 3);
  EXPECT_EQ(queue.pop(), 4);
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_EQ(queue.pop(), std::nullopt);
}

}  // namespace
}  // namespace tictactoe::test::question_queue_tests
