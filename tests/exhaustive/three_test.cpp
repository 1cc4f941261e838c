// All of 3x3: the solver on every position, and the AI against every opponent.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>

#include "common/ai/player.hpp"
#include "common/ai/solver.hpp"
#include "common/rules/board.hpp"
#include "common/rules/game.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/play.hpp"

namespace tictactoe::three_tests {
namespace {

using ai::Level;
using ai::Player;
using oracle::Letters;
using rules::Board;
using rules::Cell;
using rules::Game;
using rules::Mark;
using rules::Rules;
using rules::Status;
using support::letters_of;

constexpr Rules three = Rules::square(3);

Board board_of(const Letters& letters) {
  Board board(three);
  for (int i = 0; i < 9; ++i) {
    const char c = letters[static_cast<std::size_t>(i / 3)][static_cast<std::size_t>(i % 3)];
    board.set({i / 3, i % 3}, c == 'X' ? Mark::x : c == 'O' ? Mark::o : Mark::none);
  }
  return board;
}

struct Position {
  Status status;
  Mark winner;
};
using Positions = std::map<Letters, Position>;

void play_every_game(Game& game, Positions& positions) {
  positions[letters_of(game)] = {game.status(), game.winner()};
  if (game.status() != Status::ongoing) return;
  for (const Cell cell : support::free_cells(game)) {
    ASSERT_EQ(game.play(cell), std::nullopt);
    play_every_game(game, positions);
    game.undo();
  }
}

/// All that games can reach.
const Positions& positions() {
  static const Positions all = [] {
    Positions found;
    Game game(three);
    play_every_game(game, found);
    return found;
  }();
  return all;
}

int marks_on(const Letters& board) {
  int marks = 0;
  for (const std::string& row : board) {
    marks += static_cast<int>(std::ranges::count_if(row, [](char c) { return c != '_'; }));
  }
  return marks;
}

TEST(ThreeByThree, solver_agrees_with_brute_force_everywhere) {
  ai::Solver solver(three);
  oracle::BruteForce brute(three);
  std::map<int, int> worth;  // by the score for X: 1, 0, -1; finished positions included
  for (const auto& [key, position] : positions()) {
    if (position.status != Status::ongoing) {
      const Mark winner = position.winner;
      ++worth[winner == Mark::x ? 1 : winner == Mark::o ? -1 : 0];
      continue;
    }
    Letters letters = key;
    const bool x_to_move = marks_on(letters) % 2 == 0;
    const char side = x_to_move ? 'X' : 'O';
    const auto answer = solver.solve(board_of(letters), x_to_move ? Mark::x : Mark::o, {});
    ASSERT_EQ(answer.score, brute.score(letters, side)) << letters[0] << letters[1] << letters[2];
    ASSERT_EQ(answer.cell, brute.best_cell(letters, side))
        << letters[0] << letters[1] << letters[2];
    ++worth[x_to_move ? *answer.score : -*answer.score];
  }
  EXPECT_EQ(worth, (std::map<int, int>{{1, 2'936}, {-1, 1'474}, {0, 1'068}}));
}

struct Tally {
  int won = 0;
  int drawn = 0;
  int lost = 0;
  friend bool operator==(const Tally&, const Tally&) = default;
};

/// Every game of that player, as `me`, against every possible opponent. The player follows along,
/// or, if `afresh`, a new one plays from each position.
void play_every_opponent(Game& game, Level level, Mark me, Player* follower, Tally& tally) {
  if (game.status() != Status::ongoing) {
    ++(game.winner() == me ? tally.won : game.winner() == Mark::none ? tally.drawn : tally.lost);
    return;
  }
  std::vector<Cell> cells = support::free_cells(game);
  if (game.to_move() == me) {
    const std::unique_ptr<Player> fresh =
        follower == nullptr ? make_player(level, game, 1) : nullptr;
    const ai::Choice choice = (fresh ? fresh.get() : follower)->choose({});
    if (level == Level::strong) {
      ASSERT_TRUE(choice.cannot_lose);
    }
    cells = {choice.cell};
  }
  for (const Cell cell : cells) {
    ASSERT_EQ(game.play(cell), std::nullopt);
    if (follower != nullptr) follower->played(cell);
    play_every_opponent(game, level, me, follower, tally);
    game.undo();
    if (follower != nullptr) follower->undone();
  }
}

Tally against_everybody(Level level, Mark me, Mark starter, bool afresh) {
  Game game(three, starter);
  const auto follower = afresh ? nullptr : make_player(level, game, 1);
  Tally tally;
  play_every_opponent(game, level, me, follower.get(), tally);
  return tally;
}

TEST(ThreeByThree, strong_loses_no_line_of_play) {
  for (const Mark starter : {Mark::x, Mark::o}) {
    for (const Mark me : {Mark::x, Mark::o}) {
      for (const bool afresh : {true, false}) {
        const Tally tally = against_everybody(Level::strong, me, starter, afresh);
        EXPECT_EQ(tally.lost, 0);
        EXPECT_GT(tally.won, 0);
      }
    }
  }
}

TEST(ThreeByThree, strong_knows_what_every_position_is_worth) {
  oracle::BruteForce brute(three);
  for (const auto& [key, position] : positions()) {
    if (position.status != Status::ongoing) continue;
    Letters letters = key;
    const Game game = support::game_from(letters, three);
    const char side = oracle::letter(game.to_move());
    const ai::Choice choice = make_player(Level::strong, game, 1)->choose({});
    const int score = brute.score(letters, side);
    ASSERT_EQ(choice.cannot_lose, score >= 0);
    ASSERT_EQ(brute.after(letters, oracle::letter_at(letters, choice.cell), side), score);
  }
}

// The figures that common/ai/README.md states.
TEST(ThreeByThree, suggester_loses_as_documented) {
  const Tally first = against_everybody(Level::suggester, Mark::x, Mark::x, true);
  const Tally second = against_everybody(Level::suggester, Mark::o, Mark::x, true);
  EXPECT_EQ(first, (Tally{71, 5, 3}));
  EXPECT_EQ(second, (Tally{380, 118, 39}));
}

TEST(ThreeByThree, strong_beats_random_in_nine_of_ten_games) {
  int won = 0;
  constexpr int games = 2'000;
  for (int i = 0; i < games; ++i) {
    Game game(three);
    const Mark me = i % 2 == 0 ? Mark::x : Mark::o;
    const auto seed = static_cast<std::uint64_t>(i);
    const auto strong = make_player(Level::strong, game, seed);
    const auto random = make_player(Level::random, game, seed);
    while (game.status() == Status::ongoing) {
      const Cell cell = (game.to_move() == me ? strong : random)->choose({}).cell;
      game.play(cell);
      strong->played(cell);
      random->played(cell);
    }
    ASSERT_NE(game.winner(), opponent(me));
    won += game.winner() == me;
  }
  EXPECT_GE(won, games * 9 / 10);
}

}  // namespace
}  // namespace tictactoe::three_tests
