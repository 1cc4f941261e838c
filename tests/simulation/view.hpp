// A room as one client knows it from its messages.
#pragma once

#include <cstdint>
#include <string>

#include "tests/simulation/violation.hpp"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::simulation {

/// Follows a room update by update. Throws a Violation if a message contradicts the earlier
/// ones. Shares nothing with the server.
class View {
 public:
  /// `kept_chat` lines are remembered.
  View(Incarnation incarnation, const v1::RoomSnapshot& snapshot, std::size_t kept_chat);
  void take(const v1::RoomUpdate& update);

  Incarnation incarnation() const { return incarnation_; }
  const v1::RoomSnapshot& room() const { return room_; }
  bool seated() const { return room_.your_seat() != v1::MARK_NONE; }
  bool my_turn() const { return seated() && room_.turn() == room_.your_seat(); }
  const v1::Occupant& occupant(v1::Mark seat) const {
    return seat == v1::MARK_X ? room_.x() : room_.o();
  }
  /// A hash of the content that is the same for all viewers at this revision. Leaves out what
  /// depends on the viewer or the time.
  std::uint64_t content() const;

 private:
  template <class Text>
  void check(bool holds, const Text& otherwise) const;
  void take(const v1::MovePlayed& played);
  void take(const v1::SeatChanged& changed);
  void take(const v1::GameStarted& started);
  void take(const v1::GameEnded& ended);
  void take(const v1::TakenBack& taken);
  void take_score(const v1::RoomUpdate& update);
  v1::Mark side_to_move() const;
  void check_sense() const;

  Incarnation incarnation_;
  std::size_t kept_chat_;
  v1::RoomSnapshot room_;
};

constexpr v1::Mark other(v1::Mark side) {
  return side == v1::MARK_X ? v1::MARK_O : v1::MARK_X;
}

}  // namespace tictactoe::simulation
