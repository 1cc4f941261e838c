#include "server/room/player_requests.hpp"

#include <string>

#include "server/game/describe.hpp"

namespace tictactoe::server {

using rules::Mark;
using Keep = RoomOutput::Keep;

namespace {

Problem game_over() {
  return problem(v1::Error::CODE_GAME_OVER, "The game is over. Ask for a rematch to play on.");
}

}  // namespace

// Moves -------------------------------------------------------------------------------------------

Refused PlayerRequests::check_move(const v1::Move& move, Mark side, const RequestContext& context) {
  if (side == Mark::none) {
    return problem(v1::Error::CODE_NOT_SEATED, "You are watching: take a seat to play.");
  }
  if (game_.is_other_game(move)) {
    return problem(v1::Error::CODE_STALE_MOVE, "That move was for a different game.");
  }
  if (room_.is_running() && playing_.end_by_time(context.without_request())) {
    return problem(v1::Error::CODE_GAME_OVER, "Your time ran out before that move arrived.");
  }
  if (game_.is_over()) return game_over();
  if (game_.is_other_position(move)) {
    return problem(v1::Error::CODE_STALE_MOVE,
                   "The position has changed since you sent that move.");
  }
  if (seats_.has_open_seat()) {
    return problem(v1::Error::CODE_WAITING_FOR_OPPONENT,
                   "There is no opponent yet: wait for one, or add an AI.");
  }
  if (const Mark next = game_.board().to_move(); side != next) {
    return problem(v1::Error::CODE_NOT_YOUR_TURN,
                   "It is not your turn: " + label(next) + " plays next.");
  }
  return std::nullopt;
}

Refused PlayerRequests::move(const v1::Move& move, const RequestContext& context) {
  if (auto refused = check_move(move, seats_.seat_of(context.player), context)) return refused;
  const auto cell = game_.parse_cell(move);
  if (!cell) return cell.error();
  playing_.play({*cell, false}, context);
  return std::nullopt;
}

// Ends and offers ---------------------------------------------------------------------------------

Refused PlayerRequests::rematch(const RequestContext& context) {
  if (auto refused = room_.not_allowed(context.player)) return refused;
  if (!game_.is_over()) {
    return problem(v1::Error::CODE_GAME_NOT_OVER,
                   "You can ask for a rematch once the game is over.");
  }
  if (seats_.has_open_seat()) {
    return problem(v1::Error::CODE_WAITING_FOR_OPPONENT,
                   "Your opponent has left. The next game begins when someone takes the seat.");
  }
  const Mark side = seats_.seat_of(context.player);
  if (side != Mark::none) {
    if (seats_[side].wants_rematch) {
      return problem(v1::Error::CODE_NOT_ALLOWED,
                     "You have already asked for a rematch. It begins when the other side agrees.");
    }
    seats_[side].wants_rematch = true;
  }
  if (seats_.all_want_rematch()) {
    playing_.start_new_game(context);
    return std::nullopt;
  }
  auto& message = context.effects.draft<v1::ServerMessage>();
  message.mutable_update()->mutable_rematch_wanted()->set_seat(describe(side));
  output_.announce(message, context, Keep::room);
  return std::nullopt;
}

template <class Request>
Refused PlayerRequests::check_in_play(Mark side, const Request& request,
                                      const RequestContext& context) {
  if (side == Mark::none) {
    return problem(v1::Error::CODE_NOT_SEATED,
                   "You are watching: only players with a seat can do that.");
  }
  if (game_.is_other_game(request)) {
    return problem(v1::Error::CODE_STALE_REQUEST, "That was for a different game.");
  }
  if (room_.is_running()) playing_.end_by_time(context.without_request());
  if (game_.is_over()) return game_over();
  if (seats_.has_open_seat()) {
    return problem(v1::Error::CODE_WAITING_FOR_OPPONENT,
                   "There is no opponent: wait for one, or add an AI.");
  }
  return std::nullopt;
}

Refused PlayerRequests::asked_too_soon(const RoomGame::Question& question, std::string_view what,
                                       const RequestContext& context) {
  if (!question.may_ask) {
    return problem(v1::Error::CODE_NOT_ALLOWED,
                   "You can offer a draw and ask for a takeback once per move. Make a move first.");
  }
  if (context.now >= question.quiet_until) return std::nullopt;
  const auto left = std::chrono::ceil<std::chrono::seconds>(question.quiet_until - context.now);
  return problem(v1::Error::CODE_NOT_ALLOWED,
                 "Your last " + std::string(what) + " was declined or withdrawn. Wait " +
                     std::to_string(left.count()) + " s before you ask again.");
}

Refused PlayerRequests::resign(const v1::Resign& request, const RequestContext& context) {
  const Mark side = seats_.seat_of(context.player);
  if (auto refused = check_in_play(side, request, context)) return refused;
  playing_.end(opponent(side), v1::Outcome::REASON_RESIGNED, context);
  return std::nullopt;
}

Refused PlayerRequests::offer_draw(const v1::OfferDraw& request, const RequestContext& context) {
  const Mark side = seats_.seat_of(context.player);
  if (auto refused = check_in_play(side, request, context)) return refused;
  const bool ai_answers = seats_.ai_plays(opponent(side));
  // An AI also answers an offer made to the person who sat there before.
  const bool stands = game_.draw_offered_by() == side;
  if (stands && !ai_answers) {
    return problem(v1::Error::CODE_NOT_ALLOWED,
                   "You have already offered a draw. The offer stands until the next move.");
  }
  if (game_.draw_offered_by() == opponent(side)) {
    playing_.end(Mark::none, v1::Outcome::REASON_AGREED, context);
    return std::nullopt;
  }
  if (!stands) {
    const RoomGame::Question& question = game_.questions(side).draw;
    if (auto refused = asked_too_soon(question, "offer of a draw", context)) return refused;
    room_.game.offer_draw(side);
    auto& message = context.effects.draft<v1::ServerMessage>();
    message.mutable_update()->mutable_draw_offered()->set_by(describe(side));
    output_.announce(message, context, Keep::room);
  }
  if (ai_answers) {
    announce_declined(opponent(side), stands ? context : context.without_request());
  }
  return std::nullopt;
}

Refused PlayerRequests::ask_takeback(const v1::AskTakeback& request,
                                     const RequestContext& context) {
  const Mark side = seats_.seat_of(context.player);
  if (auto refused = check_in_play(side, request, context)) return refused;
  const bool ai_answers = seats_.ai_plays(opponent(side));
  if (game_.takeback_asked_by() == side && !ai_answers) {
    return problem(v1::Error::CODE_NOT_ALLOWED, "You have already asked. Wait for the answer.");
  }
  const bool can_grant = game_.takeback_asked_by() == opponent(side);
  if (can_grant && request.has_grants() && !request.grants()) {
    return problem(v1::Error::CODE_NOT_ALLOWED,
                   "Your opponent has just asked to take a move back. Answer that first.");
  }
  if (can_grant) {
    playing_.take_back(opponent(side), context);
    return std::nullopt;
  }
  if (request.grants()) {
    return problem(v1::Error::CODE_NOTHING_TO_ANSWER,
                   "Your opponent is no longer asking for a takeback.");
  }
  if (game_.plies_to_take_back(side) == 0) {
    return problem(v1::Error::CODE_NOTHING_TO_ANSWER, "You have no move to take back.");
  }
  if (ai_answers) {
    playing_.take_back(side, context);
    return std::nullopt;
  }
  const RoomGame::Question& question = game_.questions(side).takeback;
  if (auto refused = asked_too_soon(question, "request for a takeback", context)) return refused;
  room_.game.ask_takeback(side);
  auto& message = context.effects.draft<v1::ServerMessage>();
  message.mutable_update()->mutable_takeback_asked()->set_by(describe(side));
  output_.announce(message, context, Keep::room);
  return std::nullopt;
}

Refused PlayerRequests::decline(const RequestContext& context) {
  const Mark side = seats_.seat_of(context.player);
  if (side == Mark::none) {
    return problem(v1::Error::CODE_NOT_SEATED,
                   "You are watching: only players with a seat can do that.");
  }
  if (game_.draw_offered_by() == Mark::none && game_.takeback_asked_by() == Mark::none) {
    return problem(v1::Error::CODE_NOTHING_TO_ANSWER, "There is nothing to decline.");
  }
  announce_declined(side, context);
  return std::nullopt;
}

void PlayerRequests::announce_declined(Mark by, const RequestContext& context) {
  constexpr std::chrono::seconds pause{10};
  room_.game.decline(context.now + pause);
  auto& message = context.effects.draft<v1::ServerMessage>();
  message.mutable_update()->mutable_declined()->set_by(describe(by));
  output_.announce(message, context, Keep::room);
}

Refused PlayerRequests::hint(const RequestContext& context) {
  if (game_.is_over()) {
    return problem(v1::Error::CODE_GAME_OVER, "The game is over: there is nothing to play.");
  }
  const bool two_people = seats_.has_person(Mark::x) && seats_.has_person(Mark::o);
  if (two_people && !room_.settings.options.hints) {
    return problem(v1::Error::CODE_NOT_ALLOWED,
                   "Between two people, hints are available only in rooms created with hints.");
  }
  const bool is_first = room_.thinking.hint(game_, context);
  // Asking again for the same hint is not announced again.
  if (two_people && is_first) announce_hint(context);
  return std::nullopt;
}

void PlayerRequests::announce_hint(const RequestContext& context) {
  auto& message = context.effects.draft<v1::ServerMessage>();
  v1::HintUsed& used = *message.mutable_update()->mutable_hint_used();
  used.set_name(context.player->name);
  used.set_by(describe(seats_.seat_of(context.player)));
  // The answer to the request is the hint.
  output_.announce(message, context.without_request(), Keep::nothing);
}

}  // namespace tictactoe::server
