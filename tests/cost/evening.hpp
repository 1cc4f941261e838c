// A fixed sequence of games: always the same requests in the same order.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/rules/types.hpp"
#include "server/host/host.hpp"
#include "server/transport/shell/outbox.hpp"

namespace tictactoe::cost {

struct Evening {
  std::size_t rooms = 20;
  std::size_t games = 20;  ///< in each room
  rules::Rules rules;
  std::uint64_t seed = 1;
};

/// One request on its way to the server, with its length before it.
struct Sent {
  std::size_t player = 0;  ///< 2 * room for X of the first game, + 1 for O
  std::string frame;
};

struct Requests {
  std::vector<Sent> list;
  std::size_t moves = 0;  ///< among them
};

/// Random games, one after the other in each room, all rooms in turn: moves, and between two games
/// both players' wish for another. The first `begin` games of each room are left out.
Requests requests(const Evening& evening, std::size_t begin = 0);

/// A server without its sockets: everybody has come to their rooms, and waits for requests().
class Table {
 public:
  explicit Table(const Evening& evening, server::Config config = {});

  /// Hands the request to the host, and forgets what it wants done.
  void ask(const Sent& sent);
  /// What lies round the host: cuts the frame out of the bytes, reads the request, writes an update
  /// as long as that of a move, and queues it for two.
  void carry(const Sent& sent);

  /// Updates that the host has wanted to be sent, since the evening began.
  std::uint64_t updates() const { return updates_; }

 private:
  void ask(std::size_t player, const v1::ClientMessage& request);

  server::Host host_;
  server::Time now_;
  std::vector<server::ConnectionId> connections_;  // by player
  std::uint64_t updates_ = 0;

  // For carry().
  transport::Backlogs backlogs_{{std::size_t{1} << 20, std::size_t{1} << 20}};
  transport::SpareBuffers buffers_;
  wire::FrameReader reader_{4096};
  std::vector<std::unique_ptr<transport::Outbox>> outboxes_;
  server::Effects effects_;
};

}  // namespace tictactoe::cost
