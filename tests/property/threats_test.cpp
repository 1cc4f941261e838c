// Continuous fours against a plain search that tries every cell and reads the board as words.
#include "common/ai/threats.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>
#include <stop_token>
#include <vector>

#include "common/ai/player.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/play.hpp"

namespace tictactoe::ai::threats_tests {
namespace {

using oracle::Letters;
using oracle::wins_of;
using rules::Cell;
using rules::Game;
using rules::Mark;
using rules::Rules;
using rules::Status;

/// Whether `side`, to move, wins within so many plies by moves that each threaten a win in one.
bool wins_by_fours(Letters& board, const Rules& rules, char side, int plies) {
  const char other = side == 'X' ? 'O' : 'X';
  if (!wins_of(board, rules, side).empty()) return true;
  if (plies < 3) return false;
  for (int row = 0; row < rules.rows; ++row) {
    for (int col = 0; col < rules.cols; ++col) {
      char& cell = oracle::letter_at(board, {row, col});
      if (cell != '_') continue;
      cell = side;
      const auto threats = wins_of(board, rules, side);
      bool won = false;
      if (!threats.empty() && wins_of(board, rules, other).empty()) {
        won = threats.size() > 1;
        if (!won) {
          char& reply = oracle::letter_at(board, threats[0]);
          reply = other;
          won = wins_by_fours(board, rules, side, plies - 2);
          reply = '_';
        }
      }
      cell = '_';
      if (won) return true;
    }
  }
  return false;
}

struct Sample {
  Game game;
  Letters letters;
};

Sample any_sample() {
  const Rules rules = *rc::gen::element(Rules{7, 7, 4, true}, Rules{6, 6, 4, false},
                                        Rules{8, 8, 5, true}, Rules{5, 6, 3, true});
  std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
  for (;;) {
    Game game(rules);
    std::vector<Cell> cells = support::free_cells(game);
    std::ranges::shuffle(cells, random);
    const auto marks = std::uniform_int_distribution<std::size_t>(4, cells.size() * 2 / 3)(random);
    for (std::size_t i = 0; i < marks; ++i) game.play(cells[i]);
    if (game.status() != Status::ongoing) continue;
    return {game, support::letters_of(game)};
  }
}

RC_GTEST_PROP(ThreatsProperty, finds_exactly_the_wins_by_fours, ()) {
  Sample sample = any_sample();
  const char side = oracle::letter(sample.game.to_move());
  Position position(sample.game);
  for (const int plies : {1, 3, 5}) {
    const ThreatSearch found = continuous_fours(position, plies, 1'000'000, {});
    RC_ASSERT(found.complete);
    RC_ASSERT(found.move.has_value() ==
              wins_by_fours(sample.letters, sample.game.rules(), side, plies));
  }
  RC_ASSERT(position.game().ply() == sample.game.ply());
}

RC_GTEST_PROP(ThreatsProperty, strong_never_misses_a_win_or_a_block_of_one, ()) {
  Sample sample = any_sample();
  const Rules& rules = sample.game.rules();
  const char side = oracle::letter(sample.game.to_move());
  const auto wins = wins_of(sample.letters, rules, side);
  const auto blocks = wins_of(sample.letters, rules, side == 'X' ? 'O' : 'X');
  const Cell cell =
      make_player(Level::strong, sample.game, 1)->choose({.nodes = 500, .stop = {}}).cell;
  if (!wins.empty()) {
    RC_ASSERT(std::ranges::find(wins, cell) != wins.end());
  } else if (!blocks.empty()) {
    RC_ASSERT(std::ranges::find(blocks, cell) != blocks.end());
  }
}

/// A player who chooses a win by continuous fours continues until it is won.
RC_GTEST_PROP(ThreatsProperty, strong_plays_its_fours_to_the_end, ()) {
  Sample sample = any_sample();
  Position position(sample.game);
  if (!continuous_fours(position, 9, 1'000'000, {}).move) RC_DISCARD("no win by fours here");
  Game& game = sample.game;
  const Mark me = game.to_move();
  const auto player = make_player(Level::strong, game, 1);
  for (int ply = 0; ply < 9 && game.status() == Status::ongoing; ++ply) {
    Position now(game);
    const auto block = now.winning_cell(opponent(game.to_move()));
    const Cell cell = game.to_move() == me ? player->choose({.nodes = 200'000, .stop = {}}).cell
                                           : block.value_or(support::free_cells(game).front());
    RC_ASSERT(!game.play(cell));
    player->played(cell);
  }
  RC_ASSERT(game.winner() == me);
}

TEST(Threats, a_chain_of_nine_plies) {
  // Each four pulls the only reply aside, and the fifth mark falls where two chains meet.
  const Rules rules{15, 15, 5, true};
  const std::vector<std::string> rows{"_______________", "_______________", "__OXXX_________",
                                      "_______________", "___X_X_________", "____X__________",
                                      "___X___________", "__O____________", "_______________",
                                      "_______________", "_______________", "____O__________",
                                      "__________O____", "_________O_____", "O_O____________"};
  const Game game = support::game_from(rows, rules);
  ASSERT_EQ(game.to_move(), Mark::x);
  Position position(game);
  const ThreatSearch found = continuous_fours(position, 9, 1'000'000, {});
  EXPECT_TRUE(found.complete);
  EXPECT_TRUE(found.move.has_value());
}

/// Each side has 10,000 open threes on a large board.
Game game_of_many_threes() {
  Game game(Rules{1'000, 1'000, 5, true});
  for (int i = 0; i < 30'000; ++i) {
    const int three = i / 3;
    const Cell cell{three / 100 * 10, three % 100 * 10 + i % 3 + 1};
    game.play(cell);
    game.play({cell.row + 5, cell.col});
  }
  return game;
}

TEST(Threats, among_many_open_threes_cost_what_the_budget_allows) {
  Position position(game_of_many_threes());
  // Without the budget and the stop, these would take minutes.
  EXPECT_FALSE(continuous_fours(position, 3, 0, {}).complete);
  std::stop_source stopped;
  stopped.request_stop();
  EXPECT_FALSE(continuous_fours(position, 3, 1'000'000, stopped.get_token()).complete);
}

}  // namespace
}  // namespace tictactoe::ai::threats_tests
