// What waits for peers that read too slowly, counted by address.
#pragma once

#include <cstddef>
#include <cstdint>

#include "server/limits/fair_queue.hpp"

namespace tictactoe::transport {

class Connection;

/// What one connection takes of the memory for all outboxes.
struct Backlog {
  Connection* connection = nullptr;
  std::uint64_t address = 0;  ///< see server::Origin
  std::size_t bytes = 0;      ///< as counted
  std::uint64_t number = 0;   ///< in Backlogs, while it is counted
};

/// Limits what waits for all peers together, and for those of one address. Only connections that
/// are really behind are counted, so the usual path costs nothing. Must outlive the backlogs that
/// are counted.
class Backlogs {
 public:
  /// In bytes.
  struct Limits {
    std::size_t total = 0;
    std::size_t per_address = 0;
  };
  explicit Backlogs(Limits limits) : limits_(limits) {}

  /// Counts this connection with that many bytes; 0: not any more. O(log n).
  void count(Backlog& backlog, std::size_t bytes);
  /// If all together or one address have more than they may: the largest backlog of the address
  /// with the most bytes, and of equal ones (addresses as well as backlogs) the oldest, so that a
  /// peer that reads is not cut off for one that does not. Null otherwise. O(log n).
  Backlog* too_much() const;

  /// Bytes that are counted.
  std::size_t used() const { return all_.weight(); }

 private:
  Limits limits_;
  server::FairQueue<Backlog*> all_;  // by address
};

}  // namespace tictactoe::transport
