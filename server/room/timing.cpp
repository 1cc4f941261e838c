#include "server/room/timing.hpp"

#include <algorithm>
#include <utility>

#include "server/game/ai_levels.hpp"
#include "server/room/room_journal.hpp"

namespace tictactoe::server {

using rules::Mark;

std::optional<Time> Timing::next_deadline() const {
  std::optional<Time> next = room_.thinking.due();
  for (const auto due : {room_.game.clock().due(), room_.seats.away_due(), restart_until_,
                         room_.thinking.late_due(room_.config.engine_late)}) {
    if (due && (!next || *due < *next)) next = due;
  }
  return next;
}

void Timing::prepare_next_move(const RequestContext& context) {
  const Mark side = room_.to_move();
  const bool an_ai = side != Mark::none && room_.seats.ai_plays(side);
  const bool waits = waits_after_restart(side, context.now);
  const bool is_first = side != Mark::none && room_.game.ply() == 0;
  room_.game.clock().run(waits ? Mark::none : side, an_ai, context.now,
                         is_first ? room_.config.limits.first_move_grace : Time::duration{});
  if (an_ai) {
    room_.thinking.expect_move(room_.seats[side].level, context.now + room_.config.ai_delay,
                               context.effects);
  } else {
    room_.thinking.expect_no_move(context.effects);
  }
}

// Holds -------------------------------------------------------------------------------------------

// While no game is played, or only an AI waits, a seat is held only briefly: otherwise clients
// could leave any number of rooms behind.
Time Timing::end_of_hold(Mark side, Time now, bool stood_in) const {
  const Limits& limits = room_.config.limits;
  const RoomOptions& options = room_.settings.options;
  const bool for_long = options.away == v1::AWAY_HOLD || stood_in;
  auto hold = for_long ? limits.max_hold : options.grace;
  if (!room_.is_running()) {
    hold = std::min(hold, limits.default_grace);
  } else if (room_.seats.has_ai(opponent(side))) {
    hold = std::min(hold, limits.max_hold_against_ai);
  }
  return paused_since_.value_or(now) + hold;
}

void Timing::hold_seat(Mark side, Time now) {
  Seats::Seat& seat = room_.seats[side];
  seat.away_until = end_of_hold(side, now, seat.stood_in);
}

void Timing::shorten_holds(Time now) {
  for (const Mark side : both_sides) {
    if (!room_.seats.is_away(side)) continue;
    Seats::Seat& seat = room_.seats[side];
    const Time until = end_of_hold(side, now, room_.is_running() && seat.stood_in);
    seat.away_until = std::min(*seat.away_until, until);
  }
}

void Timing::pause(Time now) {
  paused_since_ = now;
  room_.game.clock().pause(now);
}

void Timing::resume(Time now) {
  if (!paused_since_) return;
  const Time::duration paused = now - *std::exchange(paused_since_, std::nullopt);
  room_.game.clock().resume(now);
  if (restart_until_) *restart_until_ += paused;
  for (const Mark side : both_sides) {
    if (room_.seats.is_away(side)) *room_.seats[side].away_until += paused;
  }
}

// After a restart ---------------------------------------------------------------------------------

void Timing::load(const journal::v1::Room& saved, Time now) {
  for (const Mark side : both_sides) {
    if (room_.seats.has_person(side)) load_hold(side, side == Mark::x ? saved.x() : saved.o(), now);
  }
  restart_until_ = now + room_.config.limits.restart_grace;
  Effects unused;
  prepare_next_move({now, unused});
}

// The hold ends when it would have ended without the restart, but players get time to return: in a
// running game as much as the room allows, because nobody could return meanwhile.
void Timing::load_hold(Mark side, const journal::v1::Seat& saved, Time now) {
  Seats::Seat& seat = room_.seats[side];
  seat.stood_in = saved.stood_in();
  if (seat.stood_in) seat.level = stand_in_level;
  const Time whole = end_of_hold(side, now, seat.stood_in);
  const Time until = std::min(whole, read_hold(saved, room_.config, now).value_or(whole));
  Time earliest = now + room_.config.limits.restart_grace;
  if (room_.is_running()) {
    earliest = std::max(earliest, std::min(whole, now + room_.settings.options.grace));
  }
  seat.away_until = std::max(until, earliest);
}

void Timing::end_restart_if_due(const RequestContext& context) {
  if (!restart_until_ || *restart_until_ > context.now) return;
  restart_until_.reset();
  prepare_next_move(context);
}

bool Timing::waits_after_restart(Mark side, Time now) const {
  // This time also stands still while nothing can be recorded.
  return restart_until_ && paused_since_.value_or(now) < *restart_until_ && side != Mark::none &&
         room_.seats.is_away(side) && !room_.seats.ai_plays(side);
}

}  // namespace tictactoe::server
