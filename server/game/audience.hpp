// The connections that follow a room.
#pragma once

#include <cstdint>
#include <vector>

#include "server/game/kept_updates.hpp"
#include "server/people/request_context.hpp"

namespace tictactoe::server {

/// Counts the room's revision, sends each update to everybody in the room, and keeps the latest
/// updates for players who come back. Players join after the update that announces them, and get a
/// snapshot instead of it.
class Audience {
 public:
  Audience(std::size_t kept_updates, std::uint64_t revision)
      : kept_(kept_updates), revision_(revision) {}

  /// The player must have a connection until they leave.
  void join(const Player& player) { receivers_.push_back(&player); }
  /// Does nothing for a player who has not joined. O(receivers).
  void leave(const Player& player) { std::erase(receivers_, &player); }

  bool empty() const { return receivers_.empty(); }
  std::size_t size() const { return receivers_.size(); }
  std::uint64_t revision() const { return revision_; }
  std::uint64_t next_revision() { return ++revision_; }

  /// Encodes the update of the current revision once and sends it to everybody. The copy of the
  /// player who asked for it has their request id.
  void send(const v1::ServerMessage& update, const RequestContext& context);
  /// Sends all updates after revision `seen`. False, and nothing is sent, if they are not all kept
  /// or have more than `most_bytes` together.
  bool send_missed(std::uint64_t seen, std::size_t most_bytes, const RequestContext& context) const;

 private:
  std::vector<const Player*> receivers_;
  KeptUpdates kept_;
  std::uint64_t revision_;
};

}  // namespace tictactoe::server
