// A finished game, stepped through.
#pragma once

#include <optional>
#include <string>

#include "client/model/replay.hpp"
#include "client/model/time.hpp"
#include "client/paint/scene.hpp"
#include "client/screen/board_pane.hpp"

namespace tictactoe::screen {

/// Time for each move while a game plays by itself.
inline constexpr client::milliseconds replay_pace{700};

/// The game that is shown, and the position in it.
class ReplayDesk {
 public:
  /// The replay must be without a fault. Begins before the first move.
  explicit ReplayDesk(const v1::GameRecord& game);

  /// False if the key has no meaning here.
  bool press(const Key& key, client::Time now);
  /// While the game plays by itself: when the next move is due.
  const std::optional<client::Time>& next_step() const { return next_step_; }
  void step_due(client::Time now);
  void scroll(int rows) { pane_.scroll(rows, replay_.room().board); }
  void draw(const Canvas& canvas, Scene& scene);
  const v1::GameRecord& game() const { return replay_.game(); }
  /// Moves on the board that is shown.
  std::size_t played() const { return replay_.played(); }

 private:
  void go_to(std::size_t played);

  client::Replay replay_;
  BoardPane pane_;
  std::string told_;  // describes the last move
  std::optional<client::Time> next_step_;
};

}  // namespace tictactoe::screen
