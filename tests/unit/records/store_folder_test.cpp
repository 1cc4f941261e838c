#include "server/journal/folder.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>
#include <set>

#include "server/journal/open.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_store.hpp"

namespace tictactoe::records::store_folder_tests {
namespace {

using namespace test;
using testing::AllOf;
using testing::HasSubstr;

namespace fs = std::filesystem;

Folder claim(const fs::path& path) {
  auto folder = Folder::claim(path);
  if (!folder) throw std::runtime_error(folder.error().reason);
  return *std::move(folder);
}

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
  return names;
}

TEST(Folder, may_have_a_relative_path_without_a_parent) {
  TemporaryFolder temporary;
  const fs::path before = fs::current_path();
  fs::current_path(temporary.path());
  const bool is_claimed = static_cast<bool>(Folder::claim("data"));
  fs::current_path(before);
  EXPECT_TRUE(is_claimed);
}

TEST(Folder, is_accessible_only_to_its_owner) {
  TemporaryFolder temporary;
  const fs::path path = temporary.path() / "a" / "b";
  const Folder folder = claim(path);
  struct stat status{};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
}

TEST(Folder, has_one_owner_at_a_time) {
  TemporaryFolder temporary;
  {
    const Folder first = claim(temporary.path());
    const auto second = Folder::claim(temporary.path());
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error().reason,
                AllOf(HasSubstr("Another server"), HasSubstr(temporary.path().string())));
  }
  EXPECT_TRUE(Folder::claim(temporary.path()));
}

TEST(Folder, says_why_it_cannot_be_used) {
  TemporaryFolder temporary;
  write(temporary / "file", "");
  for (const char* path : {"file", "file/below", "/proc/nothing/here"}) {
    const auto folder = Folder::claim(temporary.path() / path);
    ASSERT_FALSE(folder) << path;
    EXPECT_EQ(folder.error().kind, Fault::Kind::unusable);
    EXPECT_THAT(folder.error().reason, HasSubstr(path));
  }
}

OpenedStore open(const fs::path& path) {
  auto opened = open_store(path, 20);
  if (!opened) throw std::runtime_error(opened.error().reason);
  return *std::move(opened);
}

void append(OpenedStore& opened, const std::vector<Record>& records) {
  OwnedStream& stream = opened.stream;
  ASSERT_EQ(*stream.store->append(stream.stream, stream.position, stream.position.sequence + 1,
                                  batch_of(records)),
            AppendOutcome::durable);
  ++stream.position.sequence;
}

std::string journal_in(const TemporaryFolder& folder) {
  return folder / "journal.db";
}

// What is whole -----------------------------------------------------------------------------------

TEST(OpenStore, keeps_a_second_server_out) {
  TemporaryFolder folder;
  const OpenedStore first = open(folder.path());
  const auto second = open_store(folder.path(), 20);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, Fault::Kind::in_use);
  EXPECT_TRUE(open_for_import(folder.path()));
}

// What makes no sense
// ------------------------------------------------------------------------------

// Only the file as a whole can be damaged: rows are what SQLite gives. The host judges them.
TEST(OpenStore, gives_rows_without_a_game_and_with_numbers_that_are_too_large_to_the_server) {
  const TemporaryFolder folder;
  {
    OpenedStore opened = open(folder.path());
    append(opened, {player_record(1, "ann"), room_record(1, "den"), room_record(2, "hut")});
  }
  SqliteDatabase(journal_in(folder), SQLITE_OPEN_READWRITE)
      .run_script(
          "UPDATE players SET played = NULL; UPDATE rooms SET game = NULL WHERE serial = 1;"
          "UPDATE rooms SET rows = 4294967299 WHERE serial = 2");
  const OpenedStore opened = open(folder.path());
  EXPECT_EQ(opened.saved.players_size(), 1);
  ASSERT_EQ(opened.saved.rooms_size(), 2) << "nobody would ever close it";
  EXPECT_EQ(opened.saved.rooms(0).room().game(), 0u);
  EXPECT_GT(opened.saved.rooms(1).room().rules().rows(), 1'000'000u) << "not 3";
}

TEST(OpenStore, gives_rows_that_make_no_sense_to_the_server) {
  TemporaryFolder folder;
  {
    OpenedStore opened = open(folder.path());
    append(opened, {player_record(1, "ann"), room_record(1, "den"), move_record(1, 1, 0),
                    move_record(1, 2, 1)});
  }
  SqliteDatabase(journal_in(folder), SQLITE_OPEN_READWRITE)
      .run_script(
          "DELETE FROM moves WHERE ply = 1; UPDATE rooms SET x_kind = 'ghost', starter = 'z'");
  const OpenedStore opened = open(folder.path());
  EXPECT_THAT(opened.warnings, testing::IsEmpty());
  ASSERT_EQ(opened.saved.rooms_size(), 1);
  EXPECT_EQ(opened.saved.rooms(0).moves(0).ply(), 2u);
  EXPECT_FALSE(v1::Mark_IsValid(opened.saved.rooms(0).room().starter()));
  EXPECT_FALSE(v1::Occupant::Kind_IsValid(opened.saved.rooms(0).room().x().kind()));
}

// What can't be used ------------------------------------------------------------------------------

TEST(OpenStore, moves_what_is_no_journal_away_as_it_is) {
  TemporaryFolder folder;
  const std::string garbage = "This is my diary.\n" + std::string(5'000, 'x');
  write(folder / "journal.db", garbage);
  write(folder / "journal.db-wal", "log");
  const OpenedStore opened = open(folder.path());
  EXPECT_THAT(opened.warnings,
              testing::ElementsAre(AllOf(HasSubstr("damaged"), HasSubstr("not a database"),
                                         HasSubstr("ctl restore"))));
  EXPECT_TRUE(same(opened.saved, Saved()));

  int found = 0;
  for (const std::string& name : names_in(folder.path())) {
    if (!name.starts_with("journal.db.damaged-") || name.ends_with("-shm")) continue;
    std::ifstream file(folder / name, std::ios::binary);
    const std::string content(std::istreambuf_iterator<char>(file), {});
    found += content == garbage ? 1 : content == "log" && name.ends_with("-wal") ? 10 : 100;
  }
  EXPECT_EQ(found, 11);
}

TEST(OpenStore, moves_many_away_within_one_second_under_different_names) {
  TemporaryFolder folder;
  constexpr int times = 5;
  for (int time = 0; time < times; ++time) {
    write(folder / "journal.db", std::string(5'000, 'x'));
    open(folder.path());
    fs::remove(folder / "journal.db");
    fs::remove(folder / "journal.db-wal");
    fs::remove(folder / "journal.db-shm");
  }
  EXPECT_EQ(names_in(folder.path()).size(), times + 1u);  // and the lock
}

TEST(OpenStore, moves_a_log_away_whose_database_is_gone) {
  TemporaryFolder folder;
  write(folder / "journal.db-wal", "log");
  EXPECT_THAT(open(folder.path()).warnings, testing::ElementsAre(HasSubstr("log")));
}

TEST(OpenStore, says_why_it_cannot_open) {
  TemporaryFolder folder;
  fs::create_directory(journal_in(folder));
  const auto opened = open_store(folder.path(), 20);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, Fault::Kind::unusable);
  EXPECT_THAT(opened.error().reason, HasSubstr(journal_in(folder)));
}

}  // namespace
}  // namespace tictactoe::records::store_folder_tests
