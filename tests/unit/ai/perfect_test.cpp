#include "common/ai/perfect.hpp"

#include <gmock/gmock.h>

#include <map>
#include <string>

#include "common/ai/player.hpp"

namespace tictactoe::ai::perfect_tests {
namespace {

using rules::Cell;
using rules::Game;
using rules::Mark;
using rules::Rules;
using rules::Status;

TEST(Perfect, is_offered_where_a_proof_is_known) {
  for (const Rules rules :
       {Rules::square(3), Rules::square(4), Rules::square(5), Rules::square(1000),
        Rules{3, 3, 3, false}, Rules{15, 15, 9, true}, Rules{9, 300, 9, false},
        Rules{3, 5, 5, true}, Rules{5, 6, 5, true}, Rules{7, 7, 6, true}, Rules{12, 12, 8, true},
        Rules{1, 8, 4, true}, Rules{20, 20, 8, true}, Rules{1, 300, 8, false},
        Rules{1000, 999, 8, true}}) {
    EXPECT_EQ(why_not_perfect(rules), std::nullopt) << rules.rows << 'x' << rules.cols;
  }
}

TEST(Perfect, is_refused_elsewhere_with_the_reason) {
  for (const Rules rules :
       {Rules{3, 4, 3, true}, Rules{4, 4, 3, true}, Rules{15, 15, 5, true}, Rules{19, 19, 5, false},
        Rules{20, 20, 7, true}, Rules{4, 5, 4, true}, Rules{1, 300, 7, true}}) {
    EXPECT_NE(why_not_perfect(rules), std::nullopt) << rules.rows << 'x' << rules.cols;
  }
  EXPECT_EQ(why_not_perfect({15, 15, 5, true}),
            "No proof is known that this AI never loses 5 in a row on a board of 15 x 15.");
}

/// Follows every opponent of a perfect player, each position once. The player chooses with a single
/// node, because the promise must not depend on a budget.
class EveryOpponent {
 public:
  EveryOpponent(const Rules& rules, Mark starter) : game_(rules, starter) {}

  bool loses_never() { return never_loses(); }
  std::size_t positions() const { return choices_.size(); }

 private:
  bool never_loses() {
    if (game_.status() != Status::ongoing) return game_.winner() != Mark::o;
    if (game_.to_move() == Mark::x) {
      const auto [known, is_new] = choices_.try_emplace(key());
      if (!is_new) return true;
      const Choice choice = make_player(Level::perfect, game_, 1)->choose({.nodes = 1, .stop = {}});
      return choice.cannot_lose && holds_after(choice.cell);
    }
    for (int row = 0; row < game_.rules().rows; ++row) {
      for (int col = 0; col < game_.rules().cols; ++col) {
        if (game_.at({row, col}) == Mark::none && !holds_after({row, col})) return false;
      }
    }
    return true;
  }

  bool holds_after(Cell cell) {
    game_.play(cell);
    const bool holds = never_loses();
    game_.undo();
    return holds;
  }

  std::string key() const {
    std::string key;
    for (int i = 0; i < game_.rules().cells(); ++i) {
      const Mark mark = game_.at({i / game_.rules().cols, i % game_.rules().cols});
      key += mark == Mark::x ? 'X' : mark == Mark::o ? 'O' : '_';
    }
    return key;
  }

  Game game_;
  std::map<std::string, bool> choices_;
};

/// All small boards that are offered, in both seats. A choice depends on the order of moves only if
/// a trap is planned, which a single node does not allow.
TEST(Perfect, loses_no_line_of_play_on_small_boards) {
  int boards = 0;
  for (int rows = 1; rows <= 4; ++rows) {
    for (int cols = rows; rows * cols <= 12; ++cols) {
      for (int k = 3; k <= cols; ++k) {
        for (const bool overline_wins : {true, false}) {
          const Rules rules{rows, cols, k, overline_wins};
          if (why_not_perfect(rules)) continue;
          ++boards;
          for (const Mark starter : {Mark::x, Mark::o}) {
            EveryOpponent opponents(rules, starter);
            EXPECT_TRUE(opponents.loses_never()) << rows << 'x' << cols << 'x' << k;
            EXPECT_GT(opponents.positions(), 1U);
          }
        }
      }
    }
  }
  EXPECT_GT(boards, 20);
}

}  // namespace
}  // namespace tictactoe::ai::perfect_tests
