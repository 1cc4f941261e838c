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

int rows_set_aside(const std::string& journal) {
  return SQLite::Database(journal).execAndGet("SELECT count(*) FROM set_aside").getInt();
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

// What is damaged ---------------------------------------------------------------------------------

class DamagedRows : public testing::Test {
 protected:
  void SetUp() override {
    OpenedStore opened = open(folder.path());
    append(opened, {player_record(1, "ann"), player_record(2, "ben"), room_record(1, "den", 77),
                    room_record(2, "hall"), move_record(1, 1, 0), move_record(1, 2, 1),
                    move_record(2, 1, 4), chat_record(2, "hi"), chat_record(2, "bye"),
                    game_record("ann", "ben"), game_record("ben", "ann")});
    ASSERT_FALSE(opened.stream.store->finish());
    append(opened, {player_record(3, "cat")});
  }
  void damage(const std::string& sql) {
    SQLite::Database(journal, SQLite::OPEN_READWRITE).exec(sql);
  }
  /// Opens it twice: what was set aside does not come back, and is warned of once.
  Saved opened_with_warning(const std::string& what) {
    Saved saved;
    for (const bool again : {false, true}) {
      const OpenedStore opened = open(folder.path());
      if (again) {
        EXPECT_THAT(opened.warnings, testing::IsEmpty());
        EXPECT_TRUE(same(opened.saved, saved));
      } else {
        EXPECT_THAT(opened.warnings,
                    testing::ElementsAre(AllOf(HasSubstr(what), HasSubstr(journal))));
        saved = opened.saved;
      }
      EXPECT_EQ(opened.stream.reader->list_games(0, "", 9, 0)->games_size(), 2);
    }
    EXPECT_GE(rows_set_aside(journal), 1);
    return saved;
  }

  TemporaryFolder folder;
  std::string journal = journal_in(folder);
};

TEST_F(DamagedRows, cost_one_player) {
  damage("UPDATE players SET state = CAST(replace(state, 'ben', 'bem') AS BLOB) WHERE id = 2");
  const Saved saved = opened_with_warning("1 player");
  ASSERT_EQ(saved.players_size(), 2);
  EXPECT_EQ(saved.players(0).name(), "ann");
  EXPECT_EQ(saved.players(1).name(), "cat");
  EXPECT_EQ(saved.rooms_size(), 2);
}

TEST_F(DamagedRows, cost_one_room) {
  damage("UPDATE rooms SET sum = sum + 1 WHERE id = 1");
  const Saved saved = opened_with_warning("1 room");
  EXPECT_EQ(saved.players_size(), 3);
  ASSERT_EQ(saved.rooms_size(), 1);
  EXPECT_EQ(saved.rooms(0).room().name(), "hall");
  EXPECT_EQ(saved.rooms(0).chat_size(), 2);
  EXPECT_EQ(saved.last_revision(), 77u) << "a later room of that name must not repeat revisions";
}

TEST_F(DamagedRows, cost_each_its_room) {
  damage("UPDATE rooms SET state = x'00' WHERE id = 1");
  damage("UPDATE rooms SET stream = stream + 1 WHERE id = 2");
  const Saved saved = opened_with_warning("1 room");
  EXPECT_EQ(saved.players_size(), 3);
  EXPECT_EQ(saved.rooms_size(), 0);
}

TEST_F(DamagedRows, cost_one_commit) {
  {
    OpenedStore opened = open(folder.path());
    append(opened, {player_record(4, "dan")});
    append(opened, {player_record(5, "eve")});
  }
  damage("UPDATE uncompacted SET sum = sum + 1 WHERE id = 1");
  const Saved saved = opened_with_warning("1 commit");
  EXPECT_EQ(saved.players_size(), 4);
  EXPECT_EQ(saved.players(3).name(), "eve");
}

TEST_F(DamagedRows, with_another_sequence_number_cost_one_commit) {
  {
    OpenedStore opened = open(folder.path());
    append(opened, {player_record(4, "dan")});
    append(opened, {player_record(5, "eve")});
  }
  damage("UPDATE uncompacted SET sequence = 1 << 40 WHERE id = 1");
  OpenedStore opened = open(folder.path());
  EXPECT_THAT(opened.warnings, testing::ElementsAre(HasSubstr("1 commit")));
  append(opened, {player_record(6, "fay")});
}

TEST_F(DamagedRows, cost_the_room_whose_moves_were_in_a_damaged_commit) {
  {
    OpenedStore opened = open(folder.path());
    append(opened, {move_record(1, 3, 5)});
    append(opened, {move_record(1, 4, 6), move_record(2, 2, 5)});
  }
  damage("UPDATE uncompacted SET sum = sum + 1 WHERE id = 1");
  const Saved saved = opened_with_warning("1 room, 1 commit");
  ASSERT_EQ(saved.rooms_size(), 1);
  EXPECT_EQ(saved.rooms(0).moves_size(), 2);
}

TEST_F(DamagedRows, cost_one_game) {
  damage("UPDATE games SET head = x'00' WHERE id = 1");
  damage("UPDATE games SET moves = x'00' WHERE id = 2");
  const OpenedStore opened = open(folder.path());
  EXPECT_THAT(opened.warnings, testing::IsEmpty());
  EXPECT_EQ(opened.stream.reader->list_games(0, "", 9, 0)->games_size(), 1);
  EXPECT_EQ(opened.stream.reader->damaged_games(), 1u);
  for (const std::uint64_t id : {1u, 2u}) {
    const auto game = opened.stream.reader->game(id, 0);
    ASSERT_FALSE(game);
    EXPECT_THAT(game.error().reason, HasSubstr("damaged"));
  }
}

TEST_F(DamagedRows, cost_one_stream_row) {
  damage("UPDATE streams SET last_revision = -1");
  OpenedStore opened = open(folder.path());
  EXPECT_EQ(opened.saved.rooms_size(), 2);
  EXPECT_LT(opened.saved.last_revision(), std::uint64_t{1} << 62);
  append(opened, {player_record(4, "dan")});
}

TEST(OpenStore, keeps_apart_what_the_server_refuses) {
  TemporaryFolder folder;
  {
    OpenedStore opened = open(folder.path());
    append(opened, {player_record(1, "ann"), player_record(2, "Ben\n"), room_record(3, "den"),
                    room_record(4, "hall"), move_record(4, 1, 0)});
  }
  {
    OpenedStore opened = open(folder.path());
    using Kind = RefusedRow::Kind;
    ASSERT_FALSE(
        set_aside(opened, {{Kind::player, 2, "That is no name."}, {Kind::room, 4, "No."}}));
    EXPECT_THAT(opened.warnings, testing::ElementsAre(AllOf(HasSubstr("without 2 of"),
                                                            HasSubstr("player 2: That"))));
  }
  const OpenedStore opened = open(folder.path());
  EXPECT_THAT(opened.warnings, testing::IsEmpty());
  EXPECT_EQ(opened.saved.players_size(), 1);
  EXPECT_EQ(opened.saved.rooms_size(), 1);
  SQLite::Database raw(journal_in(folder));
  EXPECT_EQ(
      raw.execAndGet("SELECT kind || ' ' || key || ': ' || reason FROM set_aside").getString(),
      "player 2: That is no name.");
  SavedRoom kept;
  ASSERT_TRUE(kept.ParseFromString(
      raw.execAndGet("SELECT content FROM set_aside WHERE kind = 'room'").getString()));
  EXPECT_EQ(kept.room().name(), "hall");
  EXPECT_EQ(kept.moves_size(), 1);
}

// What can't be used ------------------------------------------------------------------------------

TEST(OpenStore, sets_what_is_no_journal_aside_as_it_is) {
  TemporaryFolder folder;
  const std::string garbage = "This is my diary.\n" + std::string(5'000, 'x');
  write(folder / "journal.db", garbage);
  write(folder / "journal.db-wal", "log");
  const OpenedStore opened = open(folder.path());
  EXPECT_THAT(opened.warnings,
              testing::ElementsAre(AllOf(HasSubstr("damaged"), HasSubstr("not a database"))));
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

TEST(OpenStore, sets_many_aside_within_one_second_under_different_names) {
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

TEST(OpenStore, sets_a_log_aside_whose_database_is_gone) {
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
