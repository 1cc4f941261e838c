// The people in a room who receive its updates.
#pragma once

#include <cstdint>
#include <vector>

#include "server/people/request_context.hpp"
#include "server/room/kept_updates.hpp"

namespace tictactoe::server {

/// Counts the room's revision, sends updates to everybody in the room, and keeps the latest ones
/// for players who return. A player joins after the update that announces them, and gets a
/// snapshot.
class Audience {
 public:
  Audience(std::size_t kept_updates, std::uint64_t revision)
      : kept_(kept_updates), revision_(revision) {}

  /// The player must be connected until leave().
  void join(const Player& player) { receivers_.push_back(&player); }
  /// No effect for a player who has not joined. O(receivers).
  void leave(const Player& player) { std::erase(receivers_, &player); }

  bool empty() const { return receivers_.empty(); }
  std::size_t size() const { return receivers_.size(); }
  std::uint64_t revision() const { return revision_; }
  std::uint64_t next_revision() { return ++revision_; }

  /// Encodes the update of the current revision once and sends it to everybody. The player who
  /// asked for it gets a copy with the request id.
  void send(const v1::ServerMessage& update, const RequestContext& context);
  /// Sends all updates after revision `seen`. If they are not all kept, or have more than
  /// `max_bytes` in total, sends nothing and returns false.
  bool send_missed(std::uint64_t seen, std::size_t max_bytes, const RequestContext& context) const;

 private:
  std::vector<const Player*> receivers_;
  KeptUpdates kept_;
  std::uint64_t revision_;
};

}  // namespace tictactoe::server
