// A finished game, shown move by move.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "client/model/decision.hpp"
#include "client/model/room.hpp"
#include "client/text/board_view.hpp"
#include "tictactoe/v1/types.pb.h"

namespace tictactoe::client {

/// Begins before the first move. What it is made from may come from anywhere: its parts are
/// checked, and its texts made fit for a screen.
class Replay {
 public:
  explicit Replay(const v1::GameRecord& game);

  /// What is wrong with the record, in a few words; nothing else may be asked then. Empty if
  /// nothing is wrong.
  const std::string& fault() const { return fault_; }
  const v1::GameRecord& game() const { return game_; }

  /// Which game it is, who played what, and when. Lines, each ended by a newline.
  std::string summary() const;
  bool at_end() const { return played_ == static_cast<std::size_t>(game_.moves_size()); }
  /// Plays the next move, of which there must be one, and describes it in a line without a newline.
  std::string step();
  /// Moves played so far, and of the whole game.
  std::size_t played() const { return played_; }
  std::size_t moves() const { return static_cast<std::size_t>(game_.moves_size()); }
  /// Goes to the position after so many moves (or all of them); O(moves between).
  void go_to(std::size_t played);
  /// The position as a room, without its chat.
  const Room& room() const { return *room_; }

  /// The board as it is now. After the last move it shows the line that won, if that is known.
  std::string board_text(const Look& look) const { return draw_board(*room_, look); }
  /// How the game ended, in a line without a newline.
  std::string outcome() const;
  /// The move that decided the game, in a line without a newline. `decision` belongs to this game.
  std::string decision_text(const Decision& decision) const;

 private:
  Mark side_at(std::size_t played) const;  // that plays the next move
  Cell cell_at(std::size_t played) const;

  v1::GameRecord game_;
  std::string fault_;
  std::optional<Room> room_;  // as after the moves that were played; nothing if there is a fault
  std::optional<Outcome> outcome_;
  std::size_t played_ = 0;
};

}  // namespace tictactoe::client
