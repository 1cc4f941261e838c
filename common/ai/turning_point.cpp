#include "common/ai/turning_point.hpp"

#include "common/ai/position.hpp"
#include "common/ai/solver.hpp"
#include "common/rules/board.hpp"

namespace tictactoe::ai {

using rules::Game;
using rules::Mark;

namespace {

/// The result of an unfinished game. Deducts its cost from the budget.
std::optional<Mark> solve(Solver& solver, const Game& game, Budget& budget) {
  rules::Board board(game.rules());
  for (const rules::Cell cell : game.moves()) board.set(cell, game.at(cell));
  const Solver::Answer answer = solver.solve(board, game.to_move(), budget);
  budget.nodes -= answer.nodes;
  if (!answer.score) return std::nullopt;
  if (*answer.score == 0) return Mark::none;
  return *answer.score > 0 ? game.to_move() : opponent(game.to_move());
}

}  // namespace

std::optional<TurningPoint> find_turning_point(const Game& game, const Budget& budget) {
  if (game.rules().cells() > max_solved_board) return std::nullopt;
  Solver solver(game.rules());
  Budget left = budget;
  Game position = game;
  const bool is_over = game.status() != rules::Status::ongoing;
  const std::optional<Mark> result = is_over ? game.winner() : solve(solver, position, left);
  if (!result) return std::nullopt;
  TurningPoint found{.result = *result, .plies = game.ply()};
  while (position.undo()) {
    const std::optional<Mark> earlier = solve(solver, position, left);
    if (earlier != result) {
      found.before = earlier;
      break;
    }
    --found.plies;
  }
  return found;
}

}  // namespace tictactoe::ai
