#include "common/ai/zetters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "tests/support/play.hpp"

namespace tictactoe::ai::zetters_tests {
namespace {

using rules::Cell;
using rules::Game;
using rules::Mark;
using rules::Rules;
using support::game_of;

using Key = std::pair<int, int>;
Key key(Cell cell) {
  return {cell.row, cell.col};
}

TEST(TileAround, covers_every_cell_once) {
  for (int row = 0; row < 30; ++row) {
    for (int col = 0; col < 30; ++col) {
      const std::array tile = tile_around({row, col});
      std::set<Key> cells;
      for (const Cell cell : tile) {
        cells.insert(key(cell));
        // Each cell of the tile names the same tile, in the same order.
        if (cell.row >= 0 && cell.col >= 0) {
          ASSERT_EQ(tile_around(cell), tile);
        }
      }
      ASSERT_EQ(cells.size(), tile.size());
      ASSERT_TRUE(cells.contains({row, col}));
    }
  }
}

/// Whether these cells hold a whole line of some tile.
bool holds_a_line(const std::vector<Cell>& cells) {
  const auto has = [&](Cell cell) { return std::ranges::find(cells, cell) != cells.end(); };
  return std::ranges::any_of(cells, [&](Cell cell) {
    const std::array tile = tile_around(cell);
    return std::ranges::any_of(tile_lines, [&](TileCells line) {
      for (std::size_t i = 0; i < tile.size(); ++i) {
        if ((line >> i & 1) != 0 && !has(tile[i])) return false;
      }
      return true;
    });
  });
}

constexpr int period_rows = 12;
constexpr int period_cols = 4;

TEST(Tiles, repeat) {
  for (int row = 0; row < 3 * period_rows; ++row) {
    for (int col = 0; col < 9 * period_cols; ++col) {
      std::array tile = tile_around({row % period_rows, col % period_cols});
      for (Cell& cell : tile) {
        cell.row += row / period_rows * period_rows;
        cell.col += col / period_cols * period_cols;
      }
      ASSERT_EQ(tile_around({row, col}), tile);
    }
  }
}

// The tiles repeat, and a window of eight cells lies on the board whole, with every line in it. So
// the windows that begin in one period stand for those of boards of all sizes.
TEST(Tiles, every_window_of_eight_holds_a_line) {
  for (int row = 0; row < period_rows; ++row) {
    for (int col = 0; col < period_cols; ++col) {
      for (const Cell step : {Cell{0, 1}, Cell{1, 0}, Cell{1, 1}, Cell{1, -1}}) {
        std::vector<Cell> window;
        for (int i = 0; i < min_tiled_line; ++i) {
          // Columns from 8 on: an antidiagonal goes down to column 1.
          window.push_back({row + i * step.row, col + 2 * period_cols + i * step.col});
        }
        ASSERT_TRUE(holds_a_line(window)) << row << ' ' << col << ' ' << step.row << step.col;
      }
    }
  }
}

/// Plain search, one position at a time: whether the side that moves second in a tile stops all
/// lines, whatever the other side does.
class PlainTile {
 public:
  bool holds(unsigned own, unsigned theirs) {
    const auto [known, is_new] = known_.try_emplace({own, theirs}, true);
    if (!is_new) return known->second;
    bool holds = !has_line(theirs);
    for (unsigned i = 0; i < 12 && holds; ++i) {
      const unsigned after = theirs | 1U << i;
      if (((own | theirs) >> i & 1) == 0) holds = can_answer(own, after);
    }
    return known_[{own, theirs}] = holds;
  }

  bool can_answer(unsigned own, unsigned theirs) {
    if (has_line(theirs)) return false;
    if ((own | theirs) == 0xFFF) return true;
    for (unsigned i = 0; i < 12; ++i) {
      if (((own | theirs) >> i & 1) == 0 && holds(own | 1U << i, theirs)) return true;
    }
    return false;
  }

 private:
  static bool has_line(unsigned marks) {
    return std::ranges::any_of(tile_lines, [&](unsigned line) { return (marks & line) == line; });
  }

