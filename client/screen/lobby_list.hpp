// The rooms of a lobby as its list shows them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "client/model/lists.hpp"
#include "client/paint/scene.hpp"

namespace tictactoe::screen {

/// Sorts and filters the rooms. The selection stays on its room as long as the room is listed.
class LobbyList {
 public:
  void set_rooms(std::vector<client::ListedRoom> rooms);
  void clear() { *this = {}; }

  /// Those that the filter leaves, and how many there are without it.
  const std::vector<client::ListedRoom>& rooms() const { return shown_; }
  std::size_t all() const { return all_.size(); }
  /// Null if no room is selected.
  const client::ListedRoom* selected_room() const {
    return selected_ < shown_.size() ? &shown_[selected_] : nullptr;
  }
  std::size_t& selected() { return selected_; }
  std::size_t selected() const { return selected_; }

  LineEditor& filter() { return filter_; }
  const LineEditor& filter() const { return filter_; }
  /// To be called after a change of the filter.
  void refilter();

 private:
  std::vector<client::ListedRoom> all_;
  std::vector<client::ListedRoom> shown_;
  std::size_t selected_ = 0;
  LineEditor filter_{64};
};

}  // namespace tictactoe::screen
