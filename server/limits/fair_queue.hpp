// A queue that is fair to networks and addresses, and finds who holds the most.
#pragma once

#include <boost/assert.hpp>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "server/base/origin.hpp"

namespace tictactoe::server {

/// Items with weights, each charged to an origin.
///
/// pop() serves the networks round robin, and within a network its addresses. Items of the same
/// address and weight come out in the order in which they were pushed.
///
/// heaviest() finds who has to give something up: the address with the most weight in the network
/// with the most weight. Among equals it is the one that has had something longest.
///
/// A caller that distinguishes only networks, or only addresses, passes that number for both. The
/// caller limits the size. All operations cost O(log size) unless they say otherwise.
template <class Item>
class FairQueue {
 public:
  bool empty() const { return networks_.empty(); }
  std::size_t size() const { return size_; }
  /// The sum of all weights.
  std::size_t weight() const { return weight_; }
  std::size_t weight_of_network(std::uint64_t network) const {
    const auto found = networks_.find(network);
    return found == networks_.end() ? 0 : found->second.rank.weight;
  }
  std::size_t weight_of(Origin from) const {
    const auto network = networks_.find(from.network);
    if (network == networks_.end()) return 0;
    const auto found = network->second.members.find(from.address);
    return found == network->second.members.end() ? 0 : found->second.rank.weight;
  }

  /// Returns a number for erase(). Requires a weight above 0.
  std::uint64_t push(Origin from, Item item, std::size_t weight = 1) {
    insert(from, ++last_number_, std::move(item), weight);
    return last_number_;
  }
  /// Requires an item with this origin, number and weight.
  void erase(Origin from, std::uint64_t number, std::size_t weight = 1) {
    const auto found = networks_.find(from.network);
    BOOST_ASSERT_MSG(found != networks_.end(), "the item was pushed with this origin");
    const auto address = found->second.members.find(from.address);
    BOOST_ASSERT_MSG(address != found->second.members.end(), "as above");
    take(found, address, address->second.members.find({weight, number}));
  }
  /// Changes the weight of an item. The item keeps its age.
  void reweigh(Origin from, std::uint64_t number, std::size_t before, std::size_t after) {
    Network& network = networks_.at(from.network);
    Address& address = network.members.at(from.address);
    auto item = address.members.extract({before, number});
    item.key().weight = after;
    address.members.insert(std::move(item));
    add(network, from, address, after - before);  // modulo 2^64
  }

  /// Removes and returns the next item; nothing if the queue is empty.
  std::optional<Item> pop() {
    const auto always = [](const Item& /*item*/) { return true; };
    return pop_if(always, always);
  }
  /// Like pop(), but skips networks for which `network_can_go` is false and addresses for which
  /// `can_go` is false. Calls `network_can_go` with one item of each network, and `can_go` with the
  /// first item of each address of a network that can go. O(log size + networks and addresses
  /// skipped).
  template <class NetworkCanGo, class CanGo>
  std::optional<Item> pop_if(NetworkCanGo network_can_go, CanGo can_go) {
    for (std::size_t networks = networks_.size(); networks > 0; --networks) {
      const auto network = next(networks_, last_network_);
      auto& addresses = network->second.members;
      if (!network_can_go(first_of(addresses.begin()->second))) continue;
      for (std::size_t left = addresses.size(); left > 0; --left) {
        const auto address = next(addresses, network->second.last_member);
        if (!can_go(first_of(address->second))) continue;
        return take(network, address, address->second.members.begin());
      }
    }
    return std::nullopt;
  }

  /// Requires that the queue is not empty.
  Origin heaviest() const { return heaviest_in(ranks_.begin()->second); }
  /// Requires that this network has an item.
  Origin heaviest_in(std::uint64_t network) const {
    return {networks_.at(network).ranks.begin()->second, network};
  }
  /// The heaviest item of an address; among equals the oldest. Requires that there is one.
  const Item& first(Origin from) const {
    return first_of(networks_.at(from.network).members.at(from.address));
  }
  /// Removes the lightest item of an address; among equals the newest. Requires that there is one.
  Item pop_last(Origin from) {
    const auto network = networks_.find(from.network);
    const auto address = network->second.members.find(from.address);
    return take(network, address, std::prev(address->second.members.end()));
  }

 private:
  /// Sorts the heaviest first; among equals the oldest. Numbers are unique.
  struct Rank {
    std::size_t weight = 0;
    std::uint64_t number = 0;  // counts up
    bool operator<(const Rank& other) const {
      return weight != other.weight ? weight > other.weight : number < other.number;
    }
  };
  struct Address {
    std::map<Rank, Item> members;
    Rank rank;
  };
  struct Network {
    std::map<std::uint64_t, Address> members;  // none is empty
    std::map<Rank, std::uint64_t> ranks;       // its addresses, by weight
    Rank rank;
    std::uint64_t last_member = 0;  // served last
  };
  using Networks = std::map<std::uint64_t, Network>;  // none is empty

  template <class Map>
  static auto next(Map& all, std::uint64_t& last) {
    auto found = all.upper_bound(last);
    if (found == all.end()) found = all.begin();
    last = found->first;
    return found;
  }
  static const Item& first_of(const Address& address) { return address.members.begin()->second; }

  void insert(Origin from, std::uint64_t number, Item item, std::size_t weight) {
    BOOST_ASSERT_MSG(weight > 0, "what has no weight takes no place");
    Network& network = networks_[from.network];
    if (network.members.empty()) network.rank.number = number;
    Address& address = network.members[from.address];
    if (address.members.empty()) address.rank.number = number;
    // It is the last among items of the same weight.
    address.members.emplace_hint(address.members.end(), Rank{weight, number}, std::move(item));
    ++size_;
    add(network, from, address, weight);
  }
  Item take(typename Networks::iterator network,
            typename std::map<std::uint64_t, Address>::iterator address,
            typename std::map<Rank, Item>::iterator item) {
    Item taken = std::move(item->second);
    const std::size_t weight = item->first.weight;
    address->second.members.erase(item);
    --size_;
    add(network->second, {address->first, network->first}, address->second, 0 - weight);
    if (address->second.members.empty()) network->second.members.erase(address);
    if (network->second.members.empty()) networks_.erase(network);
    return taken;
  }
  // A negative difference is modulo 2^64.
  void add(Network& network, Origin of, Address& address, std::size_t difference) {
    weight_ += difference;
    change(ranks_, network.rank, of.network, difference);
    change(network.ranks, address.rank, of.address, difference);
  }
  static void change(std::map<Rank, std::uint64_t>& ranks, Rank& rank, std::uint64_t id,
                     std::size_t difference) {
    auto node = ranks.extract(rank);
    rank.weight += difference;
    if (rank.weight == 0) return;
    if (node.empty()) {
      ranks.emplace(rank, id);
    } else {
      node.key() = rank;
      ranks.insert(std::move(node));
    }
  }

  Networks networks_;
  std::map<Rank, std::uint64_t> ranks_;  // networks by weight
  std::size_t size_ = 0;
  std::size_t weight_ = 0;
  std::uint64_t last_network_ = 0;  // served last
  std::uint64_t last_number_ = 0;
};

}  // namespace tictactoe::server
