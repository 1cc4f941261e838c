#include "common/ai/pairing.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "tests/support/opponents.hpp"
#include "tests/support/play.hpp"

namespace tictactoe::ai::pairing_tests {
namespace {

using rules::Cell;
using rules::LineKind;
using rules::Rules;
using support::game_from;
using support::game_of;

TEST(PairOf, gives_every_line_two_cells_of_its_own) {
  for (int n = 5; n <= 200; ++n) {
    std::set<std::pair<int, int>> owned;
    const auto check = [&](LineTable::Id line) {
      for (const Cell cell : pair_of(line, n)) {
        bool on_line = false;
        for (int i = 0; i < n; ++i) on_line |= LineTable::cell(line, i) == cell;
        ASSERT_TRUE(on_line) << "n = " << n;
        ASSERT_TRUE(owned.emplace(cell.row, cell.col).second) << "n = " << n;
      }
    };
    const auto side = static_cast<std::int16_t>(n);
    for (std::int16_t i = 0; i < side; ++i) {
      check({i, 0, LineKind::row});
      check({0, i, LineKind::column});
    }
    check({0, 0, LineKind::diagonal});
    check({0, static_cast<std::int16_t>(side - 1), LineKind::antidiagonal});
    EXPECT_EQ(owned.size(), static_cast<std::size_t>(4 * n + 4));
  }
}

TEST(PartnerOf, is_mutual) {
  const Rules rules{40, 40, 9, true};
  for (int row = 0; row < rules.rows; ++row) {
    for (int col = 0; col < rules.cols; ++col) {
      if (const auto partner = partner_of({row, col}, rules)) {
        EXPECT_EQ(partner_of(*partner, rules), (Cell{row, col}));
      }
    }
  }
}

TEST(PartnerOf, every_window_of_nine_holds_a_pair) {
  for (int rows = 1; rows <= 24; ++rows) {
    for (int cols = 9; cols <= 24; ++cols) {
      const Rules rules{rows, cols, 9, true};
      for (const support::Window& window : support::windows(rules)) {
        bool paired = false;
        for (std::size_t i = 0; i + 1 < window.size(); ++i) {
          paired |= partner_of(window[i], rules) == window[i + 1];
        }
        ASSERT_TRUE(paired) << rows << 'x' << cols;
      }
    }
  }
}

TEST(SquarePairing, holds_on_the_empty_board_without_an_answer) {
  for (const int n : {5, 6, 17, 100}) {
    const PairingState state = square_pairing(Position(rules::Game(Rules::square(n))));
    EXPECT_TRUE(state.holds);
    EXPECT_EQ(state.answer, std::nullopt);
  }
}

TEST(SquarePairing, answers_with_the_partner) {
  // The corners own the diagonals.
  const PairingState state = square_pairing(Position(game_of(Rules::square(7), {{0, 0}})));
  EXPECT_TRUE(state.holds);
  EXPECT_EQ(state.answer, (Cell{6, 6}));
}

TEST(SquarePairing, one_answer_may_mend_two_lines) {
  // Both broken lines, row 1 and column 3, run through (1,3), which is free.
  const auto row = pair_of({1, 0, LineKind::row}, 6)[0];
  const auto column = pair_of({0, 3, LineKind::column}, 6)[0];
  ASSERT_NE(row, (Cell{1, 3}));
  ASSERT_NE(column, (Cell{1, 3}));
  const Position position(game_of(Rules::square(6), {row, {5, 2}, column}));
  const PairingState state = square_pairing(position);
  EXPECT_TRUE(state.holds);
  EXPECT_EQ(state.answer, (Cell{1, 3}));
}

TEST(SquarePairing, gives_up_where_two_lines_cannot_be_mended_at_once) {
  // Rows 1 and 2 have lost a cell of their pairs each and share none.
  const auto first = pair_of({1, 0, LineKind::row}, 6)[0];
  const auto second = pair_of({2, 0, LineKind::row}, 6)[0];
  const Position position(game_of(Rules::square(6), {first, {5, 5}, second}));
  EXPECT_FALSE(square_pairing(position).holds);
}

TEST(TiledPairing, answers_with_the_partner_and_gives_up_on_two) {
  const Rules rules{20, 20, 9, true};
  const Cell taken{9, 9};
  const Position one(game_of(rules, {taken}));
  const PairingState state = tiled_pairing(one, std::vector<Cell>{taken});
  EXPECT_TRUE(state.holds);
  const Cell far{18, 3};
  const Position two(game_of(rules, {taken, {0, 19}, far}));
  EXPECT_FALSE(tiled_pairing(two, std::vector<Cell>{taken, far}).holds);
}

}  // namespace
}  // namespace tictactoe::ai::pairing_tests
