#include "server/records/sqlite/store.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>
#include <initializer_list>
#include <set>
#include <string_view>
#include <vector>

#include "server/journal/open.hpp"
#include "server/records/rows.hpp"
#include "server/records/sqlite/log.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_store.hpp"

namespace tictactoe::records::store_sqlite_tests {
namespace {

using namespace test;
using testing::HasSubstr;

std::unique_ptr<TestStore> open(const std::string& path, SqliteStore::Settings settings = {}) {
  return std::make_unique<TestStore>(path, std::move(settings));
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(SqliteStore, fences_a_large_batch_as_a_whole) {
  TemporaryFolder folder;
  const auto first = open(folder / "journal.db", {.step_bytes = 50});
  const auto second = open(folder / "journal.db");
  std::vector<Record> many;
  for (std::uint64_t id = 1; id < 100; ++id) many.push_back(player_record(id, "ann"));
  EXPECT_TRUE(first->append(many));
  EXPECT_EQ(second->saved().players_size(), 0);
}

// Transactions ------------------------------------------------------------------------------------

TEST(SqliteStore, refuses_batches_on_a_full_disk_until_there_is_space) {
  TemporaryFolder folder;
  const auto database = open(folder / "journal.db");
  ASSERT_FALSE(database->append(batch_of({room_record(1, "den")})));
  database->get().limit_pages(1);  // SQLite takes this as: no more than there are now
  std::vector<Record> many{player_record(1, "ann")};
  for (std::uint32_t ply = 1; ply < 2000; ++ply) many.push_back(move_record(1, ply, ply));
  for (int tries = 0; tries < 3; ++tries) {
    const auto fault = database->append(batch_of(many));
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, Fault::Kind::unusable);
    EXPECT_THAT(fault->reason, HasSubstr("full"));
    EXPECT_EQ(database->saved().players_size(), 0);
    EXPECT_EQ(database->saved().rooms(0).moves_size(), 0);
  }
  database->get().limit_pages(1'000'000);
  ASSERT_FALSE(database->append(batch_of(many)));
  EXPECT_EQ(open(folder / "journal.db")->saved().rooms(0).moves_size(), 1999);
}

// The log -----------------------------------------------------------------------------------------

class SqliteLogTest : public testing::Test {
 protected:
  /// A commit that takes some 13 bytes of the log for each move.
  void append(std::uint32_t moves) {
    Batch batch = batch_of({player_record(1, "ann")});
    for (std::uint32_t ply = 1; ply <= moves; ++ply) {
      batch.add(move_record(1, ply, ply).SerializeAsString());
    }
    ASSERT_FALSE(database->append(batch));
  }
  void fill() {
    while (!reader->wants_maintenance()) ASSERT_NO_FATAL_FAILURE(append(30'000));
  }
  std::uintmax_t log_bytes() const { return std::filesystem::file_size(folder / "journal.db-wal"); }
  /// What is written from now on can't be moved until this other program has ended.
  std::unique_ptr<SQLite::Database> reading_program() {
    auto other = std::make_unique<SQLite::Database>(folder / "journal.db");
    other->exec("BEGIN");
    EXPECT_EQ(other->execAndGet("SELECT count(*) FROM streams").getInt(), 1);
    return other;
  }

  static constexpr std::uintmax_t bytes_at_once = std::uintmax_t{4096} * SqliteLog::pages_at_once;
  TemporaryFolder folder;
  std::unique_ptr<TestStore> database = open(folder / "journal.db");
  std::unique_ptr<RecordReader> reader = *database->get().open_reader();
};

// A commit that makes the file longer waits for the file system's own journal.
TEST_F(SqliteLogTest, is_shorter_than_its_file_when_commits_come) {
  append(1);
  std::set<std::uintmax_t> sizes;
  for (int i = 0; i < 300; ++i) {
    append(100);
    sizes.insert(log_bytes());
  }
  EXPECT_GE(*sizes.begin(), std::uintmax_t{4096} * SqliteLog::min_room);
  EXPECT_LE(sizes.size(), 8U);
}

TEST_F(SqliteLogTest, can_be_read_again_with_its_room_behind_it) {
  append(1'000);
  TemporaryFolder copies;
  for (const char* name : {"journal.db", "journal.db-wal"}) {
    std::filesystem::copy_file(folder / name, copies / name);
  }
  EXPECT_EQ(open(copies / "journal.db")->saved().DebugString(), database->saved().DebugString());
}

TEST_F(SqliteLogTest, may_be_written_by_another_program_between_commits) {
  const auto other = *SqliteStore::open(folder / "journal.db");
  const v1::GameRecord game = game_record("ann", "ben").game_finished();
  constexpr int rounds = 60;
  for (int i = 0; i < rounds; ++i) {
    append(200);
    ASSERT_FALSE(other->add_games(std::vector(100, game)));
  }
  EXPECT_GE(log_bytes(), std::uintmax_t{4096} * SqliteLog::min_room * 2);
  SQLite::Database reading(folder / "journal.db");
  EXPECT_EQ(reading.execAndGet("SELECT count(*) FROM games").getInt(), rounds * 100);
  EXPECT_EQ(reading.execAndGet("PRAGMA integrity_check").getString(), "ok");
  EXPECT_EQ(database->saved().players_size(), 1);
}

TEST_F(SqliteLogTest, moves_into_the_file_beside_the_commits) {
  fill();
  reader->maintain();
  EXPECT_FALSE(reader->wants_maintenance());
  EXPECT_GE(std::filesystem::file_size(folder / "journal.db"), bytes_at_once / 2);

  fill();
  EXPECT_LE(log_bytes(), bytes_at_once * 3 / 2) << "the log has not begun again";
}

// What another program reads holds the log back, as if the rest had come while it was moved.
TEST_F(SqliteLogTest, begins_again_although_commits_come_while_it_is_moved) {
  fill();
  auto other = reading_program();
  append(3'000);
  reader->maintain();
  EXPECT_FALSE(reader->wants_maintenance());
  other.reset();

  const auto longest = log_bytes();
  for (int i = 0; i < 20; ++i) {
    append(3'000);
    EXPECT_EQ(log_bytes(), longest) << "after " << i;
  }
}

TEST_F(SqliteLogTest, waits_while_another_program_reads) {
  append(30'000);
  auto backup = reading_program();
  fill();
  for (int tries = 0; tries < 2 && reader->wants_maintenance(); ++tries) reader->maintain();
  EXPECT_FALSE(reader->wants_maintenance()) << "it would try all the time";
  const auto before = log_bytes();

  backup.reset();
  fill();
  EXPECT_GE(log_bytes(), before + bytes_at_once / 2);
  reader->maintain();
  EXPECT_FALSE(reader->wants_maintenance());
  const auto longest = log_bytes();
  for (int i = 0; i < 20; ++i) append(30'000);
  EXPECT_EQ(log_bytes(), longest);
}

// The file ----------------------------------------------------------------------------------------

TEST(SqliteStore, is_accessible_only_to_its_owner) {
  TemporaryFolder folder;
  std::ofstream(folder / "old.db").close();
  std::filesystem::permissions(folder / "old.db", std::filesystem::perms::all);
  for (const char* name : {"new.db", "old.db"}) {
    const auto database = open(folder / name);
    ASSERT_FALSE(database->append(batch_of({room_record(1, "den")})));
    for (const char* suffix : {"", "-wal", "-shm"}) {
      struct stat status{};
      ASSERT_EQ(::stat((folder / (name + std::string(suffix))).c_str(), &status), 0);
      EXPECT_EQ(status.st_mode & 0777, 0600u) << name << suffix;
    }
  }
}

TEST(SqliteStore, may_have_indexes_and_tables_of_its_owner) {
  TemporaryFolder folder;
  ASSERT_FALSE(open(folder / "journal.db")->append(batch_of({player_record(1, "ann")})));
  SQLite::Database(folder / "journal.db", SQLite::OPEN_READWRITE)
      .exec(
          "CREATE INDEX players_by_stream ON players(stream); CREATE TABLE notes(text); "
          "CREATE UNIQUE INDEX notes_once ON notes(text); ANALYZE");
  const auto opened = open_store(folder.path(), 20);
  ASSERT_TRUE(opened) << opened.error().reason;
  EXPECT_THAT(opened->warnings, testing::IsEmpty());
  EXPECT_EQ(opened->saved.players_size(), 1);
}

TEST(SqliteStore, with_a_trigger_or_a_unique_index_or_without_an_index_is_damaged) {
  for (const char* change :
       {"CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM players; END",
        "create  unique index u on Players(stream)", "DROP INDEX public_games",
        "ALTER TABLE players ADD COLUMN age INTEGER"}) {
    TemporaryFolder folder;
    open(folder / "journal.db");
    SQLite::Database(folder / "journal.db", SQLite::OPEN_READWRITE).exec(change);
    const auto database = SqliteStore::open(folder / "journal.db");
    ASSERT_FALSE(database) << change;
    EXPECT_EQ(database.error().kind, Fault::Kind::damaged);
  }
}

TEST(Sum, counts_the_lowest_byte_of_a_number_first) {
  const std::string bytes = "\x08\x07\x06\x05\x04\x03\x02\x01";
  EXPECT_EQ(Sum().add(std::uint64_t{0x0102030405060708}).value(),
            crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), 8));
}

// Versions ----------------------------------------------------------------------------------------

TEST(SqliteStore, of_another_version_is_refused_and_left_as_it_is) {
  TemporaryFolder folder;
  const auto other = open(folder / "journal.db");
  ASSERT_FALSE(other->append(batch_of({room_record(1, "den")})));
  SQLite::Database(folder / "journal.db", SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
  // Once as it is found after a clean end, once with all of it still in the log.
  for (const bool clean : {false, true}) {
    if (clean) {
      ASSERT_FALSE(other->get().finish());
    }
    const std::string copy = folder / (clean ? "clean.db" : "killed.db");
    std::filesystem::copy(folder / "journal.db", copy);
    std::filesystem::copy(folder / "journal.db-wal", copy + "-wal");
    const std::string before = content(copy);
    const std::string log_before = content(copy + "-wal");
    EXPECT_EQ(log_before.empty(), clean);
    const auto database = SqliteStore::open(copy);
    ASSERT_FALSE(database);
    EXPECT_EQ(database.error().kind, Fault::Kind::other_version);
    EXPECT_THAT(database.error().reason, HasSubstr("it has schema version 99"));
    EXPECT_EQ(content(copy), before);
    EXPECT_EQ(content(copy + "-wal"), log_before);
  }
}

}  // namespace
}  // namespace tictactoe::records::store_sqlite_tests
