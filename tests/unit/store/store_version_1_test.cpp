// A journal that the first released version of the program wrote, and was killed: half of it is
// compacted, half of it not.
#include <gmock/gmock.h>

#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_store.hpp"

namespace tictactoe::store::store_version_1_tests {
namespace {

using namespace test;
using testing::ElementsAre;

std::vector<std::uint32_t> cells(const SavedRoom& room) {
  std::vector<std::uint32_t> cells;
  for (const auto& move : room.moves()) cells.push_back(move.cell());
  return cells;
}

std::vector<std::string> chat(const SavedRoom& room) {
  std::vector<std::string> lines;
  for (const auto& line : room.chat()) lines.push_back(line.from() + ": " + line.text());
  return lines;
}

TEST(Version1, is_loaded_with_all_of_its_players_rooms_moves_chat_and_games) {
  TemporaryFolder folder;
  std::filesystem::copy(TICTACTOE_SOURCE_DIR "/tests/unit/store/journals/version-1.db",
                        folder / "journal.db");
  for (int again = 0; again < 2; ++again) {
    TestStore store(folder / "journal.db");
    const v1::GameList games = store.list_games(0, "", 10);
    ASSERT_EQ(games.games_size(), 2);
    const LoadedStream loaded = store.load();
    EXPECT_EQ(loaded.set_aside, "");
    std::vector<std::string> names;
    for (const auto& player : loaded.saved.players()) {
      names.push_back(player.name());
      EXPECT_EQ(player.token_hash().size(), 32u);
      EXPECT_EQ(player.last_request_done(), 0u);
    }
    EXPECT_THAT(names, ElementsAre("ann", "ben", "cat", "dän \U0001F600", "eve", "fay"));

    ASSERT_EQ(loaded.saved.rooms_size(), 3);
    const SavedRoom& den = loaded.saved.rooms(0);
    EXPECT_EQ(den.room().name(), "den");
    EXPECT_EQ(den.room().game(), 2u);
    EXPECT_EQ(den.room().score().x(), 1u);
    EXPECT_EQ(den.room().starter(), v1::MARK_O);
    EXPECT_EQ(den.room().x().player(), loaded.saved.players(0).id());
    EXPECT_EQ(den.room().o().player(), loaded.saved.players(1).id());
    EXPECT_THAT(cells(den), ElementsAre(8, 4, 0, 1));
    EXPECT_THAT(chat(den), ElementsAre("ben: well played", "ann: here we go on"));
    const SavedRoom& hall = loaded.saved.rooms(1);
    EXPECT_EQ(hall.room().name(), "hall");
    EXPECT_EQ(hall.room().password_hash().size(), 32u);
    EXPECT_THAT(chat(hall), ElementsAre("cat: anybody?"));
    const SavedRoom& attic = loaded.saved.rooms(2);
    EXPECT_EQ(attic.room().name(), "attic");
    EXPECT_THAT(cells(attic), ElementsAre(0, 3, 1, 4, 2));

    EXPECT_EQ(store.list_games(0, "", 10).SerializeAsString(), games.SerializeAsString());
    EXPECT_EQ(games.games(0).room(), "attic");
    EXPECT_EQ(games.games(1).room(), "den");
    EXPECT_THAT(store.game(1)->moves(), ElementsAre(0, 3, 1, 4, 2));
    EXPECT_THAT(store.game(2)->moves(), ElementsAre(0, 3, 1, 4, 2));
    ASSERT_FALSE(store.get().finish());
  }
}

}  // namespace
}  // namespace tictactoe::store::store_version_1_tests
