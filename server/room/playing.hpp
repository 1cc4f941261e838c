// Changes of a room's game: moves, ends, new games, and who plays.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "server/room/room_output.hpp"
#include "server/room/timing.hpp"

namespace tictactoe::server {

/// Makes changes without checking that they are allowed, records them and announces them.
/// Afterwards the clock of the side to move runs, and its AI is scheduled. Changes seats, too,
/// because the end of a game can give them to others. A change costs O(people in the room).
class Playing {
 public:
  /// The arguments must outlive this.
  Playing(RoomState& room, RoomOutput& output, Timing& timing)
      : room_(room), output_(output), timing_(timing) {}

  /// Plays a legal move for the side to move.
  void play(const ai::Choice& choice, const RequestContext& context);
  /// Ends a running game. `winner` is `none` for a draw.
  void end(rules::Mark winner, v1::Outcome::Reason reason, const RequestContext& context);
  /// Ends the game if the side to move has run out of time. Returns whether it has.
  bool end_by_time(const RequestContext& context);
  /// Takes back this side's last move and any reply to it. Requires that it has moved.
  void take_back(rules::Mark by, const RequestContext& context);
  void start_new_game(const RequestContext& context);
  /// Begins the next game if the last one is over and both seats are taken.
  void begin_if_over(const RequestContext& context);

  /// Gives a seat to another occupant, or to nobody.
  void change_seat(rules::Mark side, const Seats::Seat& occupant, const RequestContext& context);
  /// Calls `change()`, which changes the seat or its occupant, and announces that. `change` must
  /// not send or announce anything.
  template <class Change>
  void update_seat(rules::Mark side, const RequestContext& context, Change change) {
    auto& message = context.effects.draft<v1::ServerMessage>();
    v1::Occupant& before = *message.mutable_update()->mutable_seat_changed()->mutable_previous();
    room_.seats.describe_seat(side, context.now, before);
    const bool had_score = room_.seats.has_score();
    change();
    if (had_score && !room_.seats.has_score()) message.mutable_update()->mutable_score();
    announce_seat(side, message, context);
  }

  /// The result of a Think. Ignored if outdated.
  void thought(std::uint64_t number, const ThoughtResult& result, const RequestContext& context);
  /// Has an AI choose its move if that is due, or plays one that was chosen.
  void choose_if_due(const RequestContext& context);
  /// Has the engine on this seat, if it is one, start now, and tells the room if it can't play.
  void try_engine(rules::Mark side, const RequestContext& context);
  /// Tells the room if the engine that chooses is late.
  void tell_if_late(const RequestContext& context);
  /// Frees the AI players if nobody is connected and no side is to move.
  void free_ai_if_unneeded(Effects& effects);

 private:
  /// Does nothing if there is no choice.
  void play_for_ai(const std::optional<ai::Choice>& choice, const RequestContext& context);
  void end_trial(const std::string& engine, const ThoughtResult& result,
                 const RequestContext& context);
  void tell_of_engine(rules::Mark side, std::string text, const RequestContext& context);
  void conclude(v1::RoomUpdate& update, const RequestContext& context);
  void log_end(const v1::Outcome& outcome, const RequestContext& context) const;
  void record_undone(const RequestContext& context) const;
  void announce_seat(rules::Mark side, v1::ServerMessage& message, const RequestContext& context);
  void grant_seat_requests(const RequestContext& context);

  RoomState& room_;
  RoomOutput& output_;
  Timing& timing_;
};

}  // namespace tictactoe::server
