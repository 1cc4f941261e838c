#include "common/rules/game.hpp"

#include <gmock/gmock.h>

#include <initializer_list>

namespace tictactoe::rules::game_tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

void play_all(Game& game, std::initializer_list<Cell> cells) {
  for (const Cell cell : cells) {
    ASSERT_EQ(game.play(cell), std::nullopt) << "at " << cell.row << ',' << cell.col;
  }
}

TEST(Rules, sound_ones_have_no_problem) {
  EXPECT_EQ(Rules::square(3).problem(), std::nullopt);
  EXPECT_EQ(Rules::square(Rules::max_side).problem(), std::nullopt);
  EXPECT_EQ((Rules{1, 3, 3, true}.problem()), std::nullopt);
  EXPECT_EQ((Rules{15, 15, 5, false}.problem()), std::nullopt);
  EXPECT_EQ((Rules{3, 5, 5, true}.problem()), std::nullopt);
}

TEST(Rules, unsound_ones_say_what_is_wrong) {
  EXPECT_THAT((Rules{0, 3, 3, true}.problem().value()), HasSubstr("rows, not 0"));
  EXPECT_THAT((Rules{3, -1, 3, true}.problem().value()), HasSubstr("columns, not -1"));
  EXPECT_THAT((Rules{4097, 3, 3, true}.problem().value()), HasSubstr("rows, not 4097"));
  EXPECT_THAT((Rules{2, 2, 2, true}.problem().value()), HasSubstr("at least 3"));
  EXPECT_THAT((Rules{5, 5, 2, true}.problem().value()),
              HasSubstr("3 to 5 in a row on this board, not 2"));
  EXPECT_THAT((Rules{3, 5, 6, true}.problem().value()),
              HasSubstr("3 to 5 in a row on this board, not 6"));
}

TEST(Rules, square_means_full_lines_only) {
  EXPECT_TRUE(Rules::square(7).is_square());
  EXPECT_FALSE((Rules{7, 7, 5, true}.is_square()));
  EXPECT_FALSE((Rules{3, 5, 3, true}.is_square()));
}

TEST(Game, starts_empty_with_its_starter) {
  const Game game(Rules::square(3), Mark::o);
  EXPECT_EQ(game.starter(), Mark::o);
  EXPECT_EQ(game.to_move(), Mark::o);
  EXPECT_EQ(game.status(), Status::ongoing);
  EXPECT_EQ(game.winner(), Mark::none);
  EXPECT_EQ(game.ply(), 0);
  EXPECT_THAT(game.moves(), IsEmpty());
  EXPECT_EQ(game.at({2, 2}), Mark::none);
}

TEST(Game, refused_move_changes_nothing) {
  Game game(Rules::square(3));
  play_all(game, {{1, 1}});
  for (const Cell outside : {Cell{-1, 0}, Cell{0, -1}, Cell{3, 0}, Cell{0, 3}, Cell{99, -99}}) {
    EXPECT_EQ(game.play(outside), Refusal::off_board);
  }
  EXPECT_EQ(game.play({1, 1}), Refusal::occupied);
  EXPECT_EQ(game.ply(), 1);
  EXPECT_EQ(game.to_move(), Mark::o);
  EXPECT_EQ(game.at({1, 1}), Mark::x);
}

TEST(Game, one_move_may_complete_several_lines) {
  Game game(Rules::square(3));
  play_all(game, {{0, 0}, {0, 1}, {2, 2}, {1, 0}, {0, 2}, {1, 2}, {2, 0}, {2, 1}, {1, 1}});
  EXPECT_THAT(game.winning_lines(),
              UnorderedElementsAre(Line{LineKind::diagonal, {0, 0}, {2, 2}},
                                   Line{LineKind::antidiagonal, {0, 2}, {2, 0}}));
}

TEST(Game, freestyle_reports_the_whole_overline) {
  Game game(Rules{1, 9, 3, true});
  play_all(game, {{0, 0}, {0, 8}, {0, 1}, {0, 6}, {0, 3}, {0, 7}});
  EXPECT_EQ(game.winner(), Mark::o);
  EXPECT_TRUE(game.undo());
  play_all(game, {{0, 5}});
  play_all(game, {{0, 2}});
  EXPECT_EQ(game.winner(), Mark::x);
  EXPECT_THAT(game.winning_lines(), ElementsAre(Line{LineKind::row, {0, 0}, {0, 3}}));
}

