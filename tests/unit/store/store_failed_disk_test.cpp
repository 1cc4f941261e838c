// A disk that fails. Linux reports what it could not write to one sync, and to none after it.
#include <gmock/gmock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "server/store/open.hpp"
#include "tests/support/journal_harness.hpp"
#include "tests/support/temporary_folder.hpp"

namespace {

std::atomic<int> syncs_to_fail = 0;

int sync_unless_failing(long call, int file) {
  int left = syncs_to_fail;
  while (left > 0 && !syncs_to_fail.compare_exchange_weak(left, left - 1)) {
  }
  if (left <= 0) return static_cast<int>(::syscall(call, file));
  errno = EIO;
  return -1;
}

}  // namespace

// Instead of those of the C library, for SQLite as well.
extern "C" int fsync(int file) {
  return sync_unless_failing(SYS_fsync, file);
}
extern "C" int fdatasync(int file) {
  return sync_unless_failing(SYS_fdatasync, file);
}

namespace tictactoe::store::store_failed_disk_tests {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;

class FailedDisk : public testing::Test {
 protected:
  ~FailedDisk() override { syncs_to_fail = 0; }
  TemporaryFolder folder;
};

TEST_F(FailedDisk, ends_a_journal_although_the_next_sync_would_succeed) {
  Loop loop;
  Told told;
  Moves moves;
  Journal journal(open(folder / "journal.db"), {.queue = {.pause = 1ms}}, told.events(),
                  loop.post());
  loop.run_until([&, first = append(journal, moves.next())] { return told.is_durable(first); });
  syncs_to_fail = 1;
  append(journal, moves.next());
  loop.run_until([&] { return !told.healths.empty(); });
  EXPECT_THAT(told.healths, ElementsAre(Health::failed));
  EXPECT_THAT(told.reason, HasSubstr("did not take"));
  EXPECT_EQ(syncs_to_fail, 0);
  append(journal, moves.next());
  EXPECT_EQ(journal.close(), 2u);
  loop.run_what_is_there();
  EXPECT_FALSE(told.is_durable(2));
  EXPECT_EQ(journal.figures().tries, 2u);
}

TEST_F(FailedDisk, is_known_to_commits_if_it_failed_beside_them) {
  TestStore store(folder / "journal.db");
  while (!store.reader().wants_maintenance()) {
    Batch batch = batch_of({player_record(1, "ann")});
    for (std::uint32_t ply = 1; ply <= 30'000; ++ply) {
      batch.add(move_record(1, ply, ply).SerializeAsString());
    }
    ASSERT_FALSE(store.append(batch));
  }
  syncs_to_fail = 1;
  store.reader().maintain();
  EXPECT_FALSE(store.reader().wants_maintenance());
  const auto fault = store.append({player_record(2, "ben")});
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, Fault::Kind::sync_failed);
}

TEST_F(FailedDisk, makes_the_next_start_write_what_the_log_had_to_the_database) {
  {
    TestStore store(folder / "journal.db");
    ASSERT_FALSE(store.append({player_record(1, "ann")}));
    syncs_to_fail = 1;
    EXPECT_EQ(store.append({player_record(2, "ben")})->kind, Fault::Kind::sync_failed);
  }
  const auto opened = open_store(folder.path(), 20);
  ASSERT_TRUE(opened) << opened.error().reason;
  EXPECT_GE(opened->saved.players_size(), 1);
  EXPECT_EQ(std::filesystem::file_size(folder / "journal.db-wal"), 0u);
}

TEST_F(FailedDisk, is_not_used_if_that_fails) {
  {
    ASSERT_FALSE(TestStore(folder / "journal.db").append({player_record(1, "ann")}));
  }
  syncs_to_fail = 1'000;
  const auto opened = open_store(folder.path(), 20);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, Fault::Kind::sync_failed);
}

}  // namespace
}  // namespace tictactoe::store::store_failed_disk_tests
