#include "server/core/pending_connections.hpp"

#include <boost/assert.hpp>

namespace tictactoe::core {

std::uint64_t PendingConnections::add(ConnectionId id, std::uint64_t network) {
  OldestFirst& all = networks_[network];
  resize(network, all.size(), all.size() + 1);
  all.emplace(++last_, id);
  ++size_;
  return last_;
}

void PendingConnections::remove(std::uint64_t number, std::uint64_t network) {
  const auto found = networks_.find(network);
  BOOST_ASSERT_MSG(found != networks_.end(), "it was added with that network");
  OldestFirst& all = found->second;
  resize(network, all.size(), all.size() - 1);
  all.erase(number);
  if (all.empty()) networks_.erase(found);
  --size_;
}

ConnectionId PendingConnections::oldest_of_most() const {
  BOOST_ASSERT_MSG(size_ > 0, "there is one");
  return networks_.at(by_size_.rbegin()->second).begin()->second;
}

void PendingConnections::resize(std::uint64_t network, std::size_t before, std::size_t after) {
  by_size_.erase({before, network});
  if (after > 0) by_size_.emplace(after, network);
}

}  // namespace tictactoe::core
