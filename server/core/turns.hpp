// A queue for each address. The addresses take turns, or the networks and then their addresses.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "server/core/origin.hpp"

namespace tictactoe::core {

/// What waits for something else to end, by the address that it is for. If each item that is taken
/// is one of the address whose turn it is, an address waits for at most one item of each other one.
/// All operations cost O(log addresses) unless they say otherwise.
template <class Item>
class Turns {
 public:
  using Queue = std::deque<Item>;

  bool empty() const { return queues_.empty(); }
  /// Of all addresses.
  std::size_t size() const { return size_; }
  std::size_t addresses() const { return queues_.size(); }
  /// None is empty.
  const std::map<std::uint64_t, Queue>& queues() const { return queues_; }

  void push(std::uint64_t address, Item item) {
    queues_[address].push_back(std::move(item));
    ++size_;
  }
  /// The address whose turn it is now. The next call returns the next address. Requires an item.
  std::uint64_t take_turn() {
    assert(!empty());
    auto next = queues_.upper_bound(last_);
    if (next == queues_.end()) next = queues_.begin();
    last_ = next->first;
    return last_;
  }
  /// The first item of an address that has one.
  const Item& front(std::uint64_t address) const { return queues_.at(address).front(); }
  Item pop(std::uint64_t address) {
    const auto found = queues_.find(address);
    Item item = std::move(found->second.front());
    found->second.pop_front();
    removed(found);
    return item;
  }
  /// The last item of an address that has one.
  Item pop_last(std::uint64_t address) {
    const auto found = queues_.find(address);
    Item item = std::move(found->second.back());
    found->second.pop_back();
    removed(found);
    return item;
  }
  /// Removes this item if it is there, at most once. O(items of the address).
  void erase(std::uint64_t address, const Item& item) {
    const auto found = queues_.find(address);
    if (found == queues_.end()) return;
    const auto place = std::find(found->second.begin(), found->second.end(), item);
    if (place == found->second.end()) return;
    found->second.erase(place);
    removed(found);
  }

 private:
  void removed(typename std::map<std::uint64_t, Queue>::iterator from) {
    --size_;
    if (from->second.empty()) queues_.erase(from);
  }

  std::map<std::uint64_t, Queue> queues_;
  std::size_t size_ = 0;
  std::uint64_t last_ = 0;
};

/// A queue for each address. The networks take turns, and in each of them its addresses.
template <class Item>
class TurnsOfNetworks {
 public:
  bool empty() const { return networks_.empty(); }
  void push(Origin from, Item item) { networks_[from.network].push(from.address, std::move(item)); }
  /// Removes this item if it is there, at most once. O(items of the address).
  void erase(Origin from, const Item& item) {
    const auto found = networks_.find(from.network);
    if (found == networks_.end()) return;
    found->second.erase(from.address, item);
    if (found->second.empty()) networks_.erase(found);
  }
  /// Removes and returns the first item, in the order of turns, that can go. `network_can_go` is
  /// asked with one item of each network, and `can_go` with the first item of each address of a
  /// network that can go. Nothing if no item can. O(networks + addresses passed over).
  template <class NetworkCanGo, class CanGo>
  std::optional<Item> pop_first(NetworkCanGo network_can_go, CanGo can_go) {
    for (std::size_t left = networks_.size(); left > 0; --left) {
      auto next = networks_.upper_bound(last_);
      if (next == networks_.end()) next = networks_.begin();
      last_ = next->first;
      Turns<Item>& turns = next->second;
      if (!network_can_go(turns.queues().begin()->second.front())) continue;
      for (std::size_t addresses = turns.addresses(); addresses > 0; --addresses) {
        const std::uint64_t address = turns.take_turn();
        if (!can_go(turns.front(address))) continue;
        Item item = turns.pop(address);
        if (turns.empty()) networks_.erase(next);
        return item;
      }
    }
    return std::nullopt;
  }

  /// The same if all items can go. O(log networks + log addresses).
  std::optional<Item> pop_first() {
    const auto can_go = [](const Item& /*item*/) { return true; };
    return pop_first(can_go, can_go);
  }

 private:
  std::map<std::uint64_t, Turns<Item>> networks_;  // none is empty
  std::uint64_t last_ = 0;
};

}  // namespace tictactoe::core