  std::map<std::pair<unsigned, unsigned>, bool> known_;
};

TEST(Tile, the_second_side_stops_every_line) {
  EXPECT_TRUE(tile_holds(0, 0));
  EXPECT_TRUE(PlainTile().holds(0, 0));
}

TEST(Tile, is_judged_as_by_plain_search) {
  PlainTile plain;
  std::mt19937 random(8);
  for (int i = 0; i < 3'000; ++i) {
    const auto own = static_cast<TileCells>(random() & random() & 0xFFF);
    const auto theirs = static_cast<TileCells>(random() & random() & 0xFFF & ~own);
    ASSERT_EQ(tile_holds(own, theirs), plain.holds(own, theirs)) << own << ' ' << theirs;
    const auto answer = tile_answer(own, theirs);
    ASSERT_EQ(answer.has_value(), (own | theirs) != 0xFFF && plain.can_answer(own, theirs));
    if (answer) {
      ASSERT_EQ((own | theirs) >> *answer & 1, 0);
      ASSERT_TRUE(plain.holds(own | 1U << *answer, theirs));
    }
  }
}

TEST(ZettersTiles, answers_in_the_same_tile_and_gives_up_on_two) {
  const Rules rules{20, 20, 8, true};
  const Cell taken{9, 9};
  const Position one(game_of(rules, {taken}));
  ZettersTiles tiles;
  EXPECT_TRUE(tiles.state(one).holds);
  tiles.update(one, taken);
  const PairingState state = tiles.state(one);
  EXPECT_TRUE(state.holds);
  ASSERT_TRUE(state.answer);
  EXPECT_EQ(tile_around(*state.answer), tile_around(taken));

  // One mark leaves some tiles safe, two in a row do not.
  const Position two(game_of(rules, {{9, 9}, {0, 0}, {9, 10}, {0, 19}, {15, 3}, {19, 0}, {15, 4}}));
  ZettersTiles all;
  for (const Cell cell : two.game().moves()) all.update(two, cell);
  ASSERT_NE(tile_around({9, 9}), tile_around({15, 3}));
  EXPECT_FALSE(all.state(two).holds);
}

// X has completed the column of a tile.
TEST(ZettersTiles, claim_nothing_once_a_line_of_a_tile_is_complete) {
  const Rules rules{15, 17, 8, true};
  const Game game = game_of(rules, {{2, 3},
                                    {3, 5},
                                    {3, 3},
                                    {4, 2},
                                    {4, 3},
                                    {4, 4},
                                    {5, 3},
                                    {6, 2},
                                    {6, 3},
                                    {8, 1},
                                    {7, 3},
                                    {14, 16},
                                    {8, 3}});
  const Position position(game);
  ZettersTiles tiles;
  for (const Cell cell : game.moves()) tiles.update(position, cell);
  EXPECT_FALSE(tiles.state(position).holds);
  EXPECT_FALSE(make_player(Level::strong, game, 1)->choose({.nodes = 1'000}).cannot_lose);
}

TEST(ZettersTiles, forgets_what_was_taken_back) {
  const Rules rules{20, 20, 8, true};
  Position position{Game(rules)};
  ZettersTiles tiles;
  std::mt19937 random(3);
  const auto play = [&](Cell cell) {
    position.play(cell);
    tiles.update(position, cell);
  };
  for (int i = 0; i < 200; ++i) {
    const Cell cell{static_cast<int>(random() % 20), static_cast<int>(random() % 20)};
    if (!position.is_free(cell)) continue;
    const PairingState before = tiles.state(position);
    const Cell probe = position.first_free_cell();
    play(probe);
    position.undo();
    tiles.update(position, probe);
    const PairingState after = tiles.state(position);
    ASSERT_EQ(after.holds, before.holds);
    ASSERT_EQ(after.answer, before.answer);
    if (position.wins_at(cell, position.to_move())) break;
    play(cell);
  }
}

}  // namespace
}  // namespace tictactoe::ai::zetters_tests
