// Measures what AI players take on the heap while they choose, against the bound that a server
// reserves for it.
#include <gtest/gtest.h>

#include <cstdint>

#include "common/ai/player.hpp"
#include "tests/cost/heap.hpp"

namespace tictactoe::ai {
namespace {

using rules::Cell;
using rules::Game;
using rules::Rules;
using rules::Status;

/// Makes the largest tables. What programs hold for ever, such as the table of 3x3, is there
/// before.
constexpr std::uint64_t nodes = 300'000;
constexpr int plies = 4;

/// The level plays against itself, its first marks apart, so that no certificate is left.
void expect_within_bound(Level level, const Rules& rules) {
  make_player(level, Game(rules), 1)->choose({.nodes = nodes});
  Game game(rules);
  cost::reset_peak_held();
  const std::size_t before = cost::held();
  const auto player = make_player(level, game, 1);
  for (int ply = 0; ply < plies && game.status() == Status::ongoing; ++ply) {
    const Cell corner{ply % 2 * (rules.rows - 1), ply / 2 * (rules.cols - 1)};
    const Cell cell = ply < 2 ? corner : player->choose({.nodes = nodes}).cell;
    game.play(cell);
    player->played(cell);
  }
  const std::size_t most = max_memory(level, rules, plies) + max_choice_memory(level, rules);
  EXPECT_LE(cost::peak_held() - before, most)
      << name(level) << " " << rules.rows << "x" << rules.cols << "x" << rules.k;
}

TEST(ChoiceMemory, is_within_its_bound) {
  for (const Level level :
       {Level::random, Level::suggester, Level::strong, Level::level_3, Level::level_5}) {
    for (const Rules rules :
         {Rules::square(3), Rules{5, 4, 4, true}, Rules{6, 6, 5, true}, Rules::square(6),
          Rules{9, 9, 5, true}, Rules{15, 15, 5, true}, Rules{19, 19, 5, false}, Rules::square(15),
          Rules{60, 60, 6, true}, Rules{12, 30, 10, true}}) {
      expect_within_bound(level, rules);
    }
  }
}

// Otherwise the bound would be worth nothing.
TEST(ChoiceMemory, is_nearly_used) {
  const Rules rules{15, 15, 5, true};
  const auto player = make_player(Level::strong, Game(rules), 1);
  for (const Cell cell : {Cell{7, 7}, Cell{0, 0}, Cell{8, 9}}) player->played(cell);
  cost::reset_peak_held();
  const std::size_t before = cost::held();
  player->choose({.nodes = nodes});
  EXPECT_GT(cost::peak_held() - before, max_choice_memory(Level::strong, rules) / 2);
}

}  // namespace
}  // namespace tictactoe::ai
