// Every detector against the slow truth of tests/support/oracle.hpp, over random games in which
// marks are also taken back.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <optional>
#include <utility>
#include <vector>

#include "common/rules/detectors/line_counters.hpp"
#include "common/rules/detectors/run_lengths.hpp"
#include "common/rules/game.hpp"
#include "tests/support/oracle.hpp"

namespace tictactoe::rules::detectors_tests {
namespace {

Rules any_rules(bool square) {
  if (square) return Rules::square(*rc::gen::inRange(3, 8));
  const int rows = *rc::gen::inRange(1, 13);
  const int cols = *rc::gen::inRange(rows < 3 ? 3 : 1, 13);
  const int k = *rc::gen::inRange(3, std::max(rows, cols) + 1);
  return {rows, cols, k, *rc::gen::arbitrary<bool>()};
}

/// A stream of steps that is long enough to fill boards and dense enough to make runs.
std::vector<std::uint32_t> any_steps() {
  return *rc::gen::container<std::vector<std::uint32_t>>(
      static_cast<std::size_t>(*rc::gen::inRange(1, 300)), rc::gen::arbitrary<std::uint32_t>());
}

template <class D>
class DetectorProperty : public testing::Test {};

using Detectors = testing::Types<LineCounters, RunLengths, SparseRunLengths>;
TYPED_TEST_SUITE(DetectorProperty, Detectors);

TYPED_TEST(DetectorProperty, agrees_with_the_oracle) {
  const bool square_only = !TypeParam::supports(Rules{3, 4, 3, true});
  EXPECT_TRUE(rc::check([square_only] {
    const Rules rules = any_rules(square_only || *rc::gen::arbitrary<bool>());
    TypeParam detector(rules);
    oracle::Letters board = oracle::empty_board(rules);
    std::vector<std::pair<Cell, Mark>> placed;
    for (const std::uint32_t step : any_steps()) {
      // One step in five takes a mark back; a mark is X or O as it comes, not in turns.
      if (step % 5 == 0 && !placed.empty()) {
        const auto [cell, mark] = placed.back();
        placed.pop_back();
        detector.take_back(cell, mark);
        oracle::letter_at(board, cell) = '_';
        continue;
      }
      const auto index = static_cast<int>((step >> 8) % static_cast<std::uint32_t>(rules.cells()));
      const Cell cell{index / rules.cols, index % rules.cols};
      if (oracle::letter_at(board, cell) != '_') continue;
      const Mark mark = (step >> 4) % 3 == 0 ? Mark::o : Mark::x;
      oracle::letter_at(board, cell) = oracle::letter(mark);
      placed.emplace_back(cell, mark);
      const bool won = oracle::has_won(board, rules, oracle::letter(mark));
      RC_ASSERT(detector.place(cell, mark) == won);
      if (won) {  // taken back, as play ends at a win
        detector.take_back(cell, mark);
        placed.pop_back();
        oracle::letter_at(board, cell) = '_';
      }
    }
  }));
}

RC_GTEST_PROP(GameProperty, agrees_with_the_oracle, ()) {
  const Rules rules = any_rules(*rc::gen::arbitrary<bool>());
  const Mark starter = *rc::gen::element(Mark::x, Mark::o);
  Game game(rules, starter);
  oracle::Letters board = oracle::empty_board(rules);
  int marks = 0;
  for (const std::uint32_t step : any_steps()) {
    if (step % 4 == 0) {
      const std::optional<Cell> last =
          marks > 0 ? std::optional(game.moves().back()) : std::nullopt;
      RC_ASSERT(game.undo() == last.has_value());
      if (last) {
        oracle::letter_at(board, *last) = '_';
        --marks;
      }
    } else {
      const auto index = static_cast<int>((step >> 8) % static_cast<std::uint32_t>(rules.cells()));
      const Cell cell{index / rules.cols, index % rules.cols};
      const Mark mover = game.to_move();
      const bool over = game.status() != Status::ongoing;
      const bool taken = oracle::letter_at(board, cell) != '_';
      const auto refused = game.play(cell);
      if (over) {
        RC_ASSERT(refused == Refusal::game_over);
      } else if (taken) {
        RC_ASSERT(refused == Refusal::occupied);
      } else {
        RC_ASSERT(!refused);
        oracle::letter_at(board, cell) = oracle::letter(mover);
        ++marks;
      }
    }
    RC_ASSERT(game.ply() == marks);
    const bool x_won = oracle::has_won(board, rules, 'X');
    const bool o_won = oracle::has_won(board, rules, 'O');
    RC_ASSERT(game.winner() == (x_won ? Mark::x : o_won ? Mark::o : Mark::none));
    RC_ASSERT((game.status() == Status::won) == (x_won || o_won));
    RC_ASSERT((game.status() == Status::drawn) == (!x_won && !o_won && marks == rules.cells()));
    RC_ASSERT(static_cast<int>(game.winning_lines().size()) ==
              oracle::winning_runs(board, rules, 'X') + oracle::winning_runs(board, rules, 'O'));
    if (game.status() == Status::ongoing) {
      RC_ASSERT(game.to_move() == (marks % 2 == 0 ? starter : opponent(starter)));
    }
  }
  for (int row = 0; row < rules.rows; ++row) {
    for (int col = 0; col < rules.cols; ++col) {
      RC_ASSERT(oracle::letter(game.at({row, col})) == oracle::letter_at(board, {row, col}));
    }
  }
}

}  // namespace
}  // namespace tictactoe::rules::detectors_tests
