#include "common/ai/graded_player.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "tests/support/play.hpp"

namespace tictactoe::ai::graded_player_tests {
namespace {

using rules::Cell;
using rules::Game;
using rules::Mark;
using rules::Rules;
using rules::Status;
using support::game_of;

const Rules gomoku{15, 15, 5, true};

Level graded(int number) {
  return static_cast<Level>(static_cast<int>(Level::level_1) + number - 1);
}

Cell choice_of(int level, const Game& game, std::uint64_t seed) {
  return make_player(graded(level), game, seed)->choose({}).cell;
}

/// How many of 200 seeds choose one of these cells.
int count(int level, const Game& game, const std::vector<Cell>& wanted) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    found += static_cast<int>(std::ranges::count(wanted, choice_of(level, game, seed)));
  }
  return found;
}

TEST(GradedPlayer, weaker_levels_overlook_a_win_in_one_more_often) {
  // X threatens (7,7).
  const Game game = game_of(gomoku, {{7, 3}, {7, 2}, {7, 4}, {3, 3}, {7, 5}, {11, 11}, {7, 6}});
  const std::vector<Cell> block{{7, 7}};
  const int first = count(1, game, block);
  const int second = count(2, game, block);
  const int third = count(3, game, block);
  EXPECT_GT(first, 100);
  EXPECT_GT(second, first);
  EXPECT_GE(third, second);
  EXPECT_LT(third, 200);
  EXPECT_EQ(count(6, game, block), 200);
}

TEST(GradedPlayer, plays_near_the_marks_even_as_a_beginner) {
  const Game game = game_of(gomoku, {{7, 7}, {7, 8}, {8, 8}, {6, 6}, {9, 9}});
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Cell cell = choice_of(1, game, seed);
    EXPECT_TRUE(std::ranges::any_of(game.moves(),
                                    [&](Cell mark) {
                                      return std::max(std::abs(mark.row - cell.row),
                                                      std::abs(mark.col - cell.col)) <= 4;
                                    }))
        << cell.row << ',' << cell.col;
  }
}

TEST(GradedPlayer, chooses_after_a_takeback_like_a_new_player) {
  for (int level = 1; level <= 5; ++level) {
    Game game = game_of(gomoku, {{7, 7}, {7, 8}, {8, 8}});
    const auto player = make_player(graded(level), game, 4);
    player->played({6, 6});
    player->choose({});
    player->undone();
    EXPECT_EQ(player->choose({}), make_player(graded(level), game, 4)->choose({})) << level;
  }
}

TEST(GradedPlayer, spends_nodes_by_level_and_no_more_than_the_caller_allows) {
  for (std::size_t i = 1; i < skills.size(); ++i) {
    EXPECT_GE(skills[i].nodes, skills[i - 1].nodes);
    EXPECT_GE(skills[i].calculated, skills[i - 1].calculated);
    EXPECT_LE(skills[i].overlooked_wins, skills[i - 1].overlooked_wins);
    EXPECT_LE(skills[i].overlooked_threats, skills[i - 1].overlooked_threats);
  }
  // A thousand plies take a few milliseconds.
  EXPECT_LE(skills[4].nodes, 1'000U);
  const Game game = game_of(gomoku, {{7, 7}, {7, 8}, {8, 8}, {6, 6}});
  const auto limited = make_player(Level::level_8, game, 1)->choose({.nodes = 1'000, .stop = {}});
  EXPECT_EQ(limited.cell, make_player(Level::strong, game, 1)->choose({.nodes = 1'000}).cell);
}

/// Points in halves of the stronger one in pairs of games with the same opening.
int points(int stronger, int weaker, const Rules& rules, int pairs) {
  int halves = 0;
  for (int i = 0; i < 2 * pairs; ++i) {
    Game game(rules);
    game.play({rules.rows / 2 + i / 2 % 3 - 1, rules.cols / 2 + i / 6 % 3 - 1});
    const bool is_x = i % 2 == 0;
    const auto seed = static_cast<std::uint64_t>(i);
    const auto x = make_player(graded(is_x ? stronger : weaker), game, 2 * seed);
    const auto o = make_player(graded(is_x ? weaker : stronger), game, 2 * seed + 1);
    while (game.status() == Status::ongoing) {
      const Cell cell = (game.to_move() == Mark::x ? x : o)->choose({}).cell;
      game.play(cell);
      x->played(cell);
      o->played(cell);
    }
    if (game.winner() == Mark::none) ++halves;
    if (game.winner() == (is_x ? Mark::x : Mark::o)) halves += 2;
  }
  return halves;
}

// docs/engine.md has the measurements; this only shows that the order is right.
TEST(GradedPlayer, levels_are_in_order) {
  EXPECT_GT(points(3, 1, gomoku, 10), 26) << "of 40";
  EXPECT_GT(points(3, 1, Rules::square(3), 20), 45) << "of 80";
  EXPECT_GT(points(5, 3, Rules{7, 7, 4, true}, 4), 8) << "of 16";
}

}  // namespace
}  // namespace tictactoe::ai::graded_player_tests
