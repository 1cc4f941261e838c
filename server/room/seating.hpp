// People and AIs who take seats in a room, watch, leave, lose the connection and return.
#pragma once

#include <vector>

#include "server/room/playing.hpp"

namespace tictactoe::server {

/// Changes who is in a room, and announces it. A call costs O(people in the room); with a snapshot
/// also O(moves).
class Seating {
 public:
  /// The arguments must outlive this.
  Seating(RoomState& room, RoomOutput& output, Timing& timing, Playing& playing)
      : room_(room), output_(output), timing_(timing), playing_(playing) {}

  /// Seats a newcomer or a watcher of this room. `none` means the first open seat or, without one,
  /// that of an AI that yields it. If the AI yields it only after this game, the player watches
  /// until then. Answers with a snapshot.
  Refused sit(rules::Mark wanted, const RequestContext& context);
  /// Why sit() would refuse this player.
  Refused cannot_sit(rules::Mark wanted, const Player& player) const;
  /// Adds a watcher. Requires a player who is not in this room. Answers with a snapshot.
  Refused watch(const RequestContext& context);
  /// Why this player can't become a watcher.
  Refused cannot_watch(const Player& player) const;
  /// Lets this player enter once without the password. Requires a player who is not in this room.
  void admit_once(const Player& guest);
  /// Removes a player from the room. The player gets only answers to open requests.
  void leave(const Player& player, const RequestContext& context);
  /// Removes and returns everybody in the room, and sends them nothing.
  std::vector<const Player*> dismiss(const RequestContext& context);

  /// A seated player has lost the connection. Holds the seat, see v1::AwayPolicy.
  void went_away(const Player& player, const RequestContext& context);
  /// A seated player has a new connection. Sends the updates after revision `seen`, the last one
  /// that the player has received, or a snapshot, as RoomOutput::send_missed() does. It is a
  /// snapshot if the new connection replaces a present one while clocks run.
  void came_back(std::uint64_t seen, const RequestContext& context);
  /// Ends the hold of an absent player's seat early: the player loses the seat, and a running game
  /// that has moves.
  void end_hold(const Player& player, const RequestContext& context);
  /// Ends the holds that are over. Returns the players who lost their seats.
  std::vector<PlayerId> end_holds_if_due(const RequestContext& context);

  /// Seats an AI. `none` means the first open seat. On the player's own seat, the player watches
  /// from then on.
  Refused add_ai(rules::Mark wanted, const AiLevel& level, const RequestContext& context);
  /// Opens the seat of an AI. `none` means the only AI.
  Refused remove_ai(rules::Mark wanted, const RequestContext& context);

 private:
  /// Why this seat is not open.
  Refused no_seat(rules::Mark wanted) const;
  /// The seat that an AI yields to a newcomer, at once or after this game; `none` if a seat is
  /// open.
  rules::Mark yielded_seat(rules::Mark wanted) const;
  void seat_newcomer(rules::Mark side, const Player& player, const RequestContext& context);
  Refused wait_for_seat(rules::Mark wanted, const RequestContext& context);
  void announce_watcher(const Player& player, bool joined, const RequestContext& context);
  bool end_absence(rules::Mark side, const RequestContext& context);
  void lose_seat(rules::Mark side, const RequestContext& context);

  RoomState& room_;
  Seats& seats_ = room_.seats;
  RoomOutput& output_;
  Timing& timing_;
  Playing& playing_;
};

}  // namespace tictactoe::server
