// All of 4x4: every line of play against the AI, and every position.
#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <unordered_set>

#include "common/ai/player.hpp"
#include "common/rules/game.hpp"
#include "common/rules/perft.hpp"
#include "tests/support/play.hpp"

namespace tictactoe::four_tests {
namespace {

using ai::Level;
using ai::Player;
using rules::Cell;
using rules::Game;
using rules::Mark;
using rules::Rules;
using rules::Status;

constexpr Rules four = Rules::square(4);

/// Follows every opponent of the strong player, each position once: off the planned line the
/// player's choice depends on nothing but the position.
class EveryOpponent {
 public:
  explicit EveryOpponent(Mark me) : me_(me), game_(four) {}

  /// The player plans at its first choice, so each opening is a case of its own.
  void run() {
    if (me_ == Mark::x) {
      run_opening({});
      return;
    }
    for (const Cell cell : support::free_cells(Game(four))) run_opening({cell});
  }

  std::size_t positions() const { return seen_.size(); }

 private:
  /// The line of play that the player plans for, and off it everything.
  void run_opening(std::initializer_list<Cell> opening) {
    game_ = support::game_of(four, opening);
    player_ = make_player(Level::strong, game_, 1);
    while (game_.status() == Status::ongoing) {
      if (game_.to_move() == me_) {
        step(certified_choice());
        continue;
      }
      // The planned reply is the suggester's. All others are tried from here by a player that has
      // left its plan.
      const Cell planned = make_player(Level::suggester, game_, 1)->choose({}).cell;
      for (const Cell cell : support::free_cells(game_)) {
        if (cell == planned) continue;
        const Game before = game_;
        player_ = make_player(Level::strong, game_, 1);
        step(cell);
        explore();
        game_ = before;
      }
      // Following the line again gives the player its plan back.
      player_ = follow_line();
      step(planned);
    }
    EXPECT_NE(game_.winner(), opponent(me_));
  }

  std::unique_ptr<Player> follow_line() const {
    const auto moves = game_.moves();
    // The opponent's opening was there before the player.
    const std::size_t opening = me_ == Mark::x ? 0 : 1;
    Game game(four);
    for (const Cell cell : moves.first(opening)) game.play(cell);
    auto player = make_player(Level::strong, game, 1);
    for (const Cell cell : moves.subspan(opening)) {
      if (game.to_move() == me_) {
        EXPECT_EQ(player->choose({}).cell, cell);
      }
      game.play(cell);
      player->played(cell);
    }
    return player;
  }

  Cell certified_choice() {
    const ai::Choice choice = player_->choose({});
    EXPECT_TRUE(choice.cannot_lose);
    return choice.cell;
  }

  void step(Cell cell) {
    ASSERT_EQ(game_.play(cell), std::nullopt);
    player_->played(cell);
  }
  void step_back() {
    game_.undo();
    player_->undone();
  }

  void explore() {
    if (game_.status() != Status::ongoing) {
      ASSERT_NE(game_.winner(), opponent(me_));
      return;
    }
    if (!seen_.insert(key()).second) return;
    if (game_.to_move() == me_) {
      step(certified_choice());
      explore();
      step_back();
      return;
    }
    for (const Cell cell : support::free_cells(game_)) {
      step(cell);
      explore();
      step_back();
      if (testing::Test::HasFatalFailure()) return;
    }
  }

  std::uint32_t key() const {
    std::uint32_t number = 0;
    for (int i = 0; i < 16; ++i) {
      number = 4 * number + static_cast<std::uint32_t>(game_.at({i / 4, i % 4}));
    }
    return number;
  }

  Mark me_;
  Game game_;
  std::unique_ptr<Player> player_;
  std::unordered_set<std::uint32_t> seen_;
};

class FourByFour : public testing::TestWithParam<Mark> {};
INSTANTIATE_TEST_SUITE_P(, FourByFour, testing::Values(Mark::x, Mark::o),
                         [](const testing::TestParamInfo<Mark>& tested) {
                           return tested.param == Mark::x ? "First" : "Second";
                         });

TEST_P(FourByFour, strong_loses_no_line_of_play) {
  EveryOpponent everybody(GetParam());
  everybody.run();
  EXPECT_GT(everybody.positions(), 100'000U);
}

TEST(Perft, four_by_four) {
  const rules::Perft counted = rules::perft(four);
  EXPECT_EQ(counted.positions, 9'722'011U);
  EXPECT_EQ(counted.distinct_positions, 1'217'977U);
  EXPECT_EQ(counted.games, 15'038'733'958'272U);
  EXPECT_EQ(counted.end_positions, (rules::Perft::ByResult{5'356, 401'096, 252'940}));
}

}  // namespace
}  // namespace tictactoe::four_tests
