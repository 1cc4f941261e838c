// A name that is taken out of the records.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "server/journal/folder.hpp"
#include "server/journal/unused.hpp"
#include "server/records/forget.hpp"
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
  // As a server that was killed leaves it: half of it compacted, half of it not.
  void record() {
    TestStore store(folder_ / "journal.db");
    Record private_game = game_in("zanzibar", "zanzibar", "ben");
    private_game.mutable_readers()->set_x(11);
    private_game.mutable_readers()->set_o(22);
    const std::vector<Record> old{player_record(1, "zanzibar"),
                                  player_record(2, "ben"),
                                  player_record(3, "zanzibar-2"),
                                  room_record(1, "zanzibar"),
                                  room_record(2, "zanzibars"),
                                  chat_by(1, "zanzibar", "I am zanzibar."),
                                  chat_by(1, "ben", "hello zanzibar, ben here"),
                                  chat_by(2, "ben", "hello"),
                                  game_in("den", "zanzibar", "ben"),
                                  private_game};
    ASSERT_FALSE(store.append(old));
    ASSERT_FALSE(store.get().finish());
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

TEST_F(Forget, replaces_a_name_wherever_it_is) {
  record();
  const Forgotten forgotten = forget("zanzibar");
  EXPECT_EQ(forgotten.name, "forgotten-1");
  EXPECT_EQ(forgotten.players, 1u);
  EXPECT_EQ(forgotten.games, 3u);
  EXPECT_EQ(forgotten.rooms, 1u);
  EXPECT_EQ(forgotten.lines, 3u);
  EXPECT_EQ(forgotten.deleted, 0u);

  TestStore store(folder_ / "journal.db");
  const LoadedStream loaded = store.load();
  EXPECT_EQ(loaded.set_aside, "");
  std::vector<std::string> names;
  for (const auto& player : loaded.saved.players()) names.push_back(player.name());
  EXPECT_THAT(names, ElementsAre("forgotten-1", "ben", "zanzibar-2"));
  EXPECT_EQ(loaded.saved.players(0).token_hash(), player_record(1, "").player().token_hash());
  ASSERT_EQ(loaded.saved.rooms_size(), 2);
  const SavedRoom& room = loaded.saved.rooms(0);
  EXPECT_EQ(room.room().name(), "forgotten-1-1");
  EXPECT_EQ(loaded.saved.rooms(1).room().name(), "zanzibars");
  ASSERT_EQ(room.chat_size(), 3);
  EXPECT_EQ(room.chat(0).from(), "forgotten-1");
  EXPECT_EQ(room.chat(0).text(), "I am forgotten-1.");
  EXPECT_EQ(room.chat(1).from(), "ben");
  EXPECT_EQ(room.chat(1).text(), "hello forgotten-1, ben here");

  EXPECT_EQ(store.list_games(0, "zanzibar", 10).games_size(), 0);
  const v1::GameList games = store.list_games(0, "forgotten-1", 10, 22);
  ASSERT_EQ(games.games_size(), 3);
  EXPECT_EQ(games.games(0).room(), "the room of forgotten-1");
  EXPECT_EQ(games.games(0).o().name(), "forgotten-1");
  EXPECT_EQ(games.games(1).room(), "forgotten-1");
  EXPECT_EQ(store.list_games(0, "", 10).games_size(), 4);
  // The game is still whole, and private.
  EXPECT_EQ(store.game(2, 11)->moves_size(), finished_game("a", "b").moves_size());
  EXPECT_FALSE(store.game(2).has_value());
}

TEST_F(Forget, keeps_no_ban_of_the_person_and_no_reason_that_names_them) {
  record();
  {
    TestStore store(folder_ / "journal.db");
    ASSERT_FALSE(store.append(std::vector<Record>{ban_record(person("zanzibar"), "loud"),
                                                  ban_record(person("ben"), "insulted zanzibar"),
                                                  ban_record(addresses(1), "")}));
  }
  forget("zanzibar");
  TestStore store(folder_ / "journal.db");
  const auto bans = store.load().saved.bans();
  ASSERT_EQ(bans.size(), 2);
  for (const auto& ban : bans) {
    EXPECT_EQ(ban.reason(), ban.subject().has_player() ? "insulted forgotten-1" : "");
  }
}

TEST_F(Forget, gives_no_two_rooms_one_name) {
  const std::string name = "zanzibar";
  {
    TestStore store(folder_ / "journal.db");
    ASSERT_FALSE(store.append(std::vector<Record>{player_record(1, name),
                                                  room_record(1, name + " and benjamin 01"),
                                                  room_record(2, name + " and benjamin 02")}));
  }
  EXPECT_EQ(forget(name).rooms, 2u);
  TestStore store(folder_ / "journal.db");
  const LoadedStream loaded = store.load();
  ASSERT_EQ(loaded.saved.rooms_size(), 2);
  EXPECT_EQ(loaded.saved.rooms(0).room().name(), "forgotten-1-1");
  EXPECT_EQ(loaded.saved.rooms(1).room().name(), "forgotten-1-2");
}

TEST_F(Forget, leaves_no_byte_of_the_name_in_any_file) {
  const std::string name = "Quetzalcoatl";
  {
    TestStore store(folder_ / "journal.db");
    for (std::uint64_t i = 1; i <= 300; ++i) {
      ASSERT_FALSE(store.append(std::vector<Record>{
          game_in("room of " + name, name, "ben"), chat_by(1, name, "It is " + name + "!"),
          room_record(1, name), player_record(i, i == 1 ? name : "p" + std::to_string(i))}));
      if (i % 100 == 0) {
        ASSERT_FALSE(store.get().finish());
      }
    }
    Record damaged = room_record(2, "den of " + name);
    ASSERT_FALSE(store.append(std::vector<Record>{damaged, move_record(2, 5, 1)}));
    EXPECT_NE(store.load().set_aside, "");
  }
  EXPECT_THAT(files_with(folder_.path(), name), testing::Not(testing::IsEmpty()));
  const Forgotten forgotten = forget(name);
  EXPECT_EQ(forgotten.games, 300u);
  EXPECT_GE(forgotten.deleted, 1u);
  EXPECT_THAT(files_with(folder_.path(), name), ElementsAre());
  EXPECT_THAT(files_with(folder_.path(), "forgotten-1"), testing::Contains("journal.db"));
}

TEST_F(Forget, knows_a_person_of_whom_only_a_damaged_game_is_left) {
  {
    TestStore store(folder_ / "journal.db");
    ASSERT_FALSE(store.append(std::vector<Record>{game_in("den", "zanzibar", "ben"),
                                                  game_in("den", "ben", "zanzibar"),
                                                  game_in("den", "ben", "forgotten-4")}));
    ASSERT_FALSE(store.get().finish());
  }
  // One still has the name, and one only beside it.
  SQLite::Database(folder_ / "journal.db", SQLite::OPEN_READWRITE)
      .exec(
          "UPDATE games SET head_sum = head_sum + 1 WHERE id = 1; "
          "UPDATE games SET head = x'00' WHERE id > 1");
  const Forgotten forgotten = forget("zanzibar");
  EXPECT_EQ(forgotten.name, "forgotten-5");
  EXPECT_EQ(forgotten.games, 0u);
  EXPECT_EQ(forgotten.deleted, 2u);
  EXPECT_THAT(files_with(folder_.path(), "zanzibar"), ElementsAre());
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

TEST(WithoutName, replaces_words) {
  const auto without = [](std::string_view text) { return without_name(text, "al", "N"); };
  EXPECT_EQ(without("al"), "N");
  EXPECT_EQ(without("al and al, also al-2 (al)"), "N and N, also N-2 (N)");
  EXPECT_EQ(without("also halal alal \u00E9al al\u00E9"), "also halal alal \u00E9al al\u00E9");
  EXPECT_EQ(without("\u5C71al\u7530"), "\u5C71N\u7530");
  EXPECT_EQ(without(""), "");
  EXPECT_EQ(without_name("\u6211\u662F\u738B\u5C0F\u660E\u3002", "\u738B\u5C0F\u660E", "N"),
            "\u6211\u662FN\u3002");
  EXPECT_EQ(without_name("\u0410\u043D\u043D\u0430 \u0410\u043D", "\u0410\u043D", "N"),
            "\u0410\u043D\u043D\u0430 N");
}

}  // namespace
}  // namespace tictactoe::records::store_forget_tests
