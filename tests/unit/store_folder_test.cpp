#include "server/store/folder.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>
#include <set>

#include "tests/support/records.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tictactoe::store {
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

bool accept(const Saved& /*saved*/) {
  return true;
}

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

void apply(Database& database, const Record& record) {
  Batch batch;
  batch.add(record.SerializeAsString());
  ASSERT_FALSE(database.apply(batch));
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
  return names;
}

TEST(Folder, is_made_for_its_owner_alone) {
  TemporaryFolder temporary;
  const fs::path path = temporary.path() / "a" / "b";
  const Folder folder = claim(path);
  struct stat status{};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
}

TEST(Folder, belongs_to_one_at_a_time) {
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

TEST(Folder, says_why_it_cannot_be_had) {
  TemporaryFolder temporary;
  write(temporary / "file", "");
  for (const char* path : {"file", "file/below", "/proc/nothing/here"}) {
    const auto folder = Folder::claim(temporary.path() / path);
    ASSERT_FALSE(folder) << path;
    EXPECT_EQ(folder.error().kind, Fault::Kind::unusable);
    EXPECT_THAT(folder.error().reason, HasSubstr(path));
  }
}

TEST(OpenJournal, hands_over_what_was_saved) {
  TemporaryFolder temporary;
  Folder folder = claim(temporary.path());
  apply(*open_journal(folder, {}, accept)->database, room_record(1, "den"));
  Saved saved;
  const auto opened = open_journal(folder, {}, [&](const Saved& found) {
    saved = found;
    return true;
  });
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->warning, "");
  EXPECT_EQ(saved.rooms(0).room().name(), "den");
}

TEST(OpenJournal, sets_what_is_no_journal_aside_as_it_is) {
  TemporaryFolder temporary;
  Folder folder = claim(temporary.path());
  const std::string garbage = "This is my diary.\n" + std::string(5'000, 'x');
  write(temporary / "journal.db", garbage);
  write(temporary / "journal.db-wal", "log");
  const auto opened = open_journal(folder, {}, accept);
  ASSERT_TRUE(opened);
  EXPECT_THAT(opened->warning, AllOf(HasSubstr("damaged"), HasSubstr("not a database")));
  EXPECT_TRUE(same(*opened->database->load(), Saved()));

  int found = 0;
  for (const std::string& name : names_in(temporary.path())) {
    if (!name.starts_with("journal.db.damaged-") || name.ends_with("-shm")) continue;
    std::ifstream file(temporary / name, std::ios::binary);
    const std::string content(std::istreambuf_iterator<char>(file), {});
    found += content == garbage ? 1 : content == "log" && name.ends_with("-wal") ? 10 : 100;
  }
  EXPECT_EQ(found, 11);
}

TEST(OpenJournal, sets_aside_what_makes_no_sense_to_the_host) {
  TemporaryFolder temporary;
  Folder folder = claim(temporary.path());
  apply(*open_journal(folder, {}, accept)->database, room_record(1, "den"));
  const auto opened = open_journal(folder, {}, [](const Saved&) { return false; });
  ASSERT_TRUE(opened);
  EXPECT_THAT(opened->warning, HasSubstr("no sense"));
  EXPECT_EQ(opened->database->load()->rooms_size(), 0);
  apply(*opened->database, room_record(2, "hall"));
}

TEST(OpenJournal, sets_many_aside_within_one_second_under_names_of_their_own) {
  TemporaryFolder temporary;
  Folder folder = claim(temporary.path());
  constexpr int times = 5;
  for (int time = 0; time < times; ++time) {
    write(temporary / "journal.db", std::string(5'000, 'x'));
    ASSERT_TRUE(open_journal(folder, {}, accept));
    fs::remove(temporary / "journal.db");
    fs::remove(temporary / "journal.db-wal");
    fs::remove(temporary / "journal.db-shm");
  }
  EXPECT_EQ(names_in(temporary.path()).size(), times + 1u);  // and the lock
}

TEST(OpenJournal, sets_a_log_aside_whose_database_is_gone) {
  TemporaryFolder temporary;
  Folder folder = claim(temporary.path());
  write(temporary / "journal.db-wal", "log");
  const auto opened = open_journal(folder, {}, accept);
  ASSERT_TRUE(opened);
  EXPECT_THAT(opened->warning, HasSubstr("log"));
}

TEST(OpenJournal, refuses_a_newer_one_and_leaves_it_there) {
  TemporaryFolder temporary;
  Folder folder = claim(temporary.path());
  open_journal(folder, {}, accept)->database.reset();
  SQLite::Database(folder.journal(), SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 1000");
  const auto before = names_in(temporary.path());
  const auto opened = open_journal(folder, {}, accept);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, Fault::Kind::newer);
  EXPECT_THAT(opened.error().reason, AllOf(HasSubstr(folder.journal()), HasSubstr("1000")));
  for (const std::string& name : names_in(temporary.path())) {
    EXPECT_THAT(name, testing::Not(HasSubstr("damaged")));
  }
}

TEST(OpenJournal, says_why_it_cannot_open) {
  TemporaryFolder temporary;
  Folder folder = claim(temporary.path());
  fs::create_directory(folder.journal());
  const auto opened = open_journal(folder, {}, accept);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, Fault::Kind::unusable);
  EXPECT_THAT(opened.error().reason, HasSubstr(folder.journal()));
}

}  // namespace
}  // namespace tictactoe::store
