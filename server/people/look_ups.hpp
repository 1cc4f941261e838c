// Questions about records: those in progress and those that wait.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "server/base/effects.hpp"
#include "server/limits/fair_queue.hpp"
#include "server/limits/ledger.hpp"
#include "server/people/connections.hpp"

namespace tictactoe::server {

/// Begins questions within Limits::look_ups, look_ups_per_address, look_ups_per_connection and the
/// share of a network. A question beyond these waits, and nothing more is read from its connection,
/// so that at most one question waits per connection. Serves networks round robin, and within a
/// network its addresses. All operations cost O(log connections), plus O(waiting networks) when an
/// answer arrives.
class LookUps {
 public:
  /// All must outlive it.
  LookUps(const Limits& limits, Ledger& ledger, Connections& connections)
      : limits_(limits), ledger_(ledger), connections_(connections) {}

  /// Begins a question, or makes the peer wait. Requires that the peer is not waiting already.
  void ask(ConnectionId from, const v1::ClientMessage& question, Effects& effects);
  /// An answer has arrived, possibly after its connection closed. Begins the next questions.
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
  /// The address and the network. The player has no limit of its own, but the connection has.
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
  std::unordered_map<std::uint64_t, Running> running_;  // by connection, which may have closed
  FairQueue<ConnectionId> waiting_;                     // whose questions wait only for others
};

}  // namespace tictactoe::server
