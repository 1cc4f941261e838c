// Counts by address what waits for peers that read too slowly.
#pragma once

#include <cstddef>
#include <cstdint>

#include "server/limits/fair_queue.hpp"

namespace tictactoe::transport {

class Connection;

/// The share of one connection in the memory for all outboxes.
struct Backlog {
  Connection* connection = nullptr;
  std::uint64_t address = 0;  ///< see server::Origin
  std::size_t bytes = 0;      ///< as last counted
  std::uint64_t number = 0;   ///< in Backlogs, while it is counted
};

/// Limits what waits for all peers together, and for those of one address. Counts only connections
/// that are really behind, so the usual path costs nothing. Must outlive the counted backlogs.
class Backlogs {
 public:
  /// In bytes.
  struct Limits {
    std::size_t total = 0;
    std::size_t per_address = 0;
  };
  explicit Backlogs(Limits limits) : limits_(limits) {}

  /// Counts this connection with this many bytes; 0 stops counting it. O(log n).
  void count(Backlog& backlog, std::size_t bytes);
  /// If all together or one address exceed the limit, returns the largest backlog of the address
  /// with the most bytes. Among equal addresses or backlogs it is the oldest, so that a peer that
  /// reads is not cut off for one that does not. Null otherwise. O(log n).
  Backlog* too_much() const;

  /// Bytes counted.
  std::size_t used() const { return all_.weight(); }

 private:
  Limits limits_;
  server::FairQueue<Backlog*> all_;  // by address
};

}  // namespace tictactoe::transport
