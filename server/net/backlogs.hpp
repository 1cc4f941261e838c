// What waits for peers that read too slowly, counted by address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <unordered_map>

namespace tictactoe::net {

class Connection;

/// What one connection takes of the memory for all outboxes.
struct Backlog {
  Connection* connection = nullptr;
  std::uint64_t address = 0;  ///< see core::Origin
  std::size_t bytes = 0;      ///< as counted
  std::uint64_t since = 0;    ///< counts up with each that begins to be counted
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
  std::size_t used() const { return used_; }

 private:
  struct Smaller {
    bool operator()(const Backlog* a, const Backlog* b) const {
      return a->bytes != b->bytes ? a->bytes < b->bytes : a->since > b->since;
    }
  };
  struct Share {
    std::size_t used = 0;
    std::uint64_t since = 0;  // of the first backlog
    std::set<Backlog*, Smaller> backlogs;
  };
  // Of the share of an address.
  struct Rank {
    std::size_t used;
    std::uint64_t since;
    std::uint64_t address;
    bool operator<(const Rank& other) const {
      return used != other.used ? used < other.used : since > other.since;
    }
  };

  Limits limits_;
  std::size_t used_ = 0;
  std::uint64_t begun_ = 0;
  std::unordered_map<std::uint64_t, Share> shares_;  // by address
  std::set<Rank> by_size_;                           // one for each share
};

}  // namespace tictactoe::net
