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
#include "tests/support/journal_harness.hpp"
#include "tests/support/temporary_folder.hpp"

namespace {

std::atomic<int> syncs_to_fail = 0;
// Of files whose path ends so.
std::atomic<const char*> file_to_fail = "";
std::atomic<int> syncs_done = 0;  // of such files
std::function<void()> when_one_fails;

std::atomic<bool> cannot_write = false;  // to journal.db; its log is another file

std::string path_of(int file) {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file), error).string();
}

bool is_file_to_fail(int file) {
  return path_of(file).ends_with(file_to_fail.load());
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
extern "C" ssize_t pwrite64(int file, const void* data, size_t size, off64_t at) {
  if (cannot_write && path_of(file).ends_with("/journal.db")) {
    errno = EIO;
    return -1;
  }
  return ::syscall(SYS_pwrite64, file, data, size, at);
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
    cannot_write = false;
  }

  // Commits until SQLite moves the log into the file, which fails. Returns the fault.
  std::optional<Fault> fail_to_move(TestStore& store) {
    file_to_fail = "journal.db";
    syncs_to_fail = 1;
    for (int commit = 0; commit < 100; ++commit) {
      if (auto fault = append_moves(store, commit)) return fault;
    }
    return std::nullopt;
  }
  // The log of some such commits is long enough to be moved.
  static std::optional<Fault> append_moves(TestStore& store, int commit) {
    std::vector<Record> records{room_record(1, "den")};
    for (std::uint32_t ply = 1; ply <= 20'000; ++ply) {
      records.push_back(move_record(1, ply, ply + static_cast<std::uint32_t>(commit)));
    }
    return store.append(records);
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

// Otherwise the log would begin again, and nothing would have what did not reach the file.
TEST_F(FailedDisk, ends_all_writing_if_the_log_could_not_be_moved) {
  TestStore store(folder / "journal.db");
  const auto fault = fail_to_move(store);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, Fault::Kind::sync_failed);
  EXPECT_EQ(syncs_to_fail, 0);
  const auto bytes = log_bytes();
  EXPECT_EQ(store.append({player_record(3, "cat")})->kind, Fault::Kind::sync_failed);
  const auto deleted = store.get().delete_games_before(1);
  ASSERT_FALSE(deleted);
  EXPECT_EQ(deleted.error().kind, Fault::Kind::sync_failed);
  const auto unfinished = store.get().finish();
  ASSERT_TRUE(unfinished);
  EXPECT_EQ(unfinished->kind, Fault::Kind::sync_failed);
  EXPECT_EQ(log_bytes(), bytes);
}

TEST_F(FailedDisk, loses_nothing_of_a_log_that_could_not_be_moved) {
  {
    TestStore store(folder / "journal.db");
    ASSERT_TRUE(fail_to_move(store));
  }
  const auto opened = open_store(folder.path(), 20);
  ASSERT_TRUE(opened) << opened.error().reason;
  ASSERT_EQ(opened->saved.rooms_size(), 1);
  EXPECT_EQ(opened->saved.rooms(0).moves_size(), 20'000);
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
  std::filesystem::copy_file(folder / "journal.db", folder / "alone.db");
  EXPECT_EQ(TestStore(folder / "alone.db").saved().players_size(), opened->saved.players_size());
}

// It keeps the log, which may be there only in memory.
TEST_F(FailedDisk, ends_the_next_start_while_another_program_reads) {
  TestStore store(folder / "journal.db");
  ASSERT_FALSE(store.append({player_record(1, "ann")}));
  SqliteDatabase reader(folder / "journal.db", SQLITE_OPEN_READWRITE);
  reader.run_script("BEGIN");
  EXPECT_EQ(reader.number_of("SELECT count(*) FROM players"), 1u);
  syncs_to_fail = 1;
  EXPECT_EQ(store.append({player_record(2, "ben")})->kind, Fault::Kind::sync_failed);
  store.release();
  const auto opened = open_store(folder.path(), 20);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, Fault::Kind::unusable);
  EXPECT_THAT(opened.error().reason, HasSubstr("another program reads it"));
  reader.run_script("COMMIT");
  EXPECT_TRUE(open_store(folder.path(), 20));
}

// Nobody would notice that the log grows.
TEST_F(FailedDisk, fails_commits_while_the_log_cannot_be_moved) {
  TestStore store(folder / "journal.db");
  cannot_write = true;
  ASSERT_FALSE(append_moves(store, 0)) << "the commit itself is in the log";
  std::optional<Fault> fault;
  for (int commit = 1; commit < 100 && !fault; ++commit) fault = append_moves(store, commit);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, Fault::Kind::unusable);
  EXPECT_THAT(fault->reason, HasSubstr("disk I/O error"));
  const auto bytes = log_bytes();
  EXPECT_TRUE(append_moves(store, 100));
  EXPECT_EQ(log_bytes(), bytes);
  cannot_write = false;
  EXPECT_FALSE(append_moves(store, 100));
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
