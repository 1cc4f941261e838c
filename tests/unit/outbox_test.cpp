#include "server/net/outbox.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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

// Found by ThreadSanitizer: connections may outlive their server.
TEST(Outbox, may_outlive_its_budget_once_it_is_empty) {
  auto budget = std::make_unique<OutboxBudget>(OutboxBudget{1000});
  Outbox cleared(100, *budget);
  Outbox sent(100, *budget);
  ASSERT_TRUE(cleared.push("", "ab"));
  ASSERT_TRUE(sent.push("", "cd"));
  cleared.clear();
  sent.sent(sent.waiting().size());
  EXPECT_EQ(budget->used, 0u);
  budget.reset();
}

TEST(Outbox, holds_what_waits_for_a_record_and_all_that_comes_after_it) {
  OutboxBudget budget{1000};
  Outbox outbox(100, budget);
  ASSERT_TRUE(outbox.push("", "a"));
  ASSERT_TRUE(outbox.push("", "b", 5));
  ASSERT_TRUE(outbox.push("", "c", 5));
  ASSERT_TRUE(outbox.push("", "d", 9));
  ASSERT_TRUE(outbox.push("", "e"));
  EXPECT_EQ(outbox.waiting().size(), 10u);
  EXPECT_EQ(outbox.ready(),
            "\x01"
            "a");
  outbox.release(4);
  EXPECT_EQ(outbox.ready(),
            "\x01"
            "a");
  outbox.release(5);
  EXPECT_EQ(outbox.ready(),
            "\x01"
            "a"
            "\x01"
            "b"
            "\x01"
            "c");
  EXPECT_TRUE(outbox.is_held());
  outbox.release(8);
  EXPECT_TRUE(outbox.is_held());
  outbox.release(9);
  EXPECT_FALSE(outbox.is_held());
  EXPECT_EQ(outbox.ready(), outbox.waiting());
}

TEST(Outbox, limits_count_what_is_held) {
  OutboxBudget budget{1000};
  Outbox outbox(100, budget);
  ASSERT_TRUE(outbox.push("", std::string(60, 'a'), 1));
  EXPECT_FALSE(outbox.empty());
  EXPECT_TRUE(outbox.is_half_full());
  EXPECT_FALSE(outbox.push("", std::string(60, 'b'), 2));
  EXPECT_EQ(budget.used, outbox.waiting().size());
  outbox.release(1);
  EXPECT_FALSE(outbox.is_held()) << "what was refused is not waited for";
}

// Frames with every pattern of records, written and released in pieces of every size.
TEST(Outbox, never_sends_a_byte_before_its_record_however_it_is_split) {
  struct Frame {
    std::size_t end;
    std::uint64_t record;
  };
  for (unsigned pattern = 0; pattern < 64; ++pattern) {
    for (std::size_t piece = 1; piece <= 13; ++piece) {
      OutboxBudget budget{10'000};
      Outbox outbox(1'000, budget);
      std::vector<Frame> frames;
      std::string all;
      std::string out;
      std::uint64_t durable = 0;
      std::uint64_t record = 0;
      const auto write = [&] {
        const std::size_t count = std::min(piece, outbox.ready().size());
        out += outbox.ready().substr(0, count);
        outbox.sent(count);
        for (const Frame& frame : frames) {
          const std::size_t begin = frame.end - 3;
          if (frame.record > durable) {
            ASSERT_LE(out.size(), begin);
          }
        }
      };
      for (unsigned frame = 0; frame < 6; ++frame) {
        if ((pattern >> frame & 1) != 0) ++record;
        const std::string body{'f', static_cast<char>('0' + frame)};
        ASSERT_TRUE(outbox.push("", body, record > durable ? record : 0));
        wire::append_frame(all, body);
        frames.push_back({all.size(), record});
        write();
        if (frame % 3 == 2) outbox.release(durable = record - (record > durable ? 1 : 0));
      }
      while (durable < record) {
        write();
        outbox.release(++durable);
      }
      while (!outbox.empty()) write();
      ASSERT_EQ(out, all);
      ASSERT_EQ(budget.used, 0u);
      ASSERT_FALSE(outbox.is_held());
    }
  }
}

}  // namespace
}  // namespace tictactoe::net
