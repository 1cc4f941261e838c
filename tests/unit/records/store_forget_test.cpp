// A player who is taken out of the records.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "server/journal/folder.hpp"
#include "server/journal/unused.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_store.hpp"

namespace tictactoe::records::store_forget_tests {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;

// The names of the files in the folder that contain these bytes.
std::vector<std::string> files_with(const std::filesystem::path& folder, const std::string& text) {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (bytes.find(text) != std::string::npos) found.push_back(entry.path().filename());
  }
  return found;
}

Record chat_by(std::uint64_t room, const std::string& from, const std::string& text) {
  Record record = chat_record(room, text);
  record.mutable_chat()->set_from(from);
  return record;
}

Record game_in(const std::string& room, const std::string& x, const std::string& o) {
  Record record = game_record(x, o);
  record.mutable_game_finished()->set_room(room);
  return record;
}

class Forget : public testing::Test {
 protected:
  void record() {
    TestStore store(folder_ / "journal.db");
    Record private_game = game_in("zanzibar", "zanzibar", "ben");
    private_game.mutable_readers()->set_x(11);
    private_game.mutable_readers()->set_o(22);
    Record den = room_record(1, "den");
    den.mutable_room()->mutable_x()->set_kind(v1::Occupant::KIND_PERSON);
    den.mutable_room()->mutable_x()->set_player(1);
    den.mutable_room()->mutable_o()->set_kind(v1::Occupant::KIND_PERSON);
    den.mutable_room()->mutable_o()->set_player(2);
    const std::vector<Record> old{player_record(1, "zanzibar"),
                                  player_record(2, "ben"),
                                  player_record(3, "zanzibar-2"),
                                  den,
                                  room_record(2, "zanzibars"),
                                  chat_by(1, "zanzibar", "I am zanzibar."),
                                  chat_by(1, "ben", "hello zanzibar, ben here"),
                                  chat_by(2, "ben", "hello"),
                                  game_in("den", "zanzibar", "ben"),
                                  private_game};
    ASSERT_FALSE(store.append(old));
    const std::vector<Record> recent{
        chat_by(1, "zanzibar", "bye"), game_in("the room of zanzibar", "ben", "zanzibar"),
        game_in("den", "zanzibar-2", "ben"), game_in("den", "ben", "cat")};
    ASSERT_FALSE(store.append(recent));
  }

  Forgotten forget(const std::string& name) {
    auto forgotten = forget_player(folder_.path().string(), name);
    EXPECT_TRUE(forgotten) << forgotten.error().reason;
    return forgotten ? *forgotten : Forgotten{};
  }

  const TemporaryFolder folder_;
};

TEST_F(Forget, deletes_what_is_the_persons_and_replaces_the_name_in_games) {
  record();
  const Forgotten forgotten = forget("zanzibar");
  EXPECT_EQ(forgotten.name, "forgotten-1");
  EXPECT_EQ(forgotten.players, 1u);
  EXPECT_EQ(forgotten.games, 3u);
  EXPECT_EQ(forgotten.seats, 1u);
  EXPECT_EQ(forgotten.lines, 2u);

  TestStore store(folder_ / "journal.db");
  const Saved saved = store.saved();
  ASSERT_EQ(saved.players_size(), 2);
  EXPECT_EQ(saved.players(0).name(), "ben");
  EXPECT_EQ(saved.players(1).name(), "zanzibar-2");
  ASSERT_EQ(saved.rooms_size(), 2);
  EXPECT_EQ(saved.rooms(0).room().x().kind(), v1::Occupant::KIND_OPEN);
  EXPECT_EQ(saved.rooms(0).room().x().player(), 0u);
  EXPECT_EQ(saved.rooms(0).room().o().player(), 2u);
  ASSERT_EQ(saved.rooms(0).chat_size(), 1);
  EXPECT_EQ(saved.rooms(0).chat(0).text(), "hello zanzibar, ben here") << "what others say stays";

  EXPECT_EQ(store.list_games(0, "zanzibar", 10).games_size(), 0);
  const v1::GameList games = store.list_games(0, "forgotten-1", 10, 22);
  ASSERT_EQ(games.games_size(), 3);
  EXPECT_EQ(games.games(0).o().name(), "forgotten-1");
  EXPECT_EQ(store.list_games(0, "", 10).games_size(), 4);
  // The game is still whole, and private.
  EXPECT_EQ(store.game(2, 11)->moves_size(), finished_game("a", "b").moves_size());
  EXPECT_FALSE(store.game(2).has_value());
}

