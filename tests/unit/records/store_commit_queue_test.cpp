#include "server/journal/commit_queue.hpp"

#include <gtest/gtest.h>

#include <array>

namespace tictactoe::records::store_commit_queue_tests {
namespace {

using namespace std::chrono_literals;
using Work = CommitQueue::Work;

class CommitQueueTest : public testing::Test {
 protected:
  std::uint64_t append(std::string_view record) { return queue.append(std::span(&record, 1)); }
  void append_sealed(std::string_view record) {
    append(record);
    queue.seal();
  }
  Work next() { return queue.next(now); }
  void make(CommitQueue::Settings settings) { queue = CommitQueue(settings, 0, now); }
  int records_in_batch() {
    int count = 0;
    EXPECT_TRUE(for_each_record(queue.batch().bytes(), [&](std::string_view) {
      ++count;
      return true;
    }));
    return count;
  }

  CommitQueue::Time now{1h};
  CommitQueue queue{{}, 0, now};
};

TEST_F(CommitQueueTest, does_nothing_without_records) {
  EXPECT_EQ(next(), Work::none);
  EXPECT_EQ(queue.wake_at(), std::nullopt);
  EXPECT_EQ(queue.health(), Health::good);
  queue.close();
  EXPECT_EQ(next(), Work::finished);
}

TEST_F(CommitQueueTest, continues_the_sequence_of_its_stream) {
  queue = CommitQueue({}, 41, now);
  EXPECT_EQ(append("a"), 42u);
  EXPECT_EQ(queue.durable(), 41u);
  EXPECT_EQ(queue.waiting(), 1u);
  queue.seal();
  ASSERT_EQ(next(), Work::commit);
  EXPECT_EQ(queue.expected_sequence(), 41u);
  EXPECT_EQ(queue.batch_sequence(), 42u);
  queue.committed();
  EXPECT_EQ(queue.durable(), 42u);
}

TEST_F(CommitQueueTest, commits_the_events_of_a_turn_together) {
  append("a");
  append("b");
  EXPECT_EQ(next(), Work::none) << "the turn has not ended";
  queue.seal();
  ASSERT_EQ(next(), Work::commit);
  EXPECT_EQ(records_in_batch(), 2);
}

TEST_F(CommitQueueTest, has_one_batch_under_way_and_gathers_the_next) {
  append_sealed("a");
  ASSERT_EQ(next(), Work::commit);
  append_sealed("b");
  append_sealed("c");
  EXPECT_EQ(next(), Work::none);
  EXPECT_EQ(records_in_batch(), 1);
  queue.committed();
  ASSERT_EQ(next(), Work::commit);
  EXPECT_EQ(records_in_batch(), 2);
  queue.committed();
  EXPECT_EQ(queue.durable(), 3u);
  EXPECT_EQ(next(), Work::none);
}

TEST_F(CommitQueueTest, retries_the_failed_batch_unchanged_after_a_pause) {
  append_sealed("a");
  ASSERT_EQ(next(), Work::commit);
  queue.commit_failed("no disk", now);
  EXPECT_EQ(queue.health(), Health::stalled);
  EXPECT_EQ(queue.reason(), "no disk");
  append_sealed("b");
  EXPECT_EQ(next(), Work::none);
  EXPECT_EQ(queue.wake_at(), now + 1s);
  now += 1s;
  ASSERT_EQ(next(), Work::commit);
  EXPECT_EQ(records_in_batch(), 1);
  EXPECT_EQ(queue.batch_sequence(), 1u);
  queue.committed();
  EXPECT_EQ(queue.health(), Health::good);
  ASSERT_EQ(next(), Work::commit);
  queue.committed();
  EXPECT_EQ(queue.durable(), 2u);
}

TEST_F(CommitQueueTest, is_stalled_until_half_of_what_waits_is_gone) {
  make({.waiting_bytes = 100});
  append_sealed("first");
  ASSERT_EQ(next(), Work::commit);
  append_sealed(std::string(101, 'x'));
  EXPECT_EQ(queue.health(), Health::stalled);
  queue.committed();
  EXPECT_EQ(queue.health(), Health::stalled) << "all of it still waits";
  ASSERT_EQ(next(), Work::commit);
  append_sealed(std::string(49, 'x'));
  queue.committed();
  EXPECT_EQ(queue.health(), Health::good);
}

TEST_F(CommitQueueTest, measures_space_and_warns_in_time) {
  make({.measures_space = true, .low_bytes = 100});
  ASSERT_EQ(next(), Work::measure_space);
  queue.space_measured(99, now);
  EXPECT_EQ(queue.health(), Health::low_space);
  EXPECT_EQ(next(), Work::none);
  EXPECT_EQ(queue.wake_at(), now + 1s) << "by itself, without a record";
  now += 1s;
  ASSERT_EQ(next(), Work::measure_space);
  queue.space_measured(100, now);
  EXPECT_EQ(queue.health(), Health::good);
  EXPECT_EQ(queue.wake_at(), std::nullopt);
}

TEST_F(CommitQueueTest, deletes_old_games_slice_by_slice_between_commits) {
  make({.deletes_games = true, .delete_every = 1h});
  ASSERT_EQ(next(), Work::delete_games);
  append_sealed("a");
  queue.games_deleted(true, now);
  ASSERT_EQ(next(), Work::commit);
  queue.committed();
  ASSERT_EQ(next(), Work::delete_games);
  queue.games_deleted(false, now);
  EXPECT_EQ(next(), Work::none);
  EXPECT_EQ(queue.wake_at(), now + 1h);
}

// The end -----------------------------------------------------------------------------------------

TEST_F(CommitQueueTest, commits_everything_before_it_finishes) {
  append("a");
  queue.close();
  ASSERT_EQ(next(), Work::commit);
  append("b");
  queue.committed();
  ASSERT_EQ(next(), Work::commit);
  queue.committed();
  EXPECT_EQ(next(), Work::finished);
  EXPECT_EQ(queue.waiting(), 0u);
}

TEST_F(CommitQueueTest, tries_once_more_without_a_pause_when_it_is_closed) {
  append_sealed("a");
  ASSERT_EQ(next(), Work::commit);
  queue.commit_failed("no disk", now);
  append("b");
  queue.close();
  ASSERT_EQ(next(), Work::commit);
  queue.committed();
  ASSERT_EQ(next(), Work::commit);
  queue.commit_failed("no disk", now);
  EXPECT_EQ(next(), Work::finished);
  EXPECT_EQ(queue.waiting(), 1u);
}

TEST_F(CommitQueueTest, tries_once_more_if_it_was_closed_during_a_commit_that_fails) {
  append_sealed("a");
  ASSERT_EQ(next(), Work::commit);
  append("b");
  queue.close();
  queue.commit_failed("no disk", now);
  ASSERT_EQ(next(), Work::commit);
  queue.commit_failed("no disk", now);
  EXPECT_EQ(next(), Work::finished);
  EXPECT_EQ(queue.waiting(), 2u);
}

TEST_F(CommitQueueTest, does_no_more_work_once_a_sync_has_failed) {
  append_sealed("a");
  ASSERT_EQ(next(), Work::commit);
  queue.failed("the disk has failed");
  EXPECT_EQ(queue.health(), Health::failed);
  EXPECT_EQ(next(), Work::none);
  EXPECT_EQ(queue.wake_at(), std::nullopt);
  queue.close();
  EXPECT_EQ(next(), Work::finished);
  EXPECT_EQ(queue.waiting(), 1u);
}

TEST_F(CommitQueueTest, does_no_more_work_once_it_is_fenced) {
  append_sealed("a");
  ASSERT_EQ(next(), Work::commit);
  queue.fenced("another server owns it");
  EXPECT_EQ(queue.health(), Health::fenced);
  EXPECT_EQ(queue.reason(), "another server owns it");
  append_sealed("b");
  EXPECT_EQ(next(), Work::none);
  EXPECT_EQ(queue.wake_at(), std::nullopt);
  queue.close();
  EXPECT_EQ(next(), Work::finished);
  EXPECT_EQ(queue.waiting(), 2u);
}

}  // namespace
}  // namespace tictactoe::records::store_commit_queue_tests
