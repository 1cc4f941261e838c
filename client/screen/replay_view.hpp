// A finished game, stepped through.
#pragma once

#include <optional>
#include <string>

#include "client/console/replay.hpp"
#include "client/console/time.hpp"
#include "client/screen/board_pane.hpp"
#include "client/screen/scene.hpp"

namespace tictactoe::screen {

/// Time for each move while a game plays by itself.
inline constexpr console::milliseconds replay_pace{700};

/// The game that is looked at, and where one is in it.
class ReplayDesk {
 public:
  /// The replay must be without a fault. Begins before the first move.
  explicit ReplayDesk(const v1::GameRecord& game);

  /// False where the key is none for here.
  bool press(const Key& key, console::Time now);
  /// While the game plays by itself: when the next move is due.
  const std::optional<console::Time>& next_step() const { return next_step_; }
  void step_due(console::Time now);
  void scroll(int rows) { pane_.scroll(rows, replay_.room().board); }
  void draw(const Canvas& canvas, Scene& scene);

 private:
  void go_to(std::size_t played);

  console::Replay replay_;
  BoardPane pane_;
  std::string told_;  // of the last move
  std::optional<console::Time> next_step_;
};

}  // namespace tictactoe::screen