TEST_F(Forget, lifts_a_ban_of_the_name) {
  record();
  {
    TestStore store(folder_ / "journal.db");
    ASSERT_FALSE(store.append(std::vector<Record>{ban_record(person("zanzibar"), "loud"),
                                                  ban_record(person("ben"), "rude"),
                                                  ban_record(addresses(1), "")}));
  }
  forget("zanzibar");
  const Saved saved = TestStore(folder_ / "journal.db").saved();
  ASSERT_EQ(saved.bans_size(), 2);
  EXPECT_EQ(saved.bans(0).subject().player() + saved.bans(1).subject().player(), "ben");
}

TEST_F(Forget, leaves_no_byte_of_what_was_deleted_in_any_file) {
  const std::string name = "Quetzalcoatl";
  {
    TestStore store(folder_ / "journal.db");
    for (std::uint64_t i = 1; i <= 300; ++i) {
      ASSERT_FALSE(store.append(std::vector<Record>{
          game_in("den", name, "ben"), room_record(1, "den"), chat_by(1, name, "It is me!"),
          player_record(i, i == 1 ? name : "p" + std::to_string(i))}));
    }
  }
  EXPECT_THAT(files_with(folder_.path(), name), testing::Not(testing::IsEmpty()));
  EXPECT_EQ(forget(name).games, 300u);
  EXPECT_THAT(files_with(folder_.path(), name), ElementsAre());
  EXPECT_THAT(files_with(folder_.path(), "forgotten-1"), testing::Contains("journal.db"));
}

TEST_F(Forget, gives_everybody_a_number_of_their_own) {
  record();
  EXPECT_EQ(forget("zanzibar").name, "forgotten-1");
  EXPECT_EQ(forget("ben").name, "forgotten-2");
  EXPECT_EQ(forget("cat").name, "forgotten-3");
}

TEST_F(Forget, changes_nothing_for_a_name_that_nobody_has) {
  record();
  for (const char* name : {"zanzi", "den", "Zanzibar", "hello", "nobody"}) {
    EXPECT_EQ(forget(name).name, "") << name;
  }
  TestStore store(folder_ / "journal.db");
  EXPECT_EQ(store.list_games(0, "zanzibar", 10).games_size(), 2);
}

TEST_F(Forget, is_refused_while_a_server_has_the_journal) {
  record();
  const auto server = Folder::claim(folder_.path());
  ASSERT_TRUE(server);
  const auto forgotten = forget_player(folder_.path().string(), "zanzibar");
  ASSERT_FALSE(forgotten);
  EXPECT_EQ(forgotten.error().kind, Fault::Kind::in_use);
  EXPECT_THAT(forgotten.error().reason, HasSubstr("Another server"));
}

// Who reads keeps the old pages in the log.
TEST_F(Forget, changes_nothing_while_another_program_reads) {
  record();
  SqliteDatabase reader(folder_ / "journal.db", SQLITE_OPEN_READWRITE);
  reader.run_script("BEGIN");
  EXPECT_EQ(reader.text_of("SELECT name FROM players WHERE id = 1"), "zanzibar");
  const auto forgotten = forget_player(folder_.path().string(), "zanzibar");
  ASSERT_FALSE(forgotten);
  EXPECT_THAT(forgotten.error().reason,
              HasSubstr("another program reads it. End that program first."));
  reader.run_script("COMMIT");
  EXPECT_EQ(reader.text_of("SELECT name FROM players WHERE id = 1"), "zanzibar");
  EXPECT_EQ(forget("zanzibar").name, "forgotten-1");
}

TEST_F(Forget, makes_no_journal_where_there_is_none) {
  const auto forgotten = forget_player(folder_.path().string(), "zanzibar");
  ASSERT_FALSE(forgotten);
  EXPECT_THAT(forgotten.error().reason, HasSubstr("There is no journal"));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(Forget, names_whole_journals_that_it_did_not_change) {
  record();
  std::ofstream(folder_ / "journal.db.damaged-20260101T000000Z") << "zanzibar";
  EXPECT_THAT(forget("zanzibar").damaged_journals,
              ElementsAre(HasSubstr("journal.db.damaged-20260101T000000Z")));
}

}  // namespace
}  // namespace tictactoe::records::store_forget_tests
