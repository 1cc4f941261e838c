// The latest events in one room, to explain a failure.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

#include "tests/simulation/agenda.hpp"
#include "tests/simulation/violation.hpp"

namespace tictactoe::simulation {

/// Off by default: a failing seed is run a second time to fill it.
class Trace {
 public:
  explicit Trace(const Agenda& agenda) : agenda_(agenda) {}

  /// Records events of that room from now on; 0: of all rooms.
  void follow(Incarnation room, std::size_t lines) {
    room_ = room;
    max_lines_ = lines;
  }
  /// `text()` is called only if the line is kept.
  template <class Text>
  void note(Incarnation room, Text text) {
    if (room_ == 0 || room == room_) note(text);
  }
  /// For all rooms.
  template <class Text>
  void note(Text text) {
    if (max_lines_ == 0) return;
    lines_.push_back(std::to_string(agenda_.now().count() / 1000) + " ms  " + text());
    if (lines_.size() > max_lines_) lines_.pop_front();
  }
  const std::deque<std::string>& lines() const { return lines_; }

 private:
  const Agenda& agenda_;
  Incarnation room_ = 0;
  std::size_t max_lines_ = 0;
  std::deque<std::string> lines_;
};

}  // namespace tictactoe::simulation
