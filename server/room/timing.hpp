// When something is due in a room: the clock, an AI's move, the ends of holds and of a restart.
#pragma once

#include <optional>

#include "server/room/room_state.hpp"

namespace tictactoe::server {

/// Schedules what a room does later: clocks, AI moves, holds of seats, and the start of the clocks
/// after a restart. Announces nothing. Every call costs O(1).
class Timing {
 public:
  /// `room` must outlive it.
  explicit Timing(RoomState& room) : room_(room) {}

  /// When the room has something to do; nothing if nothing is due.
  std::optional<Time> next_deadline() const;
  /// Sets the clock and the AI for the side to move. Called after changes of that side or of seats.
  void prepare_next_move(const RequestContext& context);

  /// A seated player is away, or an AI has begun to play for one. Holds the seat.
  void hold_seat(rules::Mark side, Time now);
  /// Shortens the holds of seats to what they would be if they began now.
  void shorten_holds(Time now);

  /// Stops the clocks and holds until resume(), because nothing can be recorded.
  void pause(Time now);
  void resume(Time now);

  /// After a restart: holds the saved seats of people. Their clocks wait for them for
  /// Limits::restart_grace. Requires RoomState::load().
  void load(const journal::v1::Room& saved, Time now);
  /// Starts the clocks if they have waited long enough after a restart.
  void end_restart_if_due(const RequestContext& context);

 private:
  Time end_of_hold(rules::Mark side, Time now, bool stood_in) const;
  void load_hold(rules::Mark side, const journal::v1::Seat& saved, Time now);
  bool waits_after_restart(rules::Mark side, Time now) const;

  RoomState& room_;
  // Until then the clocks of absent players stand still.
  std::optional<Time> restart_until_;
  std::optional<Time> paused_since_;
};

}  // namespace tictactoe::server
