// A disk that fails. Linux reports what it could not write to one sync, and to none after it.
#include <gmock/gmock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <string>

#include "server/journal/open.hpp"
#include "server/records/sqlite/log.hpp"
#include "tests/support/journal_harness.hpp"
#include "tests/support/temporary_folder.hpp"

namespace {

std::atomic<int> syncs_to_fail = 0;
// Of files whose path ends so.
std::atomic<const char*> file_to_fail = "";
std::atomic<int> syncs_done = 0;  // of such files
std::function<void()> when_one_fails;

bool is_file_to_fail(int file) {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file), error);
  return path.string().ends_with(file_to_fail.load());
}

int sync_unless_failing(long call, int file) {
  if (!is_file_to_fail(file)) return static_cast<int>(::syscall(call, file));
  int left = syncs_to_fail;
  while (left > 0 && !syncs_to_fail.compare_exchange_weak(left, left - 1)) {
  }
  if (left <= 0) {
    ++syncs_done;
    return static_cast<int>(::syscall(call, file));
  }
  if (when_one_fails) when_one_fails();
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

namespace tictactoe::records::store_failed_disk_tests {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;

class FailedDisk : public testing::Test {
 protected:
  ~FailedDisk() override {
    syncs_to_fail = 0;
    file_to_fail = "";
    when_one_fails = nullptr;
  }

  static void fill_log(TestStore& store) {
    while (!store.reader().wants_maintenance()) {
      Batch batch = batch_of({player_record(1, "ann")});
      for (std::uint32_t ply = 1; ply <= 30'000; ++ply) {
        batch.add(move_record(1, ply, ply).SerializeAsString());
      }
      ASSERT_FALSE(store.append(batch));
    }
  }
  // SQLite syncs the database file only if all of the log was moved. What another program reads
  // keeps a part of it there, so it is the log's own sync that fails. Then the program ends:
  // nothing would keep another try from succeeding.
  void fail_the_sync_of_a_part(TestStore& store) {
    SQLite::Database other(folder / "journal.db");
    other.exec("BEGIN");
    ASSERT_EQ(other.execAndGet("SELECT count(*) FROM streams").getInt(), 1);
    for (int page = 0; page <= SqliteLog::last_pages; ++page) ASSERT_TRUE(store.get().own(7));
    file_to_fail = "journal.db";
    syncs_to_fail = 1;
    syncs_done = 0;
    when_one_fails = [&] { other.exec("ROLLBACK"); };
    store.reader().maintain();
    when_one_fails = nullptr;
    ASSERT_EQ(syncs_to_fail, 0);
    EXPECT_EQ(syncs_done, 0) << "another try tells nothing";
  }
  std::uintmax_t log_bytes() const { return std::filesystem::file_size(folder / "journal.db-wal"); }

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
  EXPECT_THAT(told.reason, HasSubstr("a sync to the disk failed"));
  EXPECT_EQ(syncs_to_fail, 0);
  append(journal, moves.next());
  EXPECT_EQ(journal.close(), 2u);
  loop.run_what_is_there();
  EXPECT_FALSE(told.is_durable(2));
  EXPECT_EQ(journal.figures().tries, 2u);
}

TEST_F(FailedDisk, is_known_to_commits_if_it_failed_beside_them) {
  TestStore store(folder / "journal.db");
  ASSERT_NO_FATAL_FAILURE(fill_log(store));
  syncs_to_fail = 1;
  store.reader().maintain();
  EXPECT_FALSE(store.reader().wants_maintenance());
  const auto fault = store.append({player_record(2, "ben")});
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, Fault::Kind::sync_failed);
}

TEST_F(FailedDisk, is_known_to_commits_if_an_import_met_it) {
  TestStore store(folder / "journal.db");
  ASSERT_FALSE(store.append({game_record("ann", "ben")}));
  syncs_to_fail = 1;
  const auto fault = store.get().add_games({});
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, Fault::Kind::sync_failed);
  EXPECT_EQ(store.append({player_record(2, "cat")})->kind, Fault::Kind::sync_failed);
}

