#include "server/transport/shell/outbox.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/wire/frame.hpp"

namespace tictactoe::transport::outbox_tests {
namespace {

SpareBuffers buffers;
constexpr Backlogs::Limits plenty{std::size_t{1} << 30, std::size_t{1} << 30};

/// Adds a frame.
bool push(Outbox& outbox, std::string_view prefix, std::string_view body,
          std::uint64_t record = 0) {
  return outbox.push(record, [&](std::string& out) { wire::append_frame(out, prefix, body); });
}

TEST(Outbox, forgets_what_was_sent_however_little_at_a_time) {
  Backlogs backlogs(plenty);
  Outbox outbox(5'000, backlogs, buffers);
  std::string expected;
  for (int i = 0; i < 300; ++i) {
    const std::string body = "body " + std::to_string(i);
    ASSERT_TRUE(push(outbox, "", body));
    wire::append_frame(expected, body);
    // Less is sent than comes in, then all of it.
    const std::size_t count = i % 10 == 9 ? outbox.size() : 3;
    ASSERT_EQ(outbox.ready(), expected);
    outbox.sent(count);
    expected.erase(0, count);
    ASSERT_EQ(outbox.ready(), expected);
  }
}

TEST(Outbox, refuses_what_goes_over_its_limit_and_stays_as_it_was) {
  Backlogs backlogs(plenty);
  Outbox outbox(100, backlogs, buffers);
  ASSERT_TRUE(push(outbox, "", std::string(60, 'a')));
  EXPECT_TRUE(outbox.is_half_full());
  const std::string before(outbox.ready());
  EXPECT_FALSE(push(outbox, "", std::string(60, 'b')));
  EXPECT_EQ(outbox.ready(), before);
  outbox.sent(before.size());
  EXPECT_FALSE(outbox.is_half_full());
  EXPECT_TRUE(push(outbox, "", std::string(60, 'b')));
}

/// Reads everything that is not held.
std::string take_all(Outbox& outbox) {
  std::string all;
  for (std::string_view next; !(next = outbox.ready()).empty(); outbox.sent(next.size())) {
    all += next;
  }
  return all;
}

TEST(Outbox, keeps_its_frames_in_order_however_many_wait) {
  Backlogs backlogs(plenty);
  Outbox outbox(10'000'000, backlogs, buffers);
  std::string expected;
  std::string all;
  for (int i = 0; i < 3'000; ++i) {
    const std::string body =
        std::string(static_cast<std::size_t>(i % 100), 'x') + std::to_string(i);
    ASSERT_TRUE(push(outbox, "", body));
    wire::append_frame(expected, body);
    const std::string_view next = outbox.ready().substr(0, 20);
    all += next;
    outbox.sent(next.size());
  }
  all += take_all(outbox);
  EXPECT_TRUE(all == expected);
}

TEST(Outbox, is_not_counted_unless_its_peer_is_behind) {
  Backlogs backlogs(plenty);
  Outbox outbox(1'000'000, backlogs, buffers);
  ASSERT_TRUE(push(outbox, "", std::string(4'000, 'a')));
  EXPECT_EQ(backlogs.used(), 0u);
  ASSERT_TRUE(push(outbox, "", std::string(4'000, 'b')));
  EXPECT_EQ(backlogs.used(), 2 * Outbox::uncounted_bytes);
  take_all(outbox);
  EXPECT_EQ(backlogs.used(), 0u);
}

// Counting moves a connection in two ordered sets, and an update may go to a thousand of them.
TEST(Outbox, is_counted_in_steps_that_are_never_less_than_what_waits) {
  Backlogs backlogs(plenty);
  Outbox outbox(1'000'000, backlogs, buffers);
  std::size_t before = 0;
  std::size_t changes = 0;
  while (outbox.size() < 100'000) {
    ASSERT_TRUE(push(outbox, "", std::string(50, 'a')));
    if (outbox.size() <= Outbox::uncounted_bytes) continue;
    ASSERT_GE(backlogs.used(), outbox.size());
    // The capacity of the buffer counts, which may be twice its content.
    ASSERT_LE(backlogs.used(), 2 * outbox.size() + Outbox::uncounted_bytes);
    if (std::exchange(before, backlogs.used()) != backlogs.used()) ++changes;
  }
  EXPECT_LE(changes, 100'000 / Outbox::uncounted_bytes + 1);
}

TEST(Outbox, is_counted_with_all_memory_that_it_keeps) {
  Backlogs backlogs(plenty);
  Outbox outbox(1'000'000, backlogs, buffers);
  ASSERT_TRUE(push(outbox, "", std::string(100'000, 'a')));
  outbox.sent(outbox.size() - 1);
  EXPECT_GE(backlogs.used(), 100'000u) << "one byte of it waits, and all of it is kept";
}

TEST(Outbox, is_not_counted_any_more_when_it_is_cleared_or_ends) {
  Backlogs backlogs(plenty);
  Outbox cleared(100'000, backlogs, buffers);
  ASSERT_TRUE(push(cleared, "", std::string(10'000, 'a')));
  cleared.clear();
  EXPECT_EQ(backlogs.used(), 0u);
  std::optional<Outbox> outbox(std::in_place, 100'000, backlogs, buffers);
  ASSERT_TRUE(push(*outbox, "", std::string(10'000, 'a')));
  outbox.reset();
  EXPECT_EQ(backlogs.used(), 0u);
}

// Found by ThreadSanitizer: connections may outlive their server.
TEST(Outbox, may_outlive_the_backlogs_once_it_is_empty) {
  auto backlogs = std::make_unique<Backlogs>(plenty);
  Outbox cleared(100'000, *backlogs, buffers);
  Outbox sent(100'000, *backlogs, buffers);
  ASSERT_TRUE(push(cleared, "", std::string(10'000, 'a')));
  ASSERT_TRUE(push(sent, "", std::string(10'000, 'a')));
  cleared.clear();
  take_all(sent);
  backlogs.reset();
}

TEST(Backlogs, name_the_largest_of_the_address_with_the_most) {
  Backlogs backlogs({100, 60});
  Backlog a1{nullptr, 1};
  Backlog a2{nullptr, 1};
  Backlog b1{nullptr, 2};
  Backlog b2{nullptr, 2};
  backlogs.count(a1, 40);
  EXPECT_EQ(backlogs.too_much(), nullptr);
  backlogs.count(b1, 20);
  backlogs.count(b2, 25);
  EXPECT_EQ(backlogs.too_much(), nullptr);
  backlogs.count(a2, 16);
  EXPECT_EQ(backlogs.too_much(), &a1) << "all together have too much";
  backlogs.count(a1, 0);
  EXPECT_EQ(backlogs.too_much(), nullptr);
  backlogs.count(b1, 36);
  EXPECT_EQ(backlogs.too_much(), &b1) << "one address has too much";
  backlogs.count(a2, 61);
  backlogs.count(a1, 61);
  EXPECT_EQ(backlogs.too_much(), &a2) << "it waits for longer";
  backlogs.count(a1, 0);
  backlogs.count(a2, 16);
  backlogs.count(b1, 35);
  EXPECT_EQ(backlogs.too_much(), nullptr);
  EXPECT_EQ(backlogs.used(), 76u);
  for (Backlog* backlog : {&a2, &b1, &b2}) backlogs.count(*backlog, 0);
  EXPECT_EQ(backlogs.used(), 0u);
}

TEST(Backlogs, name_the_address_that_waits_for_longer_if_two_have_the_same) {
  for (const std::uint64_t first : {1u, 2u}) {
    Backlogs backlogs({100, 100});
    Backlog early{nullptr, first};
    Backlog late{nullptr, 3 - first};
    backlogs.count(early, 30);
    backlogs.count(late, 60);
    backlogs.count(early, 60);
    EXPECT_EQ(backlogs.too_much(), &early);
    backlogs.count(early, 0);
    backlogs.count(late, 0);
  }
}

TEST(Outbox, sends_what_is_first_before_what_is_held) {
  Backlogs backlogs(plenty);
  Outbox outbox(100, backlogs, buffers);
  outbox.push_first("1");
  ASSERT_TRUE(push(outbox, "", "a"));
  ASSERT_TRUE(push(outbox, "", "b", 5));
  outbox.push_first("2");
  EXPECT_EQ(outbox.ready(),
            "1\x01"
            "a2");
  outbox.sent(4);
  outbox.push_first("3");
  EXPECT_EQ(outbox.ready(), "3");
  outbox.release(5);
  EXPECT_EQ(outbox.ready(),
            "3\x01"
            "b");
}

TEST(Outbox, limits_count_what_is_held) {
  Backlogs backlogs(plenty);
  Outbox outbox(100, backlogs, buffers);
  ASSERT_TRUE(push(outbox, "", std::string(60, 'a'), 1));
  EXPECT_FALSE(outbox.empty());
  EXPECT_TRUE(outbox.is_half_full());
  EXPECT_FALSE(push(outbox, "", std::string(60, 'b'), 2));
  outbox.release(1);
  EXPECT_FALSE(outbox.is_held()) << "what was refused is not waited for";
}

TEST(SpareBuffers, lend_what_was_given_back_unless_it_has_grown) {
  SpareBuffers spare;
  SpareBuffers::Buffer first = spare.take();
  const std::string* const lent = first.get();
  first->assign(100, 'x');
  spare.give_back(first);
  SpareBuffers::Buffer again = spare.take();
  EXPECT_EQ(again.get(), lent);
  EXPECT_TRUE(again->empty());
  again->assign(10'000, 'x');
  spare.give_back(again);
  EXPECT_LT(spare.take()->capacity(), 1'000u);
}

// Frames with every pattern of records, written and released in pieces of every size.
TEST(Outbox, never_sends_a_byte_before_its_record_however_it_is_split) {
  struct Frame {
    std::size_t end;
    std::uint64_t record;
  };
  for (unsigned pattern = 0; pattern < 64; ++pattern) {
    for (std::size_t piece = 1; piece <= 13; ++piece) {
      Backlogs backlogs(plenty);
      Outbox outbox(1'000, backlogs, buffers);
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
        ASSERT_TRUE(push(outbox, "", body, record > durable ? record : 0));
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
      ASSERT_FALSE(outbox.is_held());
    }
  }
}

}  // namespace
}  // namespace tictactoe::transport::outbox_tests
