// The moves of a long game, encoded once for all snapshots.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/rules/game.hpp"
#include "server/core/effects.hpp"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::core {

/// Full blocks that no game has any more. They live as long as outboxes keep them.
using DroppedBlocks = std::vector<std::weak_ptr<const std::string>>;

/// The elements of RoomSnapshot.moves, packed. They are encoded when they are needed for the first
/// time, and blocks that are full are shared by all snapshots, so a snapshot of a long game costs
/// O(moves since the last snapshot + blocks). Outboxes can keep blocks that the game has dropped
/// (a takeback, a rematch), or that closed rooms of the same address have. As long as they do, new
/// blocks do not count as those of the room, so that what no outbox pays for stays under twice the
/// size of a game.
class EncodedMoves {
 public:
  /// The longest varint of a position.
  static constexpr std::size_t most_bytes_per_move = 3;

  /// Encodes the moves after those that are encoded already.
  void update(std::span<const rules::Cell> moves, int cols);
  /// Forgets all but the first `plies` moves.
  void truncate(std::size_t plies);
  /// Blocks of closed rooms that must be gone, too, before new blocks count as those of the room.
  void inherit(DroppedBlocks dropped) { inherited_ = std::move(dropped); }
  /// Forgets all moves. Returns blocks that outboxes still keep.
  DroppedBlocks drop_all();
  /// Bytes of all encoded moves.
  std::size_t size() const { return full_bytes_ + last_.size(); }
  std::vector<SharedBytes> blocks() const;

 private:
  static constexpr std::size_t block_bytes = std::size_t{64} * 1024;

  void seal();
  void drop_full();
  void drop_last();

  std::vector<SharedBytes> full_;
  std::size_t full_bytes_ = 0;
  DroppedBlocks dropped_;
  DroppedBlocks inherited_;
  std::string last_;  // the block that is not full
  std::size_t plies_ = 0;
};

/// Removes those that nobody keeps.
void remove_expired(DroppedBlocks& blocks);

/// Encodes a message without moves that has a snapshot, or an error with a state, and puts the
/// moves in there.
Body encode_with_moves(Effects& effects, const v1::ServerMessage& message,
                       const EncodedMoves& moves);

}  // namespace tictactoe::core
