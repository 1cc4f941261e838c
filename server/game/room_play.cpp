// The game in a room, from its first move to its end.
#include <algorithm>

#include "server/game/describe.hpp"
#include "server/game/room.hpp"
#include "server/game/room_journal.hpp"

namespace tictactoe::server {

using rules::Mark;

// Plays a legal move for the side to move.
void Room::play(const ai::Choice& choice, const RequestContext& context) {
  const Mark side = game_.board().to_move();
  game_.play(choice.cell, context.now);
  ++context.effects.counts.moves;
  if (thinking_) thinking_->position_changed(context.effects);
  prepare_next_move(context);
  if (config_.keeps_records) {
    auto& record = context.draft_record();
    write_move(settings_.serial, game_, side, context.now, *record.mutable_move());
    context.effects.record(record);
  }
  auto& message = context.effects.draft<v1::ServerMessage>();
  v1::MovePlayed& played = *message.mutable_update()->mutable_move_played();
  played.set_mark(describe(side));
  describe(choice.cell, *played.mutable_cell());
  played.set_ply(static_cast<std::uint32_t>(game_.ply()));
  played.set_cannot_lose(choice.cannot_lose);
  played.set_engine_fault(choice.engine_fault);
  const bool over = game_.is_over();
  if (over) {
    game_.describe_outcome(*played.mutable_outcome());
    conclude(*message.mutable_update(), context);
  }
  announce(message, context, over ? Keep::room : Keep::nothing);
  if (over) seat_waiting(context);
}

// The game has just ended: counts it and records it.
void Room::conclude(v1::RoomUpdate& update, const RequestContext& context) {
  seats_.count_win(game_.winner());
  const v1::Outcome& outcome =
      update.has_move_played() ? update.move_played().outcome() : update.game_ended().outcome();
  ++context.effects.counts.games.at(static_cast<std::size_t>(outcome.reason()));
  log_end(outcome, context);
  *update.mutable_score() = seats_.score();
  if (config_.keeps_records) {
    auto& record = context.draft_record();
    write_finished_game(settings_, game_, seats_, context.now, *record.mutable_game_finished());
    if (!is_public()) write_readers(seats_, *record.mutable_readers());
    context.effects.record(record);
  }
  shorten_holds(context.now);
  stop_thinking(context.effects);
}

void Room::log_end(const v1::Outcome& outcome, const RequestContext& context) const {
  context.effects.log.note(
      "game over", origin().value_or(Origin{}), context.now, [&](LogEvent& event) {
        event.add("room", name()).add("game", game_.number());
        v1::Occupant x;
        v1::Occupant o;
        seats_.describe_seat(Mark::x, context.now, x);
        seats_.describe_seat(Mark::o, context.now, o);
        event.add("x", x.name()).add("o", o.name());
        event.add("outcome", label_of(v1::Outcome::Reason_Name(outcome.reason()), "REASON_"));
        if (outcome.winner() != v1::MARK_NONE) {
          event.add("winner", outcome.winner() == v1::MARK_X ? "x" : "o");
        }
        event.add("moves", static_cast<std::uint64_t>(game_.ply()));
      });
}

void Room::end(Mark winner, v1::Outcome::Reason reason, const RequestContext& context) {
  game_.end(winner, reason);
  auto& message = context.effects.draft<v1::ServerMessage>();
  game_.describe_outcome(*message.mutable_update()->mutable_game_ended()->mutable_outcome());
  conclude(*message.mutable_update(), context);
  prepare_next_move(context);
  announce(message, context, Keep::room);
  seat_waiting(context);
}

bool Room::end_by_time(const RequestContext& context) {
  if (!game_.is_out_of_time(context.now)) return false;
  end(opponent(game_.board().to_move()), v1::Outcome::REASON_TIME, context);
  return true;
}

void Room::start_new_game(const RequestContext& context) {
  if (config_.keeps_records && game_.ply() > 0) {
    auto& record = context.draft_record();
    record.mutable_moves_undone()->set_room(settings_.serial);
    context.effects.record(record);
  }
  game_.start_next();
  seats_.clear_rematch_wishes();
  prepare_next_move(context);
  auto& message = context.effects.draft<v1::ServerMessage>();
  v1::GameStarted& started = *message.mutable_update()->mutable_game_started();
  started.set_game(game_.number());
  started.set_starter(describe(game_.board().starter()));
  announce(message, context, Keep::room);
}

void Room::begin_if_over(const RequestContext& context) {
  if (game_.is_over() && !has_open_seat()) start_new_game(context.without_request());
}

void Room::take_back(Mark by, const RequestContext& context) {
  game_.take_back(game_.plies_to_take_back(by));
  if (thinking_) thinking_->position_changed(context.effects);
  prepare_next_move(context);
  game_.clock().taken_back();
  if (config_.keeps_records) {
    auto& record = context.draft_record();
    record.mutable_moves_undone()->set_room(settings_.serial);
    record.mutable_moves_undone()->set_ply(static_cast<std::uint32_t>(game_.ply()));
    context.effects.record(record);
  }
  auto& message = context.effects.draft<v1::ServerMessage>();
  v1::TakenBack& taken = *message.mutable_update()->mutable_taken_back();
  taken.set_ply(static_cast<std::uint32_t>(game_.ply()));
  taken.set_by(describe(by));
  taken.set_takebacks(game_.takebacks());
  announce(message, context, Keep::room);
}

void Room::prepare_next_move(const RequestContext& context) {
  const Mark side = to_move();
  const bool an_ai = side != Mark::none && seats_.ai_plays(side);
  const bool waits = waits_after_restart(side, context.now);
  game_.clock().run(waits ? Mark::none : side, an_ai, context.now);
  if (an_ai) {
    thinking().expect_move(seats_[side].level, context.now + config_.ai_delay, context.effects);
  } else if (thinking_) {
    thinking_->expect_no_move(context.effects);
  }
}

void Room::thought(std::uint64_t number, const ThoughtResult& result,
                   const RequestContext& context) {
  if (!thinking_) return;
  if (thinking_->is_hint(number)) return thinking_->hint_thought(result, game_, context);
  if (const auto choice = thinking_->move_thought(number, result, context.now)) {
    play(*choice, context);
    free_ai_if_unneeded(context.effects);
  }
}

}  // namespace tictactoe::server
