// Players of every level that take plies back, against new players that replay the game; and their
// memory against its upper bound.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <vector>

#include "common/ai/player.hpp"

namespace tictactoe::ai::ai_players_tests {
namespace {

using rules::Cell;
using rules::Game;
using rules::Rules;

/// The free cell that a number stands for.
Cell free_cell(const Game& game, std::uint32_t number) {
  const auto cells = static_cast<std::uint32_t>(game.rules().cells());
  for (std::uint32_t i = 0;; ++i) {
    const auto index = static_cast<int>((number + i) % cells);
    const Cell cell{index / game.rules().cols, index % game.rules().cols};
    if (game.at(cell) == rules::Mark::none) return cell;
  }
}

/// Plays and takes back by these numbers, and compares the player's choices with those of a new one
/// when plies were taken back.
void compare(Level level, const Rules& rules, const std::vector<std::uint32_t>& steps) {
  // The strongest level tries equally good cells in the order of the line table's lists, which
  // plies taken back change. What a certificate proves on a square board does not depend on it.
  const bool same_cell = level != Level::strong;
  const bool same_certainty = same_cell || rules.is_square();
  const Budget budget{.nodes = 40};
  constexpr std::uint64_t seed = 17;
  Game game(rules);
  const auto player = make_player(level, game, seed);
  std::size_t plies = 0;
  for (const std::uint32_t step : steps) {
    if (step % 4 != 0) {
      if (game.status() != rules::Status::ongoing) continue;
      const Cell cell = free_cell(game, step >> 2);
      game.play(cell);
      player->played(cell);
      ++plies;
    } else if (game.ply() > 0) {
      game.undo();
      player->undone();
      const auto fresh = make_player(level, game, seed);
      const Choice expected = fresh->choose(budget);
      const Choice chosen = player->choose(budget);
      RC_ASSERT(game.at(chosen.cell) == rules::Mark::none);
      if (same_certainty) RC_ASSERT(chosen.cannot_lose == expected.cannot_lose);
      if (same_cell) RC_ASSERT(chosen.cell == expected.cell);
    }
    RC_ASSERT(player->memory() <= max_memory(level, rules, plies));
  }
}

Rules any_rules() {
  const int rows = *rc::gen::inRange(3, 12);
  const int cols = *rc::gen::inRange(3, 12);
  if (*rc::gen::arbitrary<bool>()) return Rules::square(rows);
  return {rows, cols, *rc::gen::inRange(3, std::max(rows, cols) + 1), *rc::gen::arbitrary<bool>()};
}

std::vector<std::uint32_t> any_steps() {
  return *rc::gen::container<std::vector<std::uint32_t>>(*rc::gen::inRange<std::size_t>(1, 60),
                                                         rc::gen::arbitrary<std::uint32_t>());
}

RC_GTEST_PROP(TakenBack, random_chooses_like_a_new_player, ()) {
  compare(Level::random, any_rules(), any_steps());
}
RC_GTEST_PROP(TakenBack, suggester_chooses_like_a_new_player, ()) {
  compare(Level::suggester, any_rules(), any_steps());
}
RC_GTEST_PROP(TakenBack, strong_chooses_like_a_new_player, ()) {
  compare(Level::strong, any_rules(), any_steps());
}

RC_GTEST_PROP(Memory, is_never_over_its_bound_on_large_boards, ()) {
  const int side = *rc::gen::inRange(65, 1001);
  const Rules rules{side, *rc::gen::inRange(65, 1001), *rc::gen::inRange(3, side + 1), true};
  const Level level = *rc::gen::element(Level::random, Level::suggester, Level::strong);
  Game game(rules);
  const auto player = make_player(level, game, 1);
  const auto steps = *rc::gen::container<std::vector<std::uint32_t>>(
      50, rc::gen::inRange<std::uint32_t>(0, 1'000'000));
  std::size_t plies = 0;
  for (const std::uint32_t step : steps) {
    if (game.status() != rules::Status::ongoing) break;
    const Cell cell = free_cell(game, step);
    game.play(cell);
    player->played(cell);
    RC_ASSERT(player->memory() <= max_memory(level, rules, ++plies));
  }
}

}  // namespace
}  // namespace tictactoe::ai::ai_players_tests
