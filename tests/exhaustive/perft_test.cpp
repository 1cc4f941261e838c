// All positions and games: perft against known counts, and against a plain walk through Game.
#include "common/rules/perft.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "common/rules/game.hpp"

namespace tictactoe::rules::perft_tests {
namespace {

TEST(Perft, three_by_three) {
  const Perft counted = perft(Rules::square(3));
  EXPECT_EQ(counted.positions, 5'478U);
  EXPECT_EQ(counted.distinct_positions, 765U);
  EXPECT_EQ(counted.games, 255'168U);
  EXPECT_EQ(counted.end_positions, (Perft::ByResult{16, 626, 316}));
  EXPECT_EQ(counted.ended_games, (Perft::ByResult{46'080, 131'184, 77'904}));
  EXPECT_EQ(counted.positions_by_ply,
            (std::vector<std::uint64_t>{1, 9, 72, 252, 756, 1'260, 1'520, 1'140, 390, 78}));
  EXPECT_EQ(counted.games_by_length,
            (std::vector<std::uint64_t>{0, 0, 0, 0, 0, 1'440, 5'328, 47'952, 72'576, 127'872}));
}

/// Counts by playing: every position once, identified by its number in base 3.
class PlainWalk {
 public:
  explicit PlainWalk(const Rules& rules) : game_(rules) {
    std::size_t size = 1;
    for (int i = 0; i < rules.cells(); ++i) {
      powers_.push_back(size);
      size *= 3;
    }
    seen_.resize(size);
    visit(0);
  }

  std::uint64_t positions = 0;
  Perft::ByResult ends{};

 private:
  void visit(std::size_t number) {
    if (seen_[number]) return;
    seen_[number] = true;
    ++positions;
    if (game_.status() != Status::ongoing) {
      ++ends[static_cast<std::size_t>(game_.winner())];
      return;
    }
    const auto digit = static_cast<std::size_t>(game_.to_move());
    for (int i = 0; i < game_.rules().cells(); ++i) {
      const Cell cell{i / game_.rules().cols, i % game_.rules().cols};
      if (game_.at(cell) != Mark::none) continue;
      game_.play(cell);
      visit(number + digit * powers_[static_cast<std::size_t>(i)]);
      game_.undo();
    }
  }

  Game game_;
  std::vector<std::size_t> powers_;
  std::vector<bool> seen_;
};

class PerftBySize : public testing::TestWithParam<Rules> {};
INSTANTIATE_TEST_SUITE_P(, PerftBySize,
                         testing::Values(Rules::square(3), Rules{3, 4, 3, true},
                                         Rules{3, 4, 4, true}, Rules{2, 6, 3, false},
                                         Rules{1, 11, 3, true}, Rules{4, 3, 3, false}));

TEST_P(PerftBySize, agrees_with_a_plain_walk) {
  const Perft counted = perft(GetParam());
  const PlainWalk walk(GetParam());
  EXPECT_EQ(counted.positions, walk.positions);
  EXPECT_EQ(counted.end_positions, walk.ends);
}

}  // namespace
}  // namespace tictactoe::rules::perft_tests
