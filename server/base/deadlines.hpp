// A queue of deadlines.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "server/base/effects.hpp"

namespace tictactoe::server {

/// One deadline: of a connection's hello, of its next sign of life, of a room's next event, of the
/// next updates of the lobby, or of the next part of a notice to all.
struct Deadline {
  Time at;
  enum class Kind : std::uint8_t { hello, silence, room, lobby, notice } kind = Kind::hello;
  std::uint64_t key = 0;  ///< the connection's slot, the room's serial, or 0
  friend auto operator<=>(const Deadline&, const Deadline&) = default;
};

/// Deadlines ordered by time, kind and key. A binary heap in which each owner keeps the position of
/// its deadline: first() and a set() that changes nothing cost O(1), everything else O(log n).
/// Allocates only when the heap grows.
class Deadlines {
 public:
  /// Belongs to the owner of a deadline, who must end() the deadline before destroying its place.
  class Place {
   public:
    Place() = default;
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    bool is_set() const { return index_ != nowhere; }

   private:
    friend class Deadlines;
    std::size_t index_ = nowhere;
  };

  bool empty() const { return heap_.empty(); }
  /// Requires that there is a deadline.
  const Deadline& first() const { return heap_.front().deadline; }

  /// Whether `place` has this deadline.
  bool is(const Place& place, const Deadline& deadline) const {
    return place.is_set() && heap_[place.index_].deadline == deadline;
  }

  void set(Place& place, const Deadline& deadline) {
    if (is(place, deadline)) return;
    if (!place.is_set()) {
      place.index_ = heap_.size();
      heap_.push_back({deadline, &place});
    } else {
      heap_[place.index_].deadline = deadline;
    }
    sift(place.index_);
  }

  /// Removes the deadline, if there is one.
  void end(Place& place) {
    if (!place.is_set()) return;
    const std::size_t index = std::exchange(place.index_, nowhere);
    if (index + 1 < heap_.size()) {
      put(index, heap_.back());
      heap_.pop_back();
      sift(index);
    } else {
      heap_.pop_back();
    }
  }

  /// Removes and returns the first deadline if it is due at `now`.
  std::optional<Deadline> take_due(Time now) {
    if (heap_.empty() || first().at > now) return std::nullopt;
    const Deadline due = first();
    end(*heap_.front().place);
    return due;
  }

 private:
  static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

  struct Item {
    Deadline deadline;
    Place* place;
  };

  void put(std::size_t index, const Item& item) {
    heap_[index] = item;
    item.place->index_ = index;
  }

  // Moves the item at `index` to where it belongs in the heap.
  void sift(std::size_t index) {
    const Item item = heap_[index];
    while (index > 0 && item.deadline < heap_[(index - 1) / 2].deadline) {
      put(index, heap_[(index - 1) / 2]);
      index = (index - 1) / 2;
    }
    for (;;) {
      std::size_t child = 2 * index + 1;
      if (child >= heap_.size()) break;
      if (child + 1 < heap_.size() && heap_[child + 1].deadline < heap_[child].deadline) ++child;
      if (!(heap_[child].deadline < item.deadline)) break;
      put(index, heap_[child]);
      index = child;
    }
    put(index, item);
  }

  std::vector<Item> heap_;
};

}  // namespace tictactoe::server
