// Boards too large to exhaust: thousands of games of the level strong against opponents that
// know nothing of the engine, in both roles. A game ends early if the opponent has no line left.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "common/ai/player.hpp"
#include "common/ai/solver.hpp"
#include "common/rules/board.hpp"
#include "tests/support/opponents.hpp"
#include "tests/support/scale.hpp"

namespace tictactoe::large_tests {
namespace {

using ai::Level;
using rules::Cell;
using rules::Game;
using rules::Mark;
using rules::Rules;
using rules::Status;
using support::Opponent;
using support::Style;

constexpr std::array styles{Style::random, Style::greedy, Style::line_hunter, Style::fork_hunter};

/// Plays one game; fails the test if that side loses or doubts.
void play_game(Level level, const Rules& rules, Mark me, Mark starter, Style style,
               std::uint64_t seed) {
  Game game(rules, starter);
  Opponent other(rules, opponent(me), style, seed);
  const auto player = make_player(level, game, seed);
  while (game.status() == Status::ongoing && other.can_win(game)) {
    Cell cell;
    if (game.to_move() == me) {
      // A hundred nodes cut the planning of traps short: those are tested on their own.
      const ai::Choice choice = player->choose({.nodes = 100, .stop = {}});
      ASSERT_TRUE(choice.cannot_lose) << "ply " << game.ply();
      cell = choice.cell;
    } else {
      cell = other.choose(game);
    }
    ASSERT_EQ(game.play(cell), std::nullopt);
    player->played(cell);
  }
  ASSERT_NE(game.winner(), opponent(me));
}

void play_match(const Rules& rules, int games) {
  for (int i = 0; i < games; ++i) {
    const Mark me = i % 2 == 0 ? Mark::x : Mark::o;
    const Mark starter = i / 2 % 4 == 3 ? Mark::o : Mark::x;
    const Style style = styles[static_cast<std::size_t>(i / 2) % styles.size()];
    SCOPED_TRACE(testing::Message()
                 << rules.rows << 'x' << rules.cols << 'x' << rules.k << " game " << i);
    play_game(Level::strong, rules, me, starter, style, static_cast<std::uint64_t>(i));
    if (testing::Test::HasFatalFailure()) return;
  }
}

class Square : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(, Square,
                         testing::Values(4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
                                         20, 24, 25, 31, 32, 33, 48, 63, 64));

TEST_P(Square, strong_never_loses) {
  const int n = GetParam();
  const int games = n <= 8 ? 800 : n <= 20 ? 160 : 24;
  play_match(Rules::square(n), support::scaled(games));
}

class LongLines : public testing::TestWithParam<Rules> {};
INSTANTIATE_TEST_SUITE_P(, LongLines,
                         testing::Values(Rules{10, 10, 9, true}, Rules{9, 14, 9, true},
                                         Rules{15, 15, 9, false}, Rules{3, 20, 9, true},
                                         Rules{20, 30, 10, true}, Rules{13, 11, 12, true},
                                         Rules{40, 40, 9, true}));

TEST_P(LongLines, strong_never_loses) {
  const int games = GetParam().cells() <= 400 ? 160 : 24;
  play_match(GetParam(), support::scaled(games));
}

struct Hunted {
  int rows;
  int cols;
  int games;
};
class EightInARow : public testing::TestWithParam<Hunted> {};
INSTANTIATE_TEST_SUITE_P(, EightInARow,
                         testing::Values(Hunted{8, 8, 160}, Hunted{8, 9, 160}, Hunted{9, 9, 160},
                                         Hunted{10, 10, 160}, Hunted{12, 15, 120},
                                         Hunted{17, 19, 120}, Hunted{25, 25, 72},
                                         Hunted{40, 40, 48}, Hunted{8, 100, 48},
                                         Hunted{100, 100, 16}));

/// 1,064 games.
TEST_P(EightInARow, perfect_is_never_beaten_by_hunters) {
  const Hunted& hunted = GetParam();
  constexpr std::array hunters{Style::line_hunter, Style::fork_hunter};
  for (int i = 0; i < support::scaled(hunted.games); ++i) {
    // Every seat, starter, hunter and rule for longer lines with every other.
    const Mark me = i % 2 == 0 ? Mark::x : Mark::o;
    const Style style = hunters[static_cast<std::size_t>(i / 2) % hunters.size()];
    const Mark starter = i / 4 % 2 == 0 ? Mark::x : Mark::o;
    const Rules rules{hunted.rows, hunted.cols, 8, i / 8 % 2 == 0};
    SCOPED_TRACE(testing::Message() << rules.rows << 'x' << rules.cols << " game " << i);
    play_game(Level::perfect, rules, me, starter, style, static_cast<std::uint64_t>(i));
    if (HasFatalFailure()) return;
  }
}

TEST(Huge, strong_and_its_opponent_cost_little) {
  for (const Rules rules :
       {Rules::square(1000), Rules{1000, 1000, 9, true}, Rules{1000, 1000, 8, true}}) {
    Game game(rules);
    const auto player = make_player(Level::strong, game, 1);
    const auto other = make_player(Level::suggester, game, 1);
    for (int ply = 0; ply < support::scaled(3'000) && game.status() == Status::ongoing; ++ply) {
      const bool mine = game.to_move() == Mark::x;
      if (mine) {
        ASSERT_TRUE(player->quick());
      }
      const ai::Choice choice = (mine ? player : other)->choose({});
      if (mine) {
        ASSERT_TRUE(choice.cannot_lose);
      }
      ASSERT_EQ(game.play(choice.cell), std::nullopt);
      player->played(choice.cell);
      other->played(choice.cell);
    }
    EXPECT_NE(game.winner(), Mark::o);
  }
}

/// To the last cell, long after the last line is dead.
TEST(FullBoards, strong_stays_certain_and_quick) {
  for (const Rules rules : {Rules::square(16), Rules::square(17), Rules::square(24),
                            Rules::square(33), Rules{20, 25, 9, true}, Rules{20, 25, 8, true}}) {
    for (const Level level : {Level::suggester, Level::random}) {
      Game game(rules, level == Level::random ? Mark::x : Mark::o);
      const auto player = make_player(Level::strong, game, 1);
      const auto other = make_player(level, game, 1);
      while (game.status() == Status::ongoing) {
        const bool mine = game.to_move() == Mark::x;
        if (mine && game.ply() > 1) {
          ASSERT_TRUE(player->quick()) << rules.rows << " ply " << game.ply();
        }
        const ai::Choice choice = (mine ? player : other)->choose({.nodes = 100, .stop = {}});
        if (mine) {
          ASSERT_TRUE(choice.cannot_lose) << rules.rows << " ply " << game.ply();
        }
        ASSERT_EQ(game.play(choice.cell), std::nullopt);
        player->played(choice.cell);
        other->played(choice.cell);
      }
      EXPECT_NE(game.winner(), Mark::o);
    }
  }
}

/// The least of three tries, as other programs on the machine disturb each.
double seconds_of_choice(ai::Player& player, ai::Choice& choice) {
  double least = 1e9;
  for (int i = 0; i < 3; ++i) {
    const std::clock_t begin = std::clock();
    choice = player.choose({});
    least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return least;
}

TEST(GradedCost, of_a_move_up_to_level_5_is_at_most_20_ms) {
  constexpr double limit = 0.020 * (support::optimised ? 1 : 20);
  for (const Level level :
       {Level::level_1, Level::level_2, Level::level_3, Level::level_4, Level::level_5}) {
    double longest = 0;
    for (int i = 0; i < support::scaled(40); ++i) {
      Game game(Rules{15, 15, 5, true});
      const auto player = make_player(level, game, static_cast<std::uint64_t>(i));
      while (game.status() == Status::ongoing) {
        ai::Choice choice;
        longest = std::max(longest, seconds_of_choice(*player, choice));
        ASSERT_EQ(game.play(choice.cell), std::nullopt);
        player->played(choice.cell);
      }
    }
    EXPECT_LE(longest, limit) << "level " << ai::name(level);
  }
}

// The larger ones of the known results. The nodes are some more than are needed.
TEST(KnownGames, are_solved) {
  struct Known {
    Rules rules;
    int score;
    std::uint64_t nodes;
    std::size_t table = std::size_t{1} << 20;
  };
  for (const Known& known : {Known{{6, 5, 4, true}, 1, 20'000}, Known{{7, 7, 5, true}, 0, 250'000},
                             Known{{8, 4, 4, true}, 0, 1'500'000, std::size_t{64} << 20}}) {
    ai::Solver solver(known.rules, known.table);
    const ai::Solver::Answer answer =
        solver.solve(rules::Board(known.rules), rules::Mark::x, {.nodes = known.nodes});
    EXPECT_EQ(answer.score, known.score)
        << known.rules.rows << 'x' << known.rules.cols << 'x' << known.rules.k;
  }
}

/// The suggester can be beaten without a risk on these, as either player, but for second on 3x3.
TEST(Traps, strong_beats_the_suggester) {
  for (int n = 3; n <= 10; ++n) {
    for (const Mark me : {Mark::x, Mark::o}) {
      Game game(Rules::square(n));
      const auto player = make_player(Level::strong, game, 1);
      const auto other = make_player(Level::suggester, game, 1);
      while (game.status() == Status::ongoing) {
        const Cell cell = (game.to_move() == me ? player : other)->choose({}).cell;
        ASSERT_EQ(game.play(cell), std::nullopt);
        player->played(cell);
        other->played(cell);
      }
      const bool drawn = n == 3 && me == Mark::o;
      EXPECT_EQ(game.winner(), drawn ? Mark::none : me) << n << 'x' << n;
    }
  }
}

}  // namespace
}  // namespace tictactoe::large_tests
