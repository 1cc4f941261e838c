// A room as clients and the journal see it.
#include <algorithm>

#include "server/game/ai_levels.hpp"
#include "server/game/describe.hpp"
#include "server/game/room.hpp"
#include "server/game/room_journal.hpp"
#include "server/limits/errors.hpp"

namespace tictactoe::server {

using rules::Mark;

void Room::describe_clocks(Time now, v1::Clocks& out) const {
  out.set_x_ms(milliseconds_rounded_up(game_.clock().left(Mark::x, now)));
  out.set_o_ms(milliseconds_rounded_up(game_.clock().left(Mark::o, now)));
}

void Room::describe_to(v1::RoomInfo& info, Time now) const {
  info.set_name(settings_.name);
  describe(settings_.rules, *info.mutable_rules());
  describe(settings_.options, *info.mutable_options());
  info.set_needs_password(needs_password());
  info.set_phase(phase());
  seats_.describe_seat(Mark::x, now, *info.mutable_x());
  seats_.describe_seat(Mark::o, now, *info.mutable_o());
  info.set_watchers(seats_.watcher_count());
  info.set_ply(static_cast<std::uint32_t>(game_.ply()));
}

void Room::describe_to(v1::RoomSnapshot& snapshot, const Player* viewer, Time now) const {
  snapshot.set_name(settings_.name);
  describe(settings_.rules, *snapshot.mutable_rules());
  describe(settings_.options, *snapshot.mutable_options());
  snapshot.set_revision(audience_.revision());
  snapshot.set_your_seat(describe(seat_of(viewer)));
  seats_.describe_seat(Mark::x, now, *snapshot.mutable_x());
  seats_.describe_seat(Mark::o, now, *snapshot.mutable_o());
  snapshot.set_watchers(seats_.watcher_count());
  snapshot.set_phase(phase());
  snapshot.set_game(game_.number());
  snapshot.set_takebacks(game_.takebacks());
  snapshot.set_starter(describe(game_.board().starter()));
  snapshot.set_turn(describe(to_move()));
  snapshot.mutable_moves()->Reserve(game_.ply());
  for (const rules::Cell cell : game_.board().moves()) {
    snapshot.add_moves(static_cast<std::uint32_t>(cell.row * settings_.rules.cols + cell.col));
  }
  if (game_.is_over()) game_.describe_outcome(*snapshot.mutable_outcome());
  snapshot.set_x_wants_rematch(seats_[Mark::x].wants_rematch);
  snapshot.set_o_wants_rematch(seats_[Mark::o].wants_rematch);
  if (game_.clock().counts()) describe_clocks(now, *snapshot.mutable_clocks());
  snapshot.set_draw_offered_by(describe(game_.draw_offered_by()));
  snapshot.set_takeback_asked_by(describe(game_.takeback_asked_by()));
  if (seats_.has_score()) *snapshot.mutable_score() = seats_.score();
  for (const v1::ChatSaid& said : chat_) *snapshot.add_chat() = said;
  snapshot.set_waits_for_seat(waits_for_seat(viewer));
}

void Room::send_snapshot(const RequestContext& context) const {
  auto& message = context.effects.draft<v1::ServerMessage>();
  describe_to(*message.mutable_snapshot(), context.player, context.now);
  context.effects.send(context.connection, context.effects.encode(message), context.request_id);
}

void Room::send_snapshot(const Problem& problem, const RequestContext& context) const {
  auto& message = context.effects.draft<v1::ServerMessage>();
  describe(problem, *message.mutable_error());
  context.effects.counts.note_refusal(problem.code);
  describe_to(*message.mutable_error()->mutable_state(), context.player, context.now);
  context.effects.send(context.connection, context.effects.encode(message), context.request_id);
}

// Adds what every update has, and sends it to the audience.
void Room::announce(v1::ServerMessage& message, const RequestContext& context, Keep keep) {
  v1::RoomUpdate& update = *message.mutable_update();
  update.set_revision(audience_.next_revision());
  update.set_phase(phase());
  update.set_turn(describe(to_move()));
  if (game_.clock().counts()) describe_clocks(context.now, *update.mutable_clocks());
  // A loaded room skips the revisions that may have been announced after its last record. Limits
  // them.
  constexpr std::uint64_t max_unrecorded = std::uint64_t{1} << 18;
  if (keep == Keep::room || audience_.revision() - recorded_revision_ > max_unrecorded) {
    record_room(context);
  }
  audience_.send(message, context);
}

// The journal -------------------------------------------------------------------------------------

void Room::record_room(const RequestContext& context) {
  recorded_revision_ = audience_.revision();
  if (!config_.keeps_records) return;
  auto& record = context.draft_record();
  describe_to(*record.mutable_room(), context.now);
  context.effects.record(record);
}

void Room::describe_to(journal::v1::Room& out, Time now) const {
  write_room(settings_, audience_.revision(), game_, seats_, config_, now, out);
}

void Room::record_first_moves(const RequestContext& context) const {
  if (!config_.keeps_records) return;
  auto& record = context.draft_record();
  for (int ply = 1; ply <= game_.ply(); ++ply) {
    write_move(settings_.serial, game_, static_cast<std::size_t>(ply), *record.mutable_move());
    context.effects.record(record);
  }
}

void Room::record_clocks(const RequestContext& context) {
  if (game_.clock().due()) record_room(context);
}

// The hold ends when it would have ended without the restart, but players get time to return: in a
// running game as much as the room allows, because nobody could return meanwhile.
void Room::load_hold(Mark side, const journal::v1::Seat& saved, Time now) {
  Seats::Seat& seat = seats_[side];
  seat.stood_in = saved.stood_in();
  if (seat.stood_in) seat.level = ai_levels[0];
  Time until = away_until(side, now, seat.stood_in);
  if (const auto hold = read_hold(saved, config_, now)) until = std::min(until, *hold);
  Time earliest = now + config_.limits.restart_grace;
  if (is_running()) {
    const Time whole = away_until(side, now, seat.stood_in);
    earliest = std::max(earliest, std::min(whole, now + settings_.options.grace));
  }
  seat.away_until = std::max(until, earliest);
}

std::unique_ptr<Room> Room::load(const journal::v1::SavedRoom& saved, const Config& config,
                                 const FindPlayer& find_player, Time now) {
  const journal::v1::Room& room = saved.room();
  auto settings = read_settings(room);
  if (!settings) return nullptr;
  auto restored = std::make_unique<Room>(*std::move(settings), config);
  Room& result = *restored;
  result.recorded_revision_ = result.revision();
  result.seats_.load_score(room.score());
  if (!result.seats_.load(Mark::x, room.x(), find_player) ||
      !result.seats_.load(Mark::o, room.o(), find_player) || !result.game_.load(saved)) {
    return nullptr;
  }
  const int kept = static_cast<int>(config.limits.kept_chat);
  for (int i = std::max(0, saved.chat_size() - kept); i < saved.chat_size(); ++i) {
    v1::ChatSaid& said = result.chat_.emplace_back();
    said.set_from(saved.chat(i).from());
    said.set_seat(saved.chat(i).seat());
    said.set_text(saved.chat(i).text());
  }
  for (const Mark side : both_sides) {
    if (!result.seats_.has_person(side)) continue;
    result.load_hold(side, side == Mark::x ? room.x() : room.o(), now);
  }
  result.restart_until_ = now + config.limits.restart_grace;
  Effects unused;
  result.prepare_next_move({now, unused});
  return restored;
}

}  // namespace tictactoe::server
