// Importing finished games.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <numeric>

#include "server/app/import.hpp"
#include "tests/support/records.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tictactoe::app::import_tests {
namespace {

using testing::HasSubstr;
using v1::Outcome;

v1::GameRecord game_of(std::vector<std::uint32_t> cells, v1::Mark winner, Outcome::Reason reason) {
  v1::GameRecord game = test::finished_game("ann", "ben");
  game.clear_move_ms();
  game.mutable_moves()->Assign(cells.begin(), cells.end());
  game.mutable_outcome()->Clear();
  game.mutable_outcome()->set_winner(winner);
  game.mutable_outcome()->set_reason(reason);
  return game;
}

const std::vector<std::uint32_t> won_by_x{0, 3, 1, 4, 2};
const std::vector<std::uint32_t> drawn{0, 1, 2, 4, 3, 5, 7, 6, 8};
const std::vector<std::uint32_t> unfinished{0, 3, 1};

TEST(Import, takes_what_is_right_and_fills_in_what_follows) {
  v1::GameRecord game = game_of(won_by_x, v1::MARK_X, Outcome::REASON_LINE);
  EXPECT_EQ(check_import(game), std::nullopt);
  EXPECT_TRUE(game.imported());
  ASSERT_EQ(game.outcome().lines_size(), 1);
  EXPECT_EQ(game.outcome().lines(0).kind(), v1::Line::KIND_ROW);
  EXPECT_EQ(game.outcome().winner(), v1::MARK_X);

  game = game_of(won_by_x, v1::MARK_X, Outcome::REASON_UNSPECIFIED);
  EXPECT_EQ(check_import(game), std::nullopt);
  EXPECT_EQ(game.outcome().reason(), Outcome::REASON_LINE);
}

TEST(Import, takes_every_way_to_end) {
  const std::vector<v1::GameRecord> games{
      game_of(drawn, v1::MARK_NONE, Outcome::REASON_BOARD_FULL),
      game_of(unfinished, v1::MARK_O, Outcome::REASON_RESIGNED),
      game_of(unfinished, v1::MARK_X, Outcome::REASON_TIME),
      game_of({}, v1::MARK_O, Outcome::REASON_FORFEIT),
      game_of(unfinished, v1::MARK_NONE, Outcome::REASON_AGREED),
      game_of(unfinished, v1::MARK_NONE, Outcome::REASON_UNSPECIFIED),
      game_of(unfinished, v1::MARK_O, Outcome::REASON_UNSPECIFIED)};
  for (v1::GameRecord game : games) {
    EXPECT_EQ(check_import(game), std::nullopt) << game.ShortDebugString();
  }
}

TEST(Import, takes_games_up_to_the_move_limit) {
  constexpr std::uint32_t limit = 10'000;
  std::vector<std::uint32_t> cells(limit);
  std::iota(cells.begin(), cells.end(), 0);
  const auto long_game = [&](Outcome::Reason reason) {
    v1::GameRecord game = game_of(cells, v1::MARK_NONE, reason);
    game.mutable_rules()->set_rows(200);
    game.mutable_rules()->set_cols(200);
    game.mutable_rules()->set_k(200);
    return game;
  };
  v1::GameRecord game = long_game(Outcome::REASON_UNSPECIFIED);
  EXPECT_EQ(check_import(game), std::nullopt);
  EXPECT_EQ(game.outcome().reason(), Outcome::REASON_MOVE_LIMIT);
  game = long_game(Outcome::REASON_AGREED);
  EXPECT_NE(check_import(game), std::nullopt);
  cells.push_back(limit);
  game = long_game(Outcome::REASON_MOVE_LIMIT);
  EXPECT_THAT(*check_import(game), HasSubstr("at most 10000 moves"));
  cells.resize(limit - 1);
  game = long_game(Outcome::REASON_MOVE_LIMIT);
  EXPECT_NE(check_import(game), std::nullopt);
}

TEST(Import, uses_the_recorded_starter) {
  v1::GameRecord game = game_of(won_by_x, v1::MARK_O, Outcome::REASON_LINE);
  game.set_starter(v1::MARK_O);
  EXPECT_EQ(check_import(game), std::nullopt);
}

TEST(Import, refuses_illegal_moves) {
  v1::GameRecord game = game_of({0, 3, 0}, v1::MARK_X, Outcome::REASON_RESIGNED);
  EXPECT_THAT(*check_import(game), HasSubstr("move 3 is not legal: the cell is taken"));
  game = game_of({0, 9}, v1::MARK_X, Outcome::REASON_RESIGNED);
  EXPECT_THAT(*check_import(game), HasSubstr("move 2 is not legal: the cell is not on the board"));
  game = game_of({~0u}, v1::MARK_X, Outcome::REASON_RESIGNED);
  EXPECT_THAT(*check_import(game), HasSubstr("not on the board"));
  game = game_of({0, 3, 1, 4, 2, 5}, v1::MARK_X, Outcome::REASON_LINE);
  EXPECT_THAT(*check_import(game), HasSubstr("move 6 is not legal: the game was already over"));
  EXPECT_FALSE(game.imported());
}

TEST(Import, refuses_results_that_do_not_fit) {
  const std::vector<v1::GameRecord> games{
      game_of(won_by_x, v1::MARK_O, Outcome::REASON_LINE),
      game_of(won_by_x, v1::MARK_NONE, Outcome::REASON_UNSPECIFIED),
      game_of(won_by_x, v1::MARK_X, Outcome::REASON_TIME),
      game_of(drawn, v1::MARK_X, Outcome::REASON_BOARD_FULL),
      game_of(drawn, v1::MARK_NONE, Outcome::REASON_AGREED),
      game_of(unfinished, v1::MARK_X, Outcome::REASON_LINE),
      game_of(unfinished, v1::MARK_NONE, Outcome::REASON_BOARD_FULL),
      game_of(unfinished, v1::MARK_NONE, Outcome::REASON_RESIGNED),
      game_of(unfinished, v1::MARK_X, Outcome::REASON_AGREED)};
  for (v1::GameRecord game : games) {
    EXPECT_NE(check_import(game), std::nullopt) << game.ShortDebugString();
  }
}

TEST(Import, refuses_rules_that_cannot_be_played) {
  v1::GameRecord game = game_of({}, v1::MARK_O, Outcome::REASON_RESIGNED);
  game.mutable_rules()->set_k(7);
  EXPECT_NE(check_import(game), std::nullopt);
  game.mutable_rules()->set_cols(100'000);
  EXPECT_NE(check_import(game), std::nullopt);
}

// Games that are imported twice -------------------------------------------------------------------

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
  // Which does not change the lines of faults.
  const auto faults = import("\xEF\xBB\xBF" + game("1. a1 a1") + game("1. a1 b1")).faults;
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_NE(faults[0].find("games:1: invalid game: move 2"), std::string::npos) << faults[0];
}

TEST_F(ImportKnown, leaves_out_what_cannot_be_read_and_says_why) {
  std::ofstream(folder / "games") << game("1. a1 b1");
  std::filesystem::create_directory(folder / "directory");
  std::filesystem::create_symlink("none", folder / "link");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), S_IRUSR | S_IWUSR), 0);
  const auto imported = import_games(
      {folder / "directory", folder / "link", folder / "none", folder / "pipe", folder / "games"},
      folder / "data");
  ASSERT_TRUE(imported);
  EXPECT_EQ(imported->games, 1u);
  EXPECT_THAT(
      imported->faults,
      testing::ElementsAre(
          (folder / "directory") + ": can't be read: it is a directory.",
          (folder / "link") + ": can't be read: it is a symbolic link to " + (folder / "none") +
              ", which does not exist.",
          (folder / "none") + ": can't be read: No such file or directory.",
          (folder / "pipe") + ": can't be read: it is a pipe into which nothing is written."));
}

TEST_F(ImportKnown, says_that_a_file_is_of_another_program) {
  const auto faults = import("(;GM[4]FF[4]SZ[15];B[hh];W[gg])").faults;
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_NE(faults[0].find("games:1: This is a game in SGF"), std::string::npos) << faults[0];
}

}  // namespace
}  // namespace tictactoe::app::import_tests
