#include "server/net/outbox.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace tictactoe::net {
namespace {

TEST(Outbox, gathers_frames_in_order) {
  OutboxBudget budget{1000};
  Outbox outbox(100, budget);
  EXPECT_TRUE(outbox.empty());
  ASSERT_TRUE(outbox.push("", "ab"));
  ASSERT_TRUE(outbox.push("x", "cd"));
  EXPECT_EQ(outbox.waiting(),
            "\x02"
            "ab\x03"
            "xcd");
  EXPECT_EQ(budget.used, outbox.waiting().size());
}

TEST(Outbox, forgets_what_was_sent_however_little_at_a_time) {
  OutboxBudget budget{10'000};
  Outbox outbox(5'000, budget);
  std::string expected;
  for (int i = 0; i < 300; ++i) {
    const std::string body = "body " + std::to_string(i);
    ASSERT_TRUE(outbox.push("", body));
    wire::append_frame(expected, body);
    // Less is sent than comes in, then all of it.
    const std::size_t count = i % 10 == 9 ? outbox.waiting().size() : 3;
    ASSERT_EQ(outbox.waiting(), expected);
    outbox.sent(count);
    expected.erase(0, count);
    ASSERT_EQ(outbox.waiting(), expected);
    ASSERT_EQ(budget.used, expected.size());
  }
}

TEST(Outbox, refuses_what_goes_over_its_limit_and_stays_as_it_was) {
  OutboxBudget budget{1000};
  Outbox outbox(100, budget);
  ASSERT_TRUE(outbox.push("", std::string(60, 'a')));
  EXPECT_TRUE(outbox.is_half_full());
  const std::string before(outbox.waiting());
  EXPECT_FALSE(outbox.push("", std::string(60, 'b')));
  EXPECT_EQ(outbox.waiting(), before);
  EXPECT_EQ(budget.used, before.size());
  outbox.sent(before.size());
  EXPECT_FALSE(outbox.is_half_full());
  EXPECT_TRUE(outbox.push("", std::string(60, 'b')));
}

TEST(Outbox, where_all_together_are_full_those_that_wait_are_refused_and_others_are_not) {
  OutboxBudget budget{100};
  Outbox slow(1000, budget);
  Outbox brisk(1000, budget);
  ASSERT_TRUE(slow.push("", std::string(95, 'a')));
  EXPECT_FALSE(slow.push("", std::string(20, 'b')));
  EXPECT_TRUE(brisk.push("", std::string(20, 'b')));
}

TEST(Outbox, gives_its_share_back_when_it_ends) {
  OutboxBudget budget{1000};
  std::optional<Outbox> outbox(std::in_place, 100, budget);
  ASSERT_TRUE(outbox->push("", "abc"));
  outbox->sent(1);
  outbox.reset();
  EXPECT_EQ(budget.used, 0u);
}

}  // namespace
}  // namespace tictactoe::net
