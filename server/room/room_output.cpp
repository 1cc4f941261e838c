#include "server/room/room_output.hpp"

#include <algorithm>

#include "server/game/describe.hpp"
#include "server/limits/errors.hpp"
#include "server/room/room_journal.hpp"

namespace tictactoe::server {

using rules::Mark;

// To the people in the room -----------------------------------------------------------------------

void RoomOutput::announce(v1::ServerMessage& message, const RequestContext& context, Keep keep) {
  v1::RoomUpdate& update = *message.mutable_update();
  update.set_revision(audience_.next_revision());
  update.set_phase(room_.phase());
  update.set_turn(describe(room_.to_move()));
  if (room_.game.clock().counts()) describe_clocks(context.now, *update.mutable_clocks());
  // A loaded room skips the revisions that may have been announced after its last record. Limits
  // them.
  constexpr std::uint64_t max_unrecorded = std::uint64_t{1} << 18;
  if (keep == Keep::room || revision() - recorded_revision_ > max_unrecorded) record_room(context);
  audience_.send(message, context);
}

void RoomOutput::say(const std::string& text, const RequestContext& context) {
  auto& message = context.effects.draft<v1::ServerMessage>();
  v1::ChatSaid& said = *message.mutable_update()->mutable_chat_said();
  said.set_from(context.player->name);
  said.set_seat(describe(room_.seats.seat_of(context.player)));
  said.set_text(text);
  record(context, [&](journal::v1::Record& record) {
    journal::v1::Chat& chat = *record.mutable_chat();
    chat.set_room(room_.settings.serial);
    chat.set_from(said.from());
    chat.set_seat(said.seat());
    chat.set_text(said.text());
  });
  chat_.push_back(said);
  if (chat_.size() > room_.config.limits.kept_chat) chat_.erase(chat_.begin());
  announce(message, context, Keep::nothing);
}

void RoomOutput::send_snapshot(const RequestContext& context) const {
  auto& message = context.effects.draft<v1::ServerMessage>();
  describe_to(*message.mutable_snapshot(), context.player, context.now);
  context.effects.send(context.connection, context.effects.encode(message), context.request_id);
}

void RoomOutput::send_snapshot(const Problem& problem, const RequestContext& context) const {
  auto& message = context.effects.draft<v1::ServerMessage>();
  describe(problem, *message.mutable_error());
  context.effects.counts.note_refusal(problem.code);
  describe_to(*message.mutable_error()->mutable_state(), context.player, context.now);
  context.effects.send(context.connection, context.effects.encode(message), context.request_id);
}

void RoomOutput::send_missed(std::uint64_t seen, const RequestContext& context) const {
  auto& message = context.effects.draft<v1::ServerMessage>();
  describe_to(*message.mutable_snapshot(), context.player, context.now);
  if (audience_.send_missed(seen, message.ByteSizeLong(), context)) return;
  context.effects.send(context.connection, context.effects.encode(message));
}

// Descriptions ------------------------------------------------------------------------------------

void RoomOutput::describe_clocks(Time now, v1::Clocks& out) const {
  out.set_x_ms(milliseconds_rounded_up(room_.game.clock().left(Mark::x, now)));
  out.set_o_ms(milliseconds_rounded_up(room_.game.clock().left(Mark::o, now)));
  out.set_starts_in_ms(milliseconds_rounded_up(room_.game.clock().grace_left(now)));
}

void RoomOutput::describe_to(v1::RoomInfo& info, Time now) const {
  info.set_name(room_.settings.name);
  describe(room_.settings.rules, *info.mutable_rules());
  describe(room_.settings.options, *info.mutable_options());
  info.set_needs_password(room_.settings.needs_password());
  info.set_phase(room_.phase());
  room_.seats.describe_seat(Mark::x, now, *info.mutable_x());
  room_.seats.describe_seat(Mark::o, now, *info.mutable_o());
  info.set_watchers(room_.seats.watcher_count());
  info.set_ply(static_cast<std::uint32_t>(room_.game.ply()));
}

void RoomOutput::describe_board(v1::RoomInfo& info) const {
  constexpr int max_cells = 225;
  const rules::Game& board = room_.game.board();
  const int cells = board.rules().cells();
  if (room_.settings.needs_password() || board.ply() == 0 || cells > max_cells) return;
  std::string& marks = *info.mutable_marks();
  marks.assign(static_cast<std::size_t>(cells + 3) / 4, '\0');
  Mark side = board.starter();
  for (const rules::Cell cell : board.moves()) {
    const int at = cell.row * board.rules().cols + cell.col;
    char& four_cells = marks[static_cast<std::size_t>(at / 4)];
    four_cells = static_cast<char>(four_cells | describe(side) << at % 4 * 2);
    side = opponent(side);
  }
}

void RoomOutput::describe_to(v1::RoomSnapshot& snapshot, const Player* viewer, Time now) const {
  const RoomGame& game = room_.game;
  const Seats& seats = room_.seats;
  snapshot.set_name(room_.settings.name);
  describe(room_.settings.rules, *snapshot.mutable_rules());
  describe(room_.settings.options, *snapshot.mutable_options());
  snapshot.set_revision(revision());
  snapshot.set_your_seat(describe(seats.seat_of(viewer)));
  seats.describe_seat(Mark::x, now, *snapshot.mutable_x());
  seats.describe_seat(Mark::o, now, *snapshot.mutable_o());
  snapshot.set_watchers(seats.watcher_count());
  snapshot.set_phase(room_.phase());
  snapshot.set_game(game.number());
  snapshot.set_takebacks(game.takebacks());
  snapshot.set_starter(describe(game.board().starter()));
  snapshot.set_turn(describe(room_.to_move()));
  snapshot.mutable_moves()->Reserve(game.ply());
  for (const rules::Cell cell : game.board().moves()) {
    snapshot.add_moves(static_cast<std::uint32_t>(cell.row * game.rules().cols + cell.col));
  }
  if (game.is_over()) game.describe_outcome(*snapshot.mutable_outcome());
  snapshot.set_x_wants_rematch(seats[Mark::x].wants_rematch);
  snapshot.set_o_wants_rematch(seats[Mark::o].wants_rematch);
  if (game.clock().counts()) describe_clocks(now, *snapshot.mutable_clocks());
  snapshot.set_draw_offered_by(describe(game.draw_offered_by()));
  snapshot.set_takeback_asked_by(describe(game.takeback_asked_by()));
  if (seats.has_score()) *snapshot.mutable_score() = seats.score();
  for (const v1::ChatSaid& said : chat_) *snapshot.add_chat() = said;
  snapshot.set_waits_for_seat(seats.requests_seat(viewer));
}

void RoomOutput::describe_to(journal::v1::Room& out, Time now) const {
  write_room(room_, revision(), now, out);
}

// The journal -------------------------------------------------------------------------------------

void RoomOutput::record_room(const RequestContext& context) {
  recorded_revision_ = revision();
  record(context,
         [&](journal::v1::Record& record) { describe_to(*record.mutable_room(), context.now); });
}

void RoomOutput::record_clocks(const RequestContext& context) {
  if (room_.game.clock().due()) record_room(context);
}

void RoomOutput::record_first_moves(const RequestContext& context) const {
  if (!room_.config.keeps_records) return;
  auto& record = context.draft_record();
  for (int ply = 1; ply <= room_.game.ply(); ++ply) {
    write_move(room_, static_cast<std::size_t>(ply), *record.mutable_move());
    context.effects.record(record);
  }
}

void RoomOutput::load(const journal::v1::SavedRoom& saved) {
  const int kept = static_cast<int>(room_.config.limits.kept_chat);
  for (int i = std::max(0, saved.chat_size() - kept); i < saved.chat_size(); ++i) {
    v1::ChatSaid& said = chat_.emplace_back();
    said.set_from(saved.chat(i).from());
    said.set_seat(saved.chat(i).seat());
    said.set_text(saved.chat(i).text());
  }
}

}  // namespace tictactoe::server
