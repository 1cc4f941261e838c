#include "common/ai/player.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cstdlib>
#include <stop_token>
#include <string>

#include "common/ai/position.hpp"
#include "common/ai/strong_search.hpp"
#include "tests/support/play.hpp"

namespace tictactoe::ai::players_tests {
namespace {

using rules::Cell;
using rules::Game;
using rules::Mark;
using rules::Rules;
using rules::Status;
using support::game_from;
using support::game_of;

constexpr auto levels = [] {
  std::array<Level, level_count> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Level>(i);
  return all;
}();

/// Enough to play sensibly, little enough for hundreds of games.
Budget small_budget() {
  return {.nodes = 2'000, .stop = {}};
}

Cell choice_of(Level level, const Game& game) {
  return make_player(level, game, 1)->choose(small_budget()).cell;
}

TEST(Level, names_and_back) {
  for (const Level level : levels) EXPECT_EQ(parse_level(name(level)), level);
  EXPECT_EQ(name(Level::strong), "strong");
  EXPECT_EQ(name(Level::level_3), "3");
  EXPECT_EQ(meaning(Level::level_3), "casual");
  EXPECT_EQ(meaning(Level::strong), "");
  EXPECT_EQ(parse_level("9"), std::nullopt);
  EXPECT_EQ(parse_level("Random"), std::nullopt);
  EXPECT_EQ(parse_level(""), std::nullopt);
}

std::string level_of(const testing::TestParamInfo<Level>& tested) {
  return std::string(name(tested.param));
}

class EveryLevel : public testing::TestWithParam<Level> {};
INSTANTIATE_TEST_SUITE_P(, EveryLevel, testing::ValuesIn(levels), level_of);

TEST_P(EveryLevel, plays_legal_moves_to_the_end) {
  for (const Rules rules : {Rules::square(3), Rules::square(4), Rules::square(7), Rules::square(20),
                            Rules{1, 5, 3, true}, Rules{3, 5, 5, true}, Rules{4, 6, 4, false},
                            Rules{6, 7, 4, true}, Rules{9, 12, 9, true}, Rules{8, 8, 5, false}}) {
    for (const Mark starter : {Mark::x, Mark::o}) {
      Game game(rules, starter);
      const auto player = make_player(GetParam(), game, 7);
      while (game.status() == Status::ongoing) {
        const Cell cell = player->choose(small_budget()).cell;
        ASSERT_EQ(game.play(cell), std::nullopt)
            << rules.rows << 'x' << rules.cols << 'x' << rules.k << " ply " << game.ply();
        player->played(cell);
      }
    }
  }
}

TEST_P(EveryLevel, same_seed_same_game) {
  for (const Rules rules : {Rules::square(3), Rules::square(6), Rules{7, 7, 4, true}}) {
    Game first(rules);
    const auto a = make_player(GetParam(), first, 99);
    const auto b = make_player(GetParam(), first, 99);
    while (first.status() == Status::ongoing) {
      const Choice choice = a->choose(small_budget());
      ASSERT_EQ(b->choose(small_budget()), choice);
      first.play(choice.cell);
      a->played(choice.cell);
      b->played(choice.cell);
    }
  }
}

TEST_P(EveryLevel, the_largest_board_costs_next_to_nothing) {
  for (const int k : {5, 12, Rules::max_side}) {
    Game game(Rules{Rules::max_side, Rules::max_side, k, true});
    const auto player = make_player(GetParam(), game, 5);
    // Beginners may win sooner.
    for (int ply = 0; ply < 20 && game.status() == Status::ongoing; ++ply) {
      const Cell cell = player->choose({.nodes = 100, .stop = {}}).cell;
      ASSERT_EQ(game.play(cell), std::nullopt);
      player->played(cell);
    }
  }
}

TEST(Effort, is_none_for_wins_and_blocks_and_much_among_threats) {
  const auto effort = [](const Game& game, Cell cell) { return effort_of(Position(game), cell); };
  const Game early = game_from({"X_O", "___", "___"}, Rules::square(3));
  EXPECT_EQ(effort(early, {1, 1}), Effort::some);
  const Game both = game_from({"XX_", "OO_", "___"}, Rules::square(3));
  EXPECT_EQ(effort(both, {0, 2}), Effort::none) << "a win";
  EXPECT_EQ(effort(both, {1, 2}), Effort::none) << "a block";
  EXPECT_EQ(effort(both, {2, 2}), Effort::some) << "overlooks both";
  const Game last = game_from({"XXO", "OOX", "XO_"}, Rules::square(3));
  EXPECT_EQ(effort(last, {2, 2}), Effort::none);
  const Rules wide{3, 7, 4, true};
  EXPECT_EQ(effort(game_from({"X______", "O______", "_______"}, wide), {2, 2}), Effort::some);
  EXPECT_EQ(effort(game_from({"XX_____", "O_O____", "_______"}, wide), {2, 2}), Effort::much);
}

TEST_P(EveryLevel, blocks_without_effort) {
  // Whatever a level sees, only its win and the block take none.
  const Game game = game_from({"XXX____", "OO_____", "_______"}, {3, 7, 4, true});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Choice choice = make_player(GetParam(), game, seed)->choose(small_budget());
    const bool is_block = choice.cell == Cell{0, 3};
    if (GetParam() == Level::random) {
      EXPECT_EQ(choice.effort, Effort::none);
    } else {
      EXPECT_EQ(choice.effort, is_block ? Effort::none : Effort::much);
    }
  }
}

class Thinker : public testing::TestWithParam<Level> {};
INSTANTIATE_TEST_SUITE_P(, Thinker, testing::Values(Level::suggester, Level::strong), level_of);

TEST_P(Thinker, wins_at_once_rather_than_blocks) {
  EXPECT_EQ(choice_of(GetParam(), game_from({"XX_", "OO_", "___"}, Rules::square(3))),
            (Cell{0, 2}));
  EXPECT_EQ(choice_of(GetParam(), game_from({"XX_", "OO_", "X__"}, Rules::square(3))),
            (Cell{1, 2}));
  const Game wide = game_from({"XXX____", "OOO____", "_______"}, {3, 7, 4, true});
  EXPECT_EQ(choice_of(GetParam(), wide), (Cell{0, 3}));
}

TEST_P(Thinker, blocks_on_every_kind_of_line) {
  EXPECT_EQ(choice_of(GetParam(), game_from({"XX_", "_O_", "___"}, Rules::square(3))),
            (Cell{0, 2}));
  EXPECT_EQ(choice_of(GetParam(), game_from({"X__", "XO_", "___"}, Rules::square(3))),
            (Cell{2, 0}));
  EXPECT_EQ(choice_of(GetParam(), game_from({"XO_", "_X_", "___"}, Rules::square(3))),
            (Cell{2, 2}));
  EXPECT_EQ(choice_of(GetParam(), game_from({"__X", "_XO", "___"}, Rules::square(3))),
            (Cell{2, 0}));
  // The position in which the document's own heuristic, blind on diagonals, loses.
  EXPECT_EQ(choice_of(GetParam(), game_from({"XXO", "O__", "__X"}, Rules::square(3))),
            (Cell{1, 1}));
}

TEST_P(Thinker, thinks_for_either_mark) {
  const Game game = game_from({"OO_", "XX_", "___"}, Rules::square(3), Mark::o);
  EXPECT_EQ(choice_of(GetParam(), game), (Cell{0, 2}));
}

TEST_P(Thinker, knows_that_an_overline_is_no_exact_win) {
  // In row 0 the gap would make five; exactly four comes from row 2 only.
  const Game game = game_from({"XX_XX___", "O_O_O_O_", "_XXX___O", "O_O_____"}, {4, 8, 4, false});
  ASSERT_EQ(game.to_move(), Mark::x);
  const Cell cell = choice_of(GetParam(), game);
  EXPECT_EQ(cell.row, 2);
  EXPECT_TRUE(cell.col == 0 || cell.col == 4) << cell.col;
}

// The marks are too far apart to be seen at once.
TEST(Strong, stops_a_win_far_away_and_claims_nothing) {
  for (const int side : {49, 100}) {
    const int far = side - 10;
    const Game game = game_of(Rules{side, side, 5, true}, {{far, 20},
                                                           {0, 0},
                                                           {far, 21},
                                                           {0, 1},
                                                           {far, 22},
                                                           {0, 2},
                                                           {far + 7, 30},
                                                           {0, 3},
                                                           {far + 9, 40},
                                                           {far + 9, 0},
                                                           {far - 10, side - 1},
                                                           {far + 9, 10}});
    const auto choice = make_player(Level::strong, game, 1)->choose(small_budget());
    EXPECT_EQ(choice.cell, (Cell{0, 4})) << side;
    EXPECT_FALSE(choice.cannot_lose) << side;
  }
}

TEST(Strong, first_answers_gomoku_beside_the_first_mark) {
  for (const int side : {15, 19}) {
    const Rules rules{side, side, 5, true};
    for (int i = 0; i < rules.cells(); ++i) {
      const Cell first{i / side, i % side};
      const Cell answer = choice_of(Level::strong, game_of(rules, {first}));
      EXPECT_LE(std::abs(answer.row - first.row), 1) << side << " " << i;
      EXPECT_LE(std::abs(answer.col - first.col), 1) << side << " " << i;
    }
  }
}

TEST(Strong, searches_as_long_as_the_caller_allows) {
  const Game game = game_of(Rules{15, 15, 5, true}, {{7, 7}, {6, 8}, {10, 3}, {3, 10}});
  const auto nodes = [&](const Budget& budget) { return strong_move(game, budget)->nodes; };
  EXPECT_EQ(nodes({.nodes = 4'200'000}), 4'200'000U);
  EXPECT_EQ(nodes({.nodes = 1'000}), 1'000U);
  // With a stop token alone there is no other limit, so without the stop this would go on for ever.
  std::stop_source stop;
  stop.request_stop();
  EXPECT_LT(nodes({.stop = stop.get_token()}), 10'000U);
}

TEST(Random, draws_every_free_cell_about_as_often) {
  const Game game = game_of(Rules::square(3), {{1, 1}, {0, 0}});
  std::array<int, 9> drawn{};
  for (std::uint64_t seed = 0; seed < 7'000; ++seed) {
    const Cell cell = make_player(Level::random, game, seed)->choose({}).cell;
    ++drawn[static_cast<std::size_t>(3 * cell.row + cell.col)];
  }
  EXPECT_EQ(drawn[0], 0);
  EXPECT_EQ(drawn[4], 0);
  for (const std::size_t free : {1U, 2U, 3U, 5U, 6U, 7U, 8U}) EXPECT_NEAR(drawn[free], 1'000, 150);
}

TEST(Suggester, extends_the_lines_that_it_has) {
  // X owns (0,0); row 0 is dead. Column 0 and the diagonal are alive.
  const Game game = game_from({"X_O_", "____", "____", "____"}, Rules::square(4));
  EXPECT_EQ(choice_of(Level::suggester, game), (Cell{1, 0}));
}

TEST(Suggester, falls_back_to_the_next_free_cell) {
  EXPECT_EQ(choice_of(Level::suggester, Game(Rules::square(3))), (Cell{0, 0}));
  EXPECT_EQ(choice_of(Level::suggester, game_of(Rules::square(3), {{0, 0}})), (Cell{0, 1}));
}

}  // namespace
}  // namespace tictactoe::ai::players_tests
