// Games that are imported twice.
#include <gtest/gtest.h>

#include <fstream>

#include "server/hosting/import.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tictactoe::hosting::import_known_tests {
namespace {

std::string game(const std::string& moves, const std::string& date = "2020-02-03T04:05:06.007Z") {
  return "[X \"alice\"]\n[O \"bob\"]\n[Rules \"3x3x3\"]\n[Date \"" + date +
         "\"]\n[Result \"1-0\"]\n[Termination \"resigned\"]\n\n" + moves + " 1-0\n\n";
}

class ImportKnown : public testing::Test {
 protected:
  Imported import(const std::string& text) {
    const std::string file = folder / "games";
    std::ofstream(file, std::ios::binary) << text;
    auto imported = import_games({file}, folder / "data");
    EXPECT_TRUE(imported) << imported.error().reason;
    return imported ? *imported : Imported();
  }

  test::TemporaryFolder folder;
};

TEST_F(ImportKnown, counts_games_that_are_there_as_known) {
  const std::string games =
      game("1. a1 b1") + game("1. a1 b2") + game("1. a1 b1", "2021-01-01T00:00:00.000Z");
  Imported first = import(games);
  ASSERT_EQ(first.faults, std::vector<std::string>());
  EXPECT_EQ(first.games, 3u);
  EXPECT_EQ(first.known, 0u);
  for (int again = 0; again < 2; ++again) {
    const Imported second = import(games);
    EXPECT_EQ(second.games, 0u);
    EXPECT_EQ(second.known, 3u);
  }
  const Imported more = import(games + game("1. a1 c3"));
  EXPECT_EQ(more.games, 1u);
  EXPECT_EQ(more.known, 3u);
}

TEST_F(ImportKnown, adds_a_game_that_a_file_has_twice_once) {
  const Imported imported = import(game("1. a1 b1") + game("1. a1 b1"));
  EXPECT_EQ(imported.games, 1u);
  EXPECT_EQ(imported.known, 1u);
}

TEST_F(ImportKnown, takes_a_byte_order_mark) {
  EXPECT_EQ(import("\xEF\xBB\xBF" + game("1. a1 b1")).games, 1u);
}

}  // namespace
}  // namespace tictactoe::hosting::import_known_tests
