// Requests of players during and after a game.
#pragma once

#include <string_view>

#include "server/room/playing.hpp"

namespace tictactoe::server {

/// Handles requests of `context.player`, who sits or, for hints and rematches of AIs, watches. Each
/// succeeds or is refused. A game whose time has run out ends first. Costs O(people in the room).
class PlayerRequests {
 public:
  /// The arguments must outlive this.
  PlayerRequests(RoomState& room, RoomOutput& output, Playing& playing)
      : room_(room), output_(output), playing_(playing) {}

  Refused move(const v1::Move& move, const RequestContext& context);
  Refused rematch(const RequestContext& context);
  Refused resign(const v1::Resign& request, const RequestContext& context);
  Refused offer_draw(const v1::OfferDraw& request, const RequestContext& context);
  Refused ask_takeback(const v1::AskTakeback& request, const RequestContext& context);
  Refused decline(const RequestContext& context);
  /// Asks for a hint, which is sent later.
  Refused hint(const RequestContext& context);

 private:
  Refused check_move(const v1::Move& move, rules::Mark side, const RequestContext& context);
  /// Why `side` may not resign, offer or ask now. First ends the game if time has run out.
  template <class Request>
  Refused check_in_play(rules::Mark side, const Request& request, const RequestContext& context);
  /// Why a side may not ask the other side again so soon; `what` names its last question.
  static Refused asked_too_soon(const RoomGame::Question& question, std::string_view what,
                                const RequestContext& context);
  void announce_declined(rules::Mark by, const RequestContext& context);
  void announce_hint(const RequestContext& context);

  RoomState& room_;
  const RoomGame& game_ = room_.game;
  Seats& seats_ = room_.seats;
  RoomOutput& output_;
  Playing& playing_;
};

}  // namespace tictactoe::server
