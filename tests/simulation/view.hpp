// A room as one client of the simulation knows it.
#pragma once

#include <cstdint>

#include "tests/simulation/violation.hpp"
#include "tests/support/room_view.hpp"

namespace tictactoe::simulation {

/// Throws a Violation for what a test::RoomView finds.
class View : public test::RoomView {
 public:
  View(Incarnation incarnation, const v1::RoomSnapshot& snapshot, std::size_t kept_chat);
  void take(const v1::RoomUpdate& update);
  void check_board() const;

  Incarnation incarnation() const { return incarnation_; }
  /// A hash of the content that is the same for all viewers at this revision. Leaves out what
  /// depends on the viewer or the time.
  std::uint64_t content() const;

 private:
  Incarnation incarnation_;
};

}  // namespace tictactoe::simulation
