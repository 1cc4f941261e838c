#include "server/room/playing.hpp"

#include <utility>
#include <vector>

#include "server/game/describe.hpp"
#include "server/room/room_journal.hpp"

namespace tictactoe::server {

using rules::Mark;
using Keep = RoomOutput::Keep;

void Playing::play(const ai::Choice& choice, const RequestContext& context) {
  RoomGame& game = room_.game;
  const Mark side = game.board().to_move();
  game.play(choice.cell, context.now);
  ++context.effects.counts.moves;
  room_.thinking.position_changed(context.effects);
  timing_.prepare_next_move(context);
  output_.record(context, [&](journal::v1::Record& record) {
    write_last_move(room_, side, context.now, *record.mutable_move());
  });
  auto& message = context.effects.draft<v1::ServerMessage>();
  v1::MovePlayed& played = *message.mutable_update()->mutable_move_played();
  played.set_mark(describe(side));
  describe(choice.cell, *played.mutable_cell());
  played.set_ply(static_cast<std::uint32_t>(game.ply()));
  played.set_cannot_lose(choice.cannot_lose);
  played.set_engine_fault(choice.engine_fault);
  const bool over = game.is_over();
  if (over) {
    game.describe_outcome(*played.mutable_outcome());
    conclude(*message.mutable_update(), context);
  }
  output_.announce(message, context, over ? Keep::room : Keep::nothing);
  if (over) grant_seat_requests(context);
}

// Ends --------------------------------------------------------------------------------------------

void Playing::end(Mark winner, v1::Outcome::Reason reason, const RequestContext& context) {
  room_.game.end(winner, reason);
  auto& message = context.effects.draft<v1::ServerMessage>();
  room_.game.describe_outcome(*message.mutable_update()->mutable_game_ended()->mutable_outcome());
  conclude(*message.mutable_update(), context);
  timing_.prepare_next_move(context);
  output_.announce(message, context, Keep::room);
  grant_seat_requests(context);
}

bool Playing::end_by_time(const RequestContext& context) {
  if (!room_.game.is_out_of_time(context.now)) return false;
  end(opponent(room_.game.board().to_move()), v1::Outcome::REASON_TIME, context);
  return true;
}

// The game has just ended: counts it and records it.
void Playing::conclude(v1::RoomUpdate& update, const RequestContext& context) {
  room_.seats.count_win(room_.game.winner());
  const v1::Outcome& outcome =
      update.has_move_played() ? update.move_played().outcome() : update.game_ended().outcome();
  ++context.effects.counts.games.at(static_cast<std::size_t>(outcome.reason()));
  log_end(outcome, context);
  *update.mutable_score() = room_.seats.score();
  output_.record(context, [&](journal::v1::Record& record) {
    write_finished_game(room_, context.now, *record.mutable_game_finished());
    if (!room_.settings.is_public()) write_readers(room_.seats, *record.mutable_readers());
  });
  timing_.shorten_holds(context.now);
  room_.thinking.release(context.effects);
}

void Playing::log_end(const v1::Outcome& outcome, const RequestContext& context) const {
  const RoomSettings& settings = room_.settings;
  context.effects.log.note(
      "game over", settings.origin.value_or(Origin{}), context.now, [&](LogEvent& event) {
        event.add("room", settings.name).add("game", room_.game.number());
        v1::Occupant x;
        v1::Occupant o;
        room_.seats.describe_seat(Mark::x, context.now, x);
        room_.seats.describe_seat(Mark::o, context.now, o);
        event.add("x", x.name()).add("o", o.name());
        event.add("outcome", label_of(v1::Outcome::Reason_Name(outcome.reason()), "REASON_"));
        if (outcome.winner() != v1::MARK_NONE) {
          event.add("winner", outcome.winner() == v1::MARK_X ? "x" : "o");
        }
        event.add("moves", static_cast<std::uint64_t>(room_.game.ply()));
      });
}

// New games ---------------------------------------------------------------------------------------

// Records how many of the game's moves are still on the board.
void Playing::record_undone(const RequestContext& context) const {
  output_.record(context, [&](journal::v1::Record& record) {
    record.mutable_moves_undone()->set_room(room_.settings.serial);
    record.mutable_moves_undone()->set_ply(static_cast<std::uint32_t>(room_.game.ply()));
  });
}

void Playing::start_new_game(const RequestContext& context) {
  const bool had_moves = room_.game.ply() > 0;
  room_.game.start_next();
  if (had_moves) record_undone(context);
  room_.seats.clear_rematch_wishes();
  timing_.prepare_next_move(context);
  auto& message = context.effects.draft<v1::ServerMessage>();
  v1::GameStarted& started = *message.mutable_update()->mutable_game_started();
  started.set_game(room_.game.number());
  started.set_starter(describe(room_.game.board().starter()));
  output_.announce(message, context, Keep::room);
}

void Playing::begin_if_over(const RequestContext& context) {
  if (room_.game.is_over() && !room_.seats.has_open_seat()) {
    start_new_game(context.without_request());
  }
}

void Playing::take_back(Mark by, const RequestContext& context) {
  RoomGame& game = room_.game;
  game.take_back(game.plies_to_take_back(by));
  room_.thinking.position_changed(context.effects);
  timing_.prepare_next_move(context);
  game.clock().taken_back();
  record_undone(context);
  auto& message = context.effects.draft<v1::ServerMessage>();
  v1::TakenBack& taken = *message.mutable_update()->mutable_taken_back();
  taken.set_ply(static_cast<std::uint32_t>(game.ply()));
  taken.set_by(describe(by));
  taken.set_takebacks(game.takebacks());
  output_.announce(message, context, Keep::room);
}

// Who plays ---------------------------------------------------------------------------------------

void Playing::change_seat(Mark side, const Seats::Seat& occupant, const RequestContext& context) {
  update_seat(side, context, [&] {
    room_.seats.change(side, occupant);
    timing_.shorten_holds(context.now);
    room_.game.clear_offers_of(side);
  });
}

// Adds the rest of a message that has the former occupant.
void Playing::announce_seat(Mark side, v1::ServerMessage& message, const RequestContext& context) {
  v1::SeatChanged& changed = *message.mutable_update()->mutable_seat_changed();
  changed.set_seat(describe(side));
  room_.seats.describe_seat(side, context.now, *changed.mutable_occupant());
  changed.set_watchers(room_.seats.watcher_count());
  timing_.prepare_next_move(context);
  output_.announce(message, context, Keep::room);
}

// The game is over: seats the players who have asked for the seats of AIs. If both are people now,
// they also ask for the next game.
void Playing::grant_seat_requests(const RequestContext& context) {
  for (const Seats::SeatRequest& each : std::vector(room_.seats.seat_requests())) {
    const Mark side = room_.yielding_seat(each.wanted);
    if (side == Mark::none) continue;
    const Player& player = *each.player;
    room_.seats.remove_watcher(player);
    change_seat(side, Seats::person(player), context.without_request());
    // Against an AI, the next game begins when the newcomer asks for it.
    if (room_.seats.has_person(opponent(side))) {
      room_.seats[side].wants_rematch = true;
      auto& message = context.effects.draft<v1::ServerMessage>();
      message.mutable_update()->mutable_rematch_wanted()->set_seat(describe(side));
      output_.announce(message, context.without_request(), Keep::room);
    }
    output_.send_snapshot({context.now, context.effects, &player, *player.connection});
  }
}

// AIs ---------------------------------------------------------------------------------------------

void Playing::thought(std::uint64_t number, const ThoughtResult& result,
                      const RequestContext& context) {
  RoomThinking& thinking = room_.thinking;
  if (thinking.is_hint(number)) return thinking.hint_thought(result, room_.game, context);
  if (const std::string engine = thinking.end_trial(number); !engine.empty()) {
    return end_trial(engine, result, context);
  }
  const Config& config = room_.config;
  const auto pace = config.ai_pace ? config.ai_delay : std::chrono::milliseconds(0);
  play_for_ai(thinking.move_thought(number, result, context.now, pace), context);
}

void Playing::play_for_ai(const std::optional<ai::Choice>& choice, const RequestContext& context) {
  if (!choice) return;
  play(*choice, context);
  free_ai_if_unneeded(context.effects);
}

void Playing::choose_if_due(const RequestContext& context) {
  const auto due = room_.thinking.due();
  if (!due || *due > context.now) return;
  const AiLevel& level = room_.seats[room_.to_move()].level;
  play_for_ai(room_.thinking.choose(room_.game, level, context), context);
}

void Playing::try_engine(Mark side, const RequestContext& context) {
  const Seats::Seat& seat = room_.seats[side];
  if (seat.level.engine.empty()) return;
  room_.thinking.try_out(room_.game, seat.level, context.effects);
}

void Playing::end_trial(const std::string& engine, const ThoughtResult& result,
                        const RequestContext& context) {
  if (!result || result->engine_fault.empty()) return;
  for (const Mark side : both_sides) {
    if (room_.seats.has_ai(side) && room_.seats[side].level.engine == engine) {
      return tell_of_engine(side, result->engine_fault, context);
    }
  }
}

void Playing::tell_if_late(const RequestContext& context) {
  const auto due = room_.thinking.late_due(room_.config.engine_late);
  if (!due || *due > context.now) return;
  room_.thinking.note_late();
  const Mark side = room_.to_move();
  tell_of_engine(side,
                 "The engine " + room_.seats[side].level.engine +
                     " is late: it is still loading, or the machine is busy.",
                 context);
}

void Playing::tell_of_engine(Mark side, std::string text, const RequestContext& context) {
  auto& message = context.effects.draft<v1::ServerMessage>();
  v1::EngineNote& note = *message.mutable_update()->mutable_engine_note();
  note.set_seat(describe(side));
  note.set_text(std::move(text));
  output_.announce(message, context.without_request(), Keep::nothing);
}

void Playing::free_ai_if_unneeded(Effects& effects) {
  if (output_.audience().empty() && room_.to_move() == Mark::none) room_.thinking.release(effects);
}

}  // namespace tictactoe::server
