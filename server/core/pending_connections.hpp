// The connections without a hello.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "server/core/effects.hpp"

namespace tictactoe::core {

/// Knows which network has the most of them, so that a few networks can't keep all others out. The
/// caller limits the size. All operations cost O(log size).
class PendingConnections {
 public:
  /// `network` as in Origin. Returns a number for remove().
  std::uint64_t add(ConnectionId id, std::uint64_t network);
  void remove(std::uint64_t number, std::uint64_t network);
  std::size_t size() const { return size_; }
  /// The oldest one of the network that has the most. The caller makes sure that there is one.
  ConnectionId oldest_of_most() const;

 private:
  using OldestFirst = std::map<std::uint64_t, ConnectionId>;  // by number
  void resize(std::uint64_t network, std::size_t before, std::size_t after);

  std::map<std::uint64_t, OldestFirst> networks_;
  std::set<std::pair<std::size_t, std::uint64_t>> by_size_;  // and network
  std::size_t size_ = 0;
  std::uint64_t last_ = 0;  // number
};

}  // namespace tictactoe::core