// Otherwise the log would begin again, and nothing would have what did not reach the file.
TEST_F(FailedDisk, ends_all_writing_if_it_failed_beside_the_commits) {
  TestStore store(folder / "journal.db");
  ASSERT_NO_FATAL_FAILURE(fill_log(store));
  ASSERT_NO_FATAL_FAILURE(fail_the_sync_of_a_part(store));
  const auto bytes = log_bytes();
  EXPECT_EQ(store.append({player_record(3, "cat")})->kind, Fault::Kind::sync_failed);
  const auto deleted = store.get().delete_games_before(1);
  ASSERT_FALSE(deleted);
  EXPECT_EQ(deleted.error().kind, Fault::Kind::sync_failed);
  ASSERT_FALSE(store.get().compact_all());
  const auto fault = store.get().finish();
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, Fault::Kind::sync_failed);
  EXPECT_EQ(log_bytes(), bytes);
}

TEST_F(FailedDisk, leaves_the_log_if_there_is_nothing_more_to_compact) {
  TestStore store(folder / "journal.db");
  ASSERT_NO_FATAL_FAILURE(fill_log(store));
  ASSERT_TRUE(store.get().compact_all());
  ASSERT_NO_FATAL_FAILURE(fail_the_sync_of_a_part(store));
  const auto bytes = log_bytes();
  const auto fault = store.get().finish();
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, Fault::Kind::sync_failed);
  EXPECT_EQ(log_bytes(), bytes);
}

TEST_F(FailedDisk, is_known_after_the_end_of_a_journal_that_met_it_beside_its_last_commit) {
  TestStore store(folder / "journal.db");
  ASSERT_NO_FATAL_FAILURE(fill_log(store));
  ASSERT_NO_FATAL_FAILURE(fail_the_sync_of_a_part(store));
  const auto bytes = log_bytes();
  Loop loop;
  Told told;
  const StreamPosition position = store.position();
  Journal journal({store.release(), nullptr, local_stream, position},
                  {.queue = {.compact_bytes = std::size_t{1} << 40}}, told.events(), loop.post());
  EXPECT_EQ(journal.close(), 0u);
  EXPECT_EQ(journal.health(), Health::failed);
  loop.run_what_is_there();
  EXPECT_THAT(told.healths, ElementsAre(Health::failed));
  EXPECT_EQ(log_bytes(), bytes);
}

TEST_F(FailedDisk, is_known_after_the_end_of_a_journal_that_met_it_in_its_last_commit) {
  Loop loop;
  Told told;
  Journal journal(open(folder / "journal.db"), {}, told.events(), loop.post());
  append(journal, encoded(player_record(1, "ann")));
  syncs_to_fail = 1;
  EXPECT_EQ(journal.close(), 1u);
  EXPECT_EQ(journal.health(), Health::failed);
  EXPECT_THAT(told.healths, ElementsAre()) << "the loop has ended";
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

// The other program keeps SQLite's index of the log in shared memory, which says what need not be
// written any more.
TEST_F(FailedDisk, keeps_the_next_start_waiting_for_a_program_that_has_read_since) {
  const std::string path = folder / "journal.db";
  std::optional<SQLite::Database> backup;
  {
    TestStore store(path);
    ASSERT_FALSE(store.append({player_record(1, "ann")}));
    backup.emplace(path, SQLite::OPEN_READONLY);
    EXPECT_EQ(backup->execAndGet("SELECT count(*) FROM uncompacted").getInt(), 1);
    syncs_to_fail = 1;
    EXPECT_EQ(store.append({player_record(2, "ben")})->kind, Fault::Kind::sync_failed);
  }
  for (int tries = 0; tries < 2; ++tries) {
    const auto opened = open_store(folder.path(), 20);
    ASSERT_FALSE(opened);
    EXPECT_THAT(opened.error().reason, HasSubstr("another program"));
  }
  backup.reset();
  {
    const auto opened = open_store(folder.path(), 20);
    ASSERT_TRUE(opened) << opened.error().reason;
    EXPECT_GE(opened->saved.players_size(), 1);
    EXPECT_EQ(std::filesystem::file_size(path + "-wal"), 0u);
  }
  backup.emplace(path, SQLite::OPEN_READONLY);
  EXPECT_EQ(backup->execAndGet("SELECT count(*) FROM players").getInt(), 2);
  EXPECT_TRUE(open_store(folder.path(), 20)) << "nothing has failed since";
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
}  // namespace tictactoe::records::store_failed_disk_tests
