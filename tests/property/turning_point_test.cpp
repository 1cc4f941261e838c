// Where a game was decided, compared with a search of every line of play.
#include "common/ai/turning_point.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace tictactoe::ai::turning_point_tests {
namespace {

using rules::Cell;
using rules::Game;
using rules::Mark;
using rules::Rules;

/// The results of positions, by plain minimax.
class Oracle {
 public:
  Mark result(Game& game) {
    if (game.status() != rules::Status::ongoing) return game.winner();
    const std::string key = position(game);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    const Mark side = game.to_move();
    Mark best = side == Mark::x ? Mark::o : Mark::x;
    for (const Cell cell : free_cells(game)) {
      game.play(cell);
      const Mark found = result(game);
      game.undo();
      if (found == side) best = side;
      if (found == Mark::none && best != side) best = Mark::none;
    }
    known_[key] = best;
    return best;
  }

  static std::vector<Cell> free_cells(const Game& game) {
    std::vector<Cell> cells;
    for (int row = 0; row < game.rules().rows; ++row) {
      for (int col = 0; col < game.rules().cols; ++col) {
        if (game.at({row, col}) == Mark::none) cells.push_back({row, col});
      }
    }
    return cells;
  }

 private:
  static std::string position(const Game& game) {
    std::string key(1, game.to_move() == Mark::x ? 'x' : 'o');
    for (int row = 0; row < game.rules().rows; ++row) {
      for (int col = 0; col < game.rules().cols; ++col) {
        key += static_cast<char>('0' + static_cast<int>(game.at({row, col})));
      }
    }
    return key;
  }

  std::map<std::string, Mark> known_;
};

/// Games at random to the end, or given up on the way.
void compare(const Rules& rules, int games, int first_judged, std::uint64_t nodes) {
  Oracle oracle;
  std::mt19937 random(7);
  for (int i = 0; i < games; ++i) {
    Game game(rules, i % 2 == 0 ? Mark::x : Mark::o);
    while (game.status() == rules::Status::ongoing) {
      const std::vector<Cell> cells = Oracle::free_cells(game);
      if (game.ply() > first_judged && random() % 16 == 0) break;
      game.play(cells[random() % cells.size()]);
    }
    if (game.ply() < first_judged) continue;
    // The positions before `first_judged` take the oracle too long.
    std::vector<Mark> results;
    Game position = game;
    while (position.ply() >= first_judged) {
      results.insert(results.begin(), oracle.result(position));
      if (!position.undo()) break;
    }
    int plies = game.ply();
    while (plies > first_judged &&
           results[static_cast<std::size_t>(plies - 1 - first_judged)] == results.back()) {
      --plies;
    }
    const auto found = find_turning_point(game, {.nodes = nodes});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->result, results.back());
    if (plies == first_judged && first_judged > 0) {
      EXPECT_LE(found->plies, first_judged);
      continue;
    }
    ASSERT_EQ(found->plies, plies) << "game " << i;
    if (plies == 0) {
      EXPECT_FALSE(found->before);
    } else {
      EXPECT_EQ(found->before, results[static_cast<std::size_t>(plies - 1 - first_judged)]);
    }
  }
}

TEST(TurningPoint, is_that_of_minimax_on_3x3) {
  compare(Rules::square(3), 500, 0, 100'000);
}

TEST(TurningPoint, is_that_of_minimax_on_4x4) {
  compare(Rules::square(4), 40, 9, 20'000);
  compare(Rules{4, 4, 3}, 40, 9, 20'000);
}

TEST(TurningPoint, is_not_sought_without_a_budget_or_on_a_large_board) {
  EXPECT_FALSE(find_turning_point(Game(Rules::square(5)), {.nodes = 0}));
  EXPECT_FALSE(find_turning_point(Game(Rules{30, 30, 5}), {}));
}

TEST(TurningPoint, says_what_it_knows_if_the_budget_ends) {
  Game game(Rules{6, 6, 4});
  for (const Cell cell :
       {Cell{2, 2}, Cell{0, 0}, Cell{2, 3}, Cell{0, 1}, Cell{2, 4}, Cell{5, 5}, Cell{2, 5}}) {
    game.play(cell);
  }
  ASSERT_EQ(game.winner(), Mark::x);
  const auto found = find_turning_point(game, {.nodes = 2});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->result, Mark::x);
  EXPECT_GT(found->plies, 0);
  EXPECT_FALSE(found->before);
}

}  // namespace
}  // namespace tictactoe::ai::turning_point_tests
