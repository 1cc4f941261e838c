// The solver and the certificates of the strong level against brute force, on small boards of
// every shape.
#include "common/ai/solver.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <stop_token>
#include <vector>

#include "common/ai/pair_cover.hpp"
#include "common/ai/player.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/play.hpp"

namespace tictactoe::solver_tests {
namespace {

using oracle::Letters;
using rules::Board;
using rules::Cell;
using rules::Game;
using rules::Mark;
using rules::Rules;
using rules::Status;
using support::letters_of;

constexpr int max_free_cells = 7;

Rules any_small_rules() {
  const Rules rules = *rc::gen::element(
      Rules::square(3), Rules::square(4), Rules::square(5), Rules{3, 4, 3, true},
      Rules{4, 3, 3, false}, Rules{4, 4, 3, true}, Rules{2, 6, 4, true}, Rules{1, 9, 3, false},
      Rules{3, 5, 4, true}, Rules{4, 5, 4, false}, Rules{5, 5, 4, true}, Rules{3, 5, 5, true});
  return rules;
}

/// An unfinished game with few free cells left.
Game any_late_game(const Rules& rules, int max_free = max_free_cells) {
  std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
  const int free = std::uniform_int_distribution<int>(1, max_free)(random);
  const Mark starter = random() % 2 == 0 ? Mark::x : Mark::o;
  for (;;) {
    Game game(rules, starter);
    std::vector<Cell> cells = support::free_cells(game);
    std::ranges::shuffle(cells, random);
    cells.resize(static_cast<std::size_t>(std::max(0, rules.cells() - free)));
    for (const Cell cell : cells) game.play(cell);
    if (game.status() == Status::ongoing) return game;
  }
}

RC_GTEST_PROP(SolverProperty, agrees_with_brute_force, ()) {
  const Game game = any_late_game(any_small_rules());
  Letters letters = letters_of(game);
  Board board(game.rules());
  for (const Cell cell : game.moves()) board.set(cell, game.at(cell));
  oracle::BruteForce brute(game.rules());
  ai::Solver solver(game.rules());
  const Mark side = game.to_move();
  const auto answer = solver.solve(board, side, {});
  RC_ASSERT(answer.score == brute.score(letters, oracle::letter(side)));
  RC_ASSERT(answer.cell == brute.best_cell(letters, oracle::letter(side)));
  // The table of the first search serves the second, which must not change what it says.
  const auto again = solver.solve(board, side, {});
  RC_ASSERT(again.score == answer.score);
  RC_ASSERT(again.cell == answer.cell);
}

RC_GTEST_PROP(PairCoverProperty, stops_only_who_cannot_win, ()) {
  const Game game = any_late_game(any_small_rules());
  Letters letters = letters_of(game);
  std::array<ai::CellSet, 2> marks{};
  for (const Cell cell : game.moves()) {
    marks[game.at(cell) == game.to_move() ? 0 : 1] |= ai::CellSet{1}
                                                      << (cell.row * game.rules().cols + cell.col);
  }
  const ai::PairCover cover(game.rules());
  const int score = oracle::BruteForce(game.rules()).score(letters, oracle::letter(game.to_move()));
  const bool stops_mover = cover.stops(marks[0], marks[1]);
  const bool stops_other = cover.stops(marks[1], marks[0]);
  RC_CLASSIFY(stops_mover, "the side to move is stopped");
  RC_CLASSIFY(stops_other, "the other side is stopped");
  if (stops_mover) RC_ASSERT(score <= 0);
  if (stops_other) RC_ASSERT(score >= 0);
}

TEST(PairCover, is_found_where_pairs_are_known) {
  const auto stops = [](const Rules& rules) { return ai::PairCover(rules).stops(0, 0); };
  for (const Rules rules : {Rules::square(5), Rules::square(6), Rules::square(8),
                            Rules{3, 5, 5, true}, Rules{1, 8, 4, true}}) {
    EXPECT_TRUE(stops(rules)) << rules.rows << 'x' << rules.cols;
  }
  // The first player wins the first two; the lines of the others have fewer cells than pairs need.
  for (const Rules rules : {Rules{4, 4, 3, true}, Rules{3, 5, 3, true}, Rules::square(3),
                            Rules::square(4), Rules{5, 5, 4, true}}) {
    EXPECT_FALSE(stops(rules)) << rules.rows << 'x' << rules.cols;
  }
}

RC_GTEST_PROP(StrongProperty, certifies_no_lost_position, ()) {
  const Game game = any_late_game(any_small_rules());
  Letters letters = letters_of(game);
  oracle::BruteForce brute(game.rules());
  const char side = oracle::letter(game.to_move());
  const int score = brute.score(letters, side);
  const ai::Choice choice = make_player(ai::Level::strong, game, 1)->choose({});
  // On boards as small as these, search settles what the certificates leave open.
  RC_ASSERT(choice.cannot_lose == (score >= 0));
  if (score >= 0) {
    RC_ASSERT(brute.after(letters, oracle::letter_at(letters, choice.cell), side) >= 0);
  }
}

/// A reply that wins, or any.
Cell any_reply(ai::Solver& solver, const Game& game, std::mt19937& random) {
  Board board(game.rules());
  for (const Cell cell : game.moves()) board.set(cell, game.at(cell));
  const ai::Solver::Answer best = solver.solve(board, game.to_move(), {});
  const std::vector<Cell> cells = support::free_cells(game);
  return best.score == 1 ? *best.cell : cells[random() % cells.size()];
}

RC_GTEST_PROP(StrongProperty, keeps_what_it_claims_without_any_time, ()) {
  const Rules rules = *rc::gen::element(Rules{4, 4, 3, true}, Rules{3, 5, 3, false},
                                        Rules{5, 5, 4, true}, Rules{4, 5, 4, false});
  Game game = any_late_game(rules, 16);
  std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
  const Mark side = game.to_move();
  const auto player = make_player(ai::Level::strong, game, 1);
  const ai::Choice claim = player->choose({});
  RC_PRE(claim.cannot_lose);
  std::stop_source over;
  over.request_stop();
  ai::Solver adversary(game.rules());
  for (Cell cell = claim.cell;;) {
    game.play(cell);
    player->played(cell);
    if (game.status() != Status::ongoing) break;
    const bool own = game.to_move() == side;
    cell =
        own ? player->choose({.stop = over.get_token()}).cell : any_reply(adversary, game, random);
  }
  RC_ASSERT(game.winner() != rules::opponent(side));
}

TEST(Solver, known_games) {
  struct Known {
    Rules rules;
    int score;
  };
  for (const auto& [rules, score] :
       {Known{{3, 4, 3, true}, 1}, Known{{3, 5, 3, true}, 1}, Known{{4, 4, 3, true}, 1},
        Known{{3, 4, 4, true}, 0}, Known{{4, 4, 4, true}, 0}, Known{{5, 4, 4, true}, 0},
        Known{{5, 5, 5, true}, 0}, Known{{6, 6, 6, true}, 0}, Known{{5, 5, 4, true}, 0},
        Known{{6, 6, 5, true}, 0}, Known{{7, 6, 5, true}, 0}}) {
    ai::Solver solver(rules);
    EXPECT_EQ(solver.solve(Board(rules), Mark::x, {}).score, score)
        << rules.rows << 'x' << rules.cols << 'x' << rules.k;
  }
}

// Without the search for forks the first takes 70 times as many nodes, the second 7 times.
TEST(Solver, forks_save_nodes) {
  const auto nodes = [](const Rules& rules) {
    return ai::Solver(rules).solve(Board(rules), Mark::x, {}).nodes;
  };
  EXPECT_LT(nodes({6, 5, 4, true}), 20'000U);
  EXPECT_LT(nodes({5, 5, 4, true}), 4'000U);
}

TEST(Solver, says_where_the_budget_ends) {
  const Rules rules{6, 7, 4, true};
  ai::Solver solver(rules);
  const auto answer = solver.solve(Board(rules), Mark::x, {.nodes = 1'000, .stop = {}});
  EXPECT_EQ(answer.score, std::nullopt);
  EXPECT_EQ(answer.cell, std::nullopt);
  EXPECT_LE(answer.nodes, 1'000U);
  // A search that was cut off leaves nothing wrong behind.
  Board late(rules);
  for (int col = 0; col < 3; ++col) late.set({0, col}, Mark::x);
  for (int col = 0; col < 2; ++col) late.set({5, col}, Mark::o);
  const auto block = solver.solve(late, Mark::x, {});
  EXPECT_EQ(block.score, 1);
  EXPECT_EQ(block.cell, (Cell{0, 3}));
}

TEST(Solver, stops_when_asked) {
  const Rules rules{6, 7, 4, true};
  ai::Solver solver(rules);
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(solver.solve(Board(rules), Mark::x, {.stop = source.get_token()}).score, std::nullopt);
}

TEST(Solver, takes_any_number_of_marks) {
  Board board(Rules::square(3));
  board.set({0, 0}, Mark::x);
  board.set({1, 1}, Mark::x);
  ai::Solver solver(board.rules());
  EXPECT_EQ(solver.solve(board, Mark::x, {}).score, 1);
  // Two marks ahead win against any reply, so the first reply is as good as all others.
  const auto defence = solver.solve(board, Mark::o, {});
  EXPECT_EQ(defence.score, -1);
  EXPECT_EQ(defence.cell, (Cell{0, 1}));
}

}  // namespace
}  // namespace tictactoe::solver_tests
