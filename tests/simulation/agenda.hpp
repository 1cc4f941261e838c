// The virtual clock and its events.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "tests/simulation/random.hpp"

namespace tictactoe::simulation {

/// Events in the order of their times; events of the same time in the order in which they were
/// added.
class Agenda {
 public:
  Time now() const { return now_; }
  std::uint64_t unix_ms() const {
    return 1'700'000'000'000 + static_cast<std::uint64_t>(now_ / std::chrono::milliseconds(1));
  }
  bool empty() const { return heap_.empty(); }
  /// When the next event is due.
  Time next() const { return heap_.front().at; }

  void at(Time time, std::function<void()> action) {
    heap_.push_back({std::max(time, now_), ++planned_, std::move(action)});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }
  void in(Time delay, std::function<void()> action) { at(now_ + delay, std::move(action)); }

  /// Advances the clock to the next event and runs it.
  void step() {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    Event event = std::move(heap_.back());
    heap_.pop_back();
    now_ = event.at;
    event.action();
  }

 private:
  struct Event {
    Time at;
    std::uint64_t order;
    std::function<void()> action;
  };
  static bool later(const Event& a, const Event& b) {
    return std::pair(a.at, a.order) > std::pair(b.at, b.order);
  }

  Time now_{0};
  std::uint64_t planned_ = 0;
  std::vector<Event> heap_;
};

}  // namespace tictactoe::simulation
