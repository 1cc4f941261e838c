// A queue for each address. The addresses take turns.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>

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

}  // namespace tictactoe::core
