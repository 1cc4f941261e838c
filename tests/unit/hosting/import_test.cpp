#include "server/hosting/import.hpp"

#include <gmock/gmock.h>

#include <numeric>

#include "tests/support/records.hpp"

namespace tictactoe::hosting::import_tests {
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
  EXPECT_THAT(*check_import(game), HasSubstr("move 3 is not legal: that cell is taken"));
  game = game_of({0, 9}, v1::MARK_X, Outcome::REASON_RESIGNED);
  EXPECT_THAT(*check_import(game), HasSubstr("move 2 is not legal: that is off the board"));
  game = game_of({~0u}, v1::MARK_X, Outcome::REASON_RESIGNED);
  EXPECT_THAT(*check_import(game), HasSubstr("off the board"));
  game = game_of({0, 3, 1, 4, 2, 5}, v1::MARK_X, Outcome::REASON_LINE);
  EXPECT_THAT(*check_import(game), HasSubstr("move 6 is not legal: the game was over before it"));
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

}  // namespace
}  // namespace tictactoe::hosting::import_tests