TEST(Game, reset_forgets_everything) {
  for (const Rules rules : {Rules::square(3), Rules{3, 4, 3, true}}) {
    Game game(rules);
    play_all(game, {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}});
    game.reset(Mark::o);
    EXPECT_EQ(game.ply(), 0);
    EXPECT_EQ(game.starter(), Mark::o);
    EXPECT_EQ(game.to_move(), Mark::o);
    EXPECT_EQ(game.at({0, 0}), Mark::none);
    play_all(game, {{0, 2}, {1, 0}, {0, 1}, {1, 1}});
    EXPECT_EQ(game.status(), Status::ongoing) << "marks of the game before must not count";
    play_all(game, {{0, 0}});
    EXPECT_EQ(game.winner(), Mark::o);
  }
}

// Undoing a million moves would take tens of milliseconds.
TEST(Game, reset_gives_the_memory_of_a_long_game_back) {
  for (const int k : {100, 99}) {  // counters, and run lengths
    const Rules rules{100, 100, k};
    Game game(rules);
    for (int i = 0; i < 6'000; ++i) {
      ASSERT_EQ(game.play({i / 100, i % 100}), std::nullopt);
    }
    game.reset(Mark::o);
    EXPECT_EQ(game.memory(), Game(rules, Mark::o).memory());
    EXPECT_EQ(game.starter(), Mark::o);
    EXPECT_EQ(game.to_move(), Mark::o);
    EXPECT_EQ(game.ply(), 0);
    EXPECT_EQ(game.at({0, 0}), Mark::none);
    ASSERT_EQ(game.play({0, 0}), std::nullopt);
    EXPECT_EQ(game.at({0, 0}), Mark::o);
  }
}

TEST(Game, memory_stays_within_its_bound) {
  for (const Rules& rules : {Rules{60, 60, 60}, Rules{60, 60, 5}, Rules{90, 90, 90},
                             Rules{300, 200, 150}, Rules{3, 2'000, 1'000}}) {
    Game game(rules);
    for (int i = 0; i < 1'000; ++i) {
      const Cell cell{i % rules.rows, i * 7 % rules.cols};
      if (game.at(cell) != Mark::none) continue;
      if (game.play(cell)) break;
      ASSERT_LE(game.memory(), Game::max_memory(rules, static_cast<std::size_t>(game.ply())));
    }
    EXPECT_GT(game.ply(), 50);
  }
}

TEST(Game, copies_are_independent) {
  Game game(Rules{4, 4, 3, true});
  play_all(game, {{0, 0}, {3, 3}, {0, 1}});
  Game copy = game;
  play_all(copy, {{3, 2}, {0, 2}});
  EXPECT_EQ(copy.winner(), Mark::x);
  EXPECT_EQ(game.ply(), 3);
  EXPECT_EQ(game.at({0, 2}), Mark::none);
}

TEST(Game, corners_of_the_largest_board) {
  const int last = Rules::max_side - 1;
  Game game(Rules{Rules::max_side, Rules::max_side, 3, true});
  play_all(game, {{last, last}, {0, 0}, {last - 1, last - 1}, {0, last}, {last - 2, last - 2}});
  EXPECT_EQ(game.winner(), Mark::x);
  EXPECT_THAT(game.winning_lines(),
              ElementsAre(Line{LineKind::diagonal, {last - 2, last - 2}, {last, last}}));
}

TEST(SparseRunLengths, memory_follows_what_is_played) {
  const Rules rules{1000, 1000, 5, true};
  SparseRunLengths detector(rules);
  const std::size_t before = detector.memory();
  EXPECT_LT(before, 8'000U);
  for (int i = 0; i < 100; ++i) detector.place({500, 400 + i}, i % 2 == 0 ? Mark::x : Mark::o);
  EXPECT_LT(detector.memory() - before, 64U * 1024);
}

}  // namespace
}  // namespace tictactoe::rules::game_tests
