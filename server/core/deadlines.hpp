// What is due when.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "server/core/effects.hpp"

namespace tictactoe::core {

/// Something that is due at a time: a connection's hello or sign of life, a room's next move, or a
/// message to those who watch the lobby.
struct Deadline {
  Time at;
  enum class Kind : std::uint8_t { hello, silence, room, lobby } kind = Kind::hello;
  std::uint64_t key = 0;  ///< the connection's slot, the room's serial, or 0
  friend auto operator<=>(const Deadline&, const Deadline&) = default;
};

/// Deadlines, the first of them at hand; those of one time in the order of kind and key. A binary
/// heap, where each deadline's owner keeps its place: setting and moving cost O(log n), telling
/// that nothing has changed O(1), and nothing but the heap's growth takes memory.
class Deadlines {
 public:
  /// Kept by whoever has a deadline, at one address, and ended before its own end.
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
  /// Not empty.
  const Deadline& first() const { return heap_.front().deadline; }

  /// Whether `place` stands for just this.
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
    settle(place.index_);
  }

  /// Nothing is due there any more.
  void end(Place& place) {
    if (!place.is_set()) return;
    const std::size_t index = std::exchange(place.index_, nowhere);
    if (index + 1 < heap_.size()) {
      put(index, heap_.back());
      heap_.pop_back();
      settle(index);
    } else {
      heap_.pop_back();
    }
  }

  /// Moves those that are due at `now`, at most `most`, to the end of `out`, the first first.
  void take_due(Time now, std::size_t most, std::vector<Deadline>& out) {
    for (; most > 0 && !heap_.empty() && first().at <= now; --most) {
      out.push_back(first());
      end(*heap_.front().place);
    }
  }

  /// Ends all.
  void clear() {
    for (const Item& item : heap_) item.place->index_ = nowhere;
    heap_.clear();
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

  // Brings what stands at `index` to where it belongs.
  void settle(std::size_t index) {
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

}  // namespace tictactoe::core
