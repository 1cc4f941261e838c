// Questions about records: which are being answered, and which wait.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "server/core/connections.hpp"
#include "server/core/effects.hpp"
#include "server/core/fair_queue.hpp"
#include "server/core/ledger.hpp"

namespace tictactoe::core {

/// Any number of questions may be sent at once. As many are answered at the same time as
/// Limits::look_ups, look_ups_per_address and look_ups_per_connection allow, and the share of a
/// network. The next one of a connection waits, and its connection with it: no further requests are
/// read from there. So at most one question waits for each connection. Networks take turns, and in
/// each its addresses. All operations cost O(log connections), or O(connections of an address) if a
/// connection ends while its question waits, or O(networks that wait) if an answer has come.
class LookUps {
 public:
  /// All must outlive it.
  LookUps(const Limits& limits, Ledger& ledger, Connections& connections)
      : limits_(limits), ledger_(ledger), connections_(connections) {}

  /// Begins to answer a question, or lets it wait: then the peer is waiting afterwards. At most one
  /// question of a peer waits.
  void ask(ConnectionId from, const v1::ClientMessage& question, Effects& effects);
  /// An answer has come, also if the connection is closed. Begins with those that waited for it.
  void answered(ConnectionId from, Effects& effects);
  /// The connection is about to be closed.
  void forget(ConnectionId from);

 private:
  struct Running {
    Payers payers;
    std::size_t count = 0;
  };

  static std::uint64_t key(ConnectionId id) { return std::uint64_t{id.slot} << 32 | id.generation; }
  std::size_t running_of(ConnectionId id) const;
  /// The player of a question pays nothing for it here: the connection has a limit.
  static Payers payers_of(const Peer& peer);
  bool can_begin(ConnectionId from, const Peer& peer) const;
  void begin(ConnectionId from, const Peer& peer, const v1::ClientMessage& question,
             Effects& effects);
  void wait(ConnectionId from, Peer& peer);
  void begin_waiting(Effects& effects);

  const Limits& limits_;
  Ledger& ledger_;
  Connections& connections_;
  std::size_t all_running_ = 0;
  std::unordered_map<std::uint64_t, Running> running_;  // by connection, which may be closed
  FairQueue<ConnectionId> waiting_;                     // whose questions wait only for others
};

}  // namespace tictactoe::core
