// A finished game, stepped through. Its sentences are in client/words/replay_text.hpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "client/model/room.hpp"
#include "tictactoe/v1/types.pb.h"

namespace tictactoe::client {

/// Begins before the first move. The record may be hostile: it is checked, and its texts are
/// sanitized.
class Replay {
 public:
  explicit Replay(const v1::GameRecord& game);

  /// Says in a few words why the record is invalid; empty if it is valid. If not empty, no other
  /// function may be called.
  const std::string& fault() const { return fault_; }
  const v1::GameRecord& game() const { return game_; }

  bool at_end() const { return played_ == static_cast<std::size_t>(game_.moves_size()); }
  /// Plays the next move, which must exist.
  void step();
  /// Moves played so far, and of the whole game.
  std::size_t played() const { return played_; }
  std::size_t moves() const { return static_cast<std::size_t>(game_.moves_size()); }
  /// Goes to the position after `played` moves, or after the last; O(moves in between).
  void go_to(std::size_t played);
  /// The position as a room, without its chat.
  const Room& room() const { return *room_; }

  /// How the game ends, even before its last move; nothing if unknown.
  const std::optional<Outcome>& outcome() const { return outcome_; }
  /// The side that plays the move after `played` moves, and its cell.
  Mark side_at(std::size_t played) const;
  Cell cell_at(std::size_t played) const;

 private:
  v1::GameRecord game_;
  std::string fault_;
  std::optional<Room> room_;  // as after the moves that were played; nothing if there is a fault
  std::optional<Outcome> outcome_;
  std::size_t played_ = 0;
};

}  // namespace tictactoe::client
