#include "server/records/sqlite/store.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>
#include <initializer_list>
#include <set>
#include <string_view>
#include <vector>

#include "server/journal/open.hpp"
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
  const auto first = open(folder / "journal.db");
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
  SqliteDatabase(folder / "journal.db", SQLITE_OPEN_READWRITE)
      .run_script(
          "CREATE INDEX players_by_stream ON players(stream); CREATE TABLE notes(text); "
          "CREATE UNIQUE INDEX notes_once ON notes(text); ANALYZE");
  const auto opened = open_store(folder.path(), 20);
  ASSERT_TRUE(opened) << opened.error().reason;
  EXPECT_THAT(opened->warnings, testing::IsEmpty());
  EXPECT_EQ(opened->saved.players_size(), 1);
}

TEST(SqliteStore, with_a_trigger_or_a_unique_index_or_without_an_index_is_refused) {
  for (const char* change :
       {"CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM players; END",
        "create  unique index u on Players(stream)", "DROP INDEX public_games",
        "ALTER TABLE players ADD COLUMN age INTEGER"}) {
    TemporaryFolder folder;
    open(folder / "journal.db");
    SqliteDatabase(folder / "journal.db", SQLITE_OPEN_READWRITE).run_script(change);
    const auto database = SqliteStore::open(folder / "journal.db");
    ASSERT_FALSE(database) << change;
    EXPECT_EQ(database.error().kind, Fault::Kind::other_version);
  }
}

// Versions ----------------------------------------------------------------------------------------

TEST(SqliteStore, of_another_version_is_refused_and_left_as_it_is) {
  TemporaryFolder folder;
  const auto other = open(folder / "journal.db");
  ASSERT_FALSE(other->append(batch_of({room_record(1, "den")})));
  SqliteDatabase(folder / "journal.db", SQLITE_OPEN_READWRITE)
      .run_script("PRAGMA user_version = 99");
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

TEST(SqliteStore, of_another_program_is_refused_and_left_as_it_is) {
  TemporaryFolder folder;
  SqliteDatabase(folder / "journal.db", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
      .run_script("CREATE TABLE photos(name)");
  const std::string before = content(folder / "journal.db");
  const auto opened = open_store(folder.path(), 20);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().reason, HasSubstr("not those of a journal"));
  EXPECT_EQ(content(folder / "journal.db"), before);
}

}  // namespace
}  // namespace tictactoe::records::store_sqlite_tests
