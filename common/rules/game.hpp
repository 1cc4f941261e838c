// One game from its first mark to its end: whose turn it is, what is legal, who won.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "common/rules/types.hpp"

namespace tictactoe::rules {

/// Why a move was not played.
enum class Refusal : std::uint8_t { off_board, occupied, game_over };

/// A game and its history. A move, an undo and a reset cost O(1) at any size: square games are
/// decided by counters, the others by run lengths. Memory is proportional to what was played,
/// not to the board.
class Game {
 public:
  /// Requires sound rules (`!rules.problem()`) and a starter that is not `none`.
  explicit Game(Rules rules, Mark starter = Mark::x);
  ~Game();
  Game(Game&&) noexcept;
  Game& operator=(Game&&) noexcept;
  Game(const Game&);
  Game& operator=(const Game&);

  const Rules& rules() const;
  Mark starter() const;
  /// The side whose turn it is; `none` once the game is over.
  Mark to_move() const;
  Status status() const;
  /// The side that won; `none` while ongoing and after a draw.
  Mark winner() const;
  /// What stands on a cell of the board (`rules().contains(cell)`). O(1).
  Mark at(Cell cell) const;
  /// Number of marks on the board.
  int ply() const;
  /// The cells played so far, in order. Valid until the next play, undo or reset.
  std::span<const Cell> moves() const;

  /// Plays for the side to move. Returns why not where the move is illegal; the game is then as it
  /// was. O(1).
  std::optional<Refusal> play(Cell cell);
  /// Takes the last move back; false where there is none. O(1).
  bool undo();
  /// Clears the board for a new game. O(1), amortised over the moves it forgets.
  void reset(Mark starter);

  /// Every line that the last move completed, each as its whole run; empty unless won.
  /// O(rows + cols).
  std::vector<Line> winning_lines() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tictactoe::rules
