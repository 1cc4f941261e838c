// When the thoughts in progress are out of time.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "server/core/thinking.hpp"

namespace tictactoe::thinking {

/// Has one entry for each thought in progress. All functions but erase_room() are O(log thoughts).
class ThoughtTimes {
 public:
  using Time = std::chrono::steady_clock::time_point;

  void add(core::ThoughtId id, Time due) {
    if (due_.emplace(id, due).second) order_.emplace(due, id);
  }
  /// The thought is done or cancelled. Does nothing if it is unknown.
  void erase(core::ThoughtId id) {
    const auto found = due_.find(id);
    if (found != due_.end()) erase(found);
  }
  /// When the first is out of time; nothing if there are none.
  std::optional<Time> first() const {
    return order_.empty() ? std::nullopt : std::optional(order_.begin()->first);
  }
  /// Removes a thought that is out of time.
  std::optional<core::ThoughtId> take_due(Time now) {
    if (order_.empty() || order_.begin()->first > now) return std::nullopt;
    const core::ThoughtId id = order_.begin()->second;
    erase(id);
    return id;
  }
  std::size_t size() const { return order_.size(); }

  /// Removes all of a room. O(its thoughts + log thoughts).
  void erase_room(std::uint64_t room) {
    for (auto found = due_.lower_bound({room, 0});
         found != due_.end() && found->first.room == room;) {
      found = erase(found);
    }
  }

 private:
  using Due = std::map<core::ThoughtId, Time>;

  Due::iterator erase(Due::iterator found) {
    order_.erase({found->second, found->first});
    return due_.erase(found);
  }

  Due due_;
  std::set<std::pair<Time, core::ThoughtId>> order_;
};

}  // namespace tictactoe::thinking
