// Who is in a room, and what they are told. The game is in room_game.cpp, what outlives the process
// in room_journal.cpp.
#include "server/core/room.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "server/core/describe.hpp"
#include "server/core/label.hpp"
#include "server/core/secrets.hpp"

namespace tictactoe::core {

using rules::Mark;

namespace {

std::uint32_t count(std::size_t size) {
  return static_cast<std::uint32_t>(size);
}

std::uint32_t milliseconds(GameClock::Duration time) {
  return static_cast<std::uint32_t>(std::chrono::ceil<std::chrono::milliseconds>(time).count());
}

Problem too_many_watchers() {
  return problem(v1::Error::CODE_ROOM_FULL, "This room has as many watchers as it can hold.");
}

}  // namespace

Room::Room(RoomSettings settings, const Config& config)
    : settings_(std::move(settings)),
      config_(config),
      game_(settings_.rules),
      clock_(settings_.options.time),
      revision_(settings_.revision),
      kept_(config.limits.kept_updates) {}

bool Room::opens_with(std::string_view password) const {
  return !needs_password() ||
         password_digest(password, settings_.seed) == settings_.password_digest;
}

bool Room::has_open_seat() const {
  return is_open(Mark::x) || is_open(Mark::o);
}

bool Room::has_seated_person() const {
  return has_person(Mark::x) || has_person(Mark::o);
}

bool Room::empty() const {
  return watchers_.empty() && !has_seated_person();
}

bool Room::is_inhabited() const {
  return !watchers_.empty() || std::ranges::any_of(both_sides, [&](Mark side) {
    return has_person(side) && !seat(side).away_until;
  });
}

std::vector<PlayerId> Room::seated() const {
  std::vector<PlayerId> players;
  for (const Mark side : both_sides) {
    if (has_person(side)) players.push_back(seat(side).player->id);
  }
  return players;
}

Mark Room::seat_of(const Player* player) const {
  for (const Mark side : both_sides) {
    if (has_person(side) && seat(side).player == player) return side;
  }
  return Mark::none;
}

std::uint64_t Room::occupant_key(Mark side) const {
  constexpr std::uint64_t an_ai = std::uint64_t{1} << 63;
  if (has_ai(side)) return an_ai | static_cast<std::uint64_t>(seat(side).level);
  return seat(side).player->id;
}

v1::Phase Room::phase() const {
  if (game_.status() != rules::Status::ongoing || end_) return v1::PHASE_FINISHED;
  return has_open_seat() ? v1::PHASE_WAITING : v1::PHASE_PLAYING;
}

Mark Room::turn() const {
  return phase() == v1::PHASE_PLAYING ? game_.to_move() : Mark::none;
}

Refused Room::not_allowed(const Player* player) const {
  if (seat_of(player) != Mark::none || !has_seated_person()) return std::nullopt;
  return problem(v1::Error::CODE_NOT_ALLOWED,
                 "You are watching: only those who sit in this room can do that.");
}

// What is told ------------------------------------------------------------------------------------

void Room::describe_seat(Mark side, Time now, v1::Occupant& out) const {
  const Seat& seat = this->seat(side);
  out.set_kind(seat.kind);
  if (has_person(side)) out.set_name(seat.player->name);
  if (ai_plays(side)) out.set_ai_level(std::string(ai::name(seat.level)));
  if (has_ai(side)) out.set_name("AI (" + out.ai_level() + ")");
  if (seat.away_until) {
    out.set_away(true);
    out.set_away_ms_left(milliseconds(std::max(*seat.away_until - now, GameClock::Duration{})));
  }
}

void Room::describe_outcome(v1::Outcome& out) const {
  if (end_) {
    out = *end_;
  } else {
    core::describe_outcome(game_, out);
  }
}

void Room::describe_clocks(Time now, v1::Clocks& out) const {
  out.set_x_ms(milliseconds(clock_.left(Mark::x, now)));
  out.set_o_ms(milliseconds(clock_.left(Mark::o, now)));
}

void Room::describe_to(v1::RoomInfo& info, Time now) const {
  info.set_name(settings_.name);
  describe(settings_.rules, *info.mutable_rules());
  describe(settings_.options, *info.mutable_options());
  info.set_needs_password(needs_password());
  info.set_phase(phase());
  describe_seat(Mark::x, now, *info.mutable_x());
  describe_seat(Mark::o, now, *info.mutable_o());
  info.set_watchers(count(watchers_.size()));
  info.set_ply(static_cast<std::uint32_t>(game_.ply()));
}

void Room::describe_to(v1::RoomSnapshot& snapshot, const Player* viewer, Time now) const {
  snapshot.set_name(settings_.name);
  describe(settings_.rules, *snapshot.mutable_rules());
  describe(settings_.options, *snapshot.mutable_options());
  snapshot.set_revision(revision_);
  snapshot.set_your_seat(describe(seat_of(viewer)));
  describe_seat(Mark::x, now, *snapshot.mutable_x());
  describe_seat(Mark::o, now, *snapshot.mutable_o());
  snapshot.set_watchers(count(watchers_.size()));
  snapshot.set_phase(phase());
  snapshot.set_game(game_number_);
  snapshot.set_starter(describe(game_.starter()));
  snapshot.set_turn(describe(turn()));
  snapshot.mutable_moves()->Reserve(game_.ply());
  for (const rules::Cell cell : game_.moves()) {
    snapshot.add_moves(static_cast<std::uint32_t>(cell.row * settings_.rules.cols + cell.col));
  }
  if (phase() == v1::PHASE_FINISHED) describe_outcome(*snapshot.mutable_outcome());
  snapshot.set_x_wants_rematch(seat(Mark::x).wants_rematch);
  snapshot.set_o_wants_rematch(seat(Mark::o).wants_rematch);
  if (clock_.counts()) describe_clocks(now, *snapshot.mutable_clocks());
  snapshot.set_draw_offered_by(describe(draw_offered_by_));
  snapshot.set_takeback_asked_by(describe(takeback_asked_by_));
  if (score_.ByteSizeLong() > 0) *snapshot.mutable_score() = score_;
  for (const v1::ChatSaid& said : chat_) *snapshot.add_chat() = said;
}

void Room::send_snapshot(const RequestContext& context) const {
  auto& message = context.effects.draft<v1::ServerMessage>();
  describe_to(*message.mutable_snapshot(), context.player, context.now);
  context.effects.send(context.connection, context.effects.encode(message), context.request_id);
}

// Completes an update with what every update tells, and sends it to all but `but_not`: somebody who
// is about to get a snapshot instead.
void Room::announce(v1::ServerMessage& message, const RequestContext& context, Keep keep,
                    const Player* but_not) {
  v1::RoomUpdate& update = *message.mutable_update();
  update.set_revision(++revision_);
  update.set_phase(phase());
  update.set_turn(describe(turn()));
  if (clock_.counts()) describe_clocks(context.now, *update.mutable_clocks());
  // Restored rooms leap over revisions that were announced but not written down: not too many.
  constexpr std::uint64_t most_unrecorded = std::uint64_t{1} << 18;
  if (keep == Keep::room || revision_ - recorded_revision_ > most_unrecorded) record_room(context);
  const Body body = context.effects.encode(message);
  kept_.add(revision_, context.effects.bytes(body));
  const auto send = [&](const Player* player) {
    if (player == but_not) return;
    const bool asked = player == context.player;
    context.effects.send(*player->connection, body, asked ? context.request_id : 0);
  };
  for (const Seat& seat : seats_) {
    if (seat.kind == v1::Occupant::KIND_PERSON && !seat.away_until) send(seat.player);
  }
  for (const Player* watcher : watchers_) send(watcher);
}

// True, and sent, where all updates after `seen` are at hand and not longer than a snapshot.
bool Room::send_missed(std::uint64_t seen, std::size_t snapshot_bytes,
                       const RequestContext& context) const {
  if (seen == 0) return false;
  return kept_.visit_after(seen, snapshot_bytes, [&](std::string_view update) {
    context.effects.send(context.connection, context.effects.copy(update));
  });
}

// Seats -------------------------------------------------------------------------------------------

void Room::change_seat(Mark side, Seat occupant, const RequestContext& context,
                       const Player* but_not) {
  auto& message = context.effects.draft<v1::ServerMessage>();
  v1::Occupant before;
  describe_seat(side, context.now, before);
  seat(side) = std::move(occupant);
  if (draw_offered_by_ == side) draw_offered_by_ = Mark::none;
  if (takeback_asked_by_ == side) takeback_asked_by_ = Mark::none;
  if (!is_open(side) &&
      occupant_key(side) != std::exchange(met_[index(side)], occupant_key(side))) {
    if (score_.ByteSizeLong() > 0) message.mutable_update()->mutable_score();
    score_.Clear();
  }
  announce_seat(side, before, message, context, but_not);
}

void Room::announce_seat(Mark side, const v1::Occupant& before, v1::ServerMessage& message,
                         const RequestContext& context, const Player* but_not) {
  v1::SeatChanged& changed = *message.mutable_update()->mutable_seat_changed();
  changed.set_seat(describe(side));
  *changed.mutable_previous() = before;
  describe_seat(side, context.now, *changed.mutable_occupant());
  changed.set_watchers(count(watchers_.size()));
  go_on(context);
  announce(message, context, Keep::room, but_not);
}

void Room::announce_watcher(const std::string& name, bool joined, const RequestContext& context,
                            const Player* but_not) {
  auto& message = context.effects.draft<v1::ServerMessage>();
  v1::WatchersChanged& changed = *message.mutable_update()->mutable_watchers_changed();
  changed.set_watchers(count(watchers_.size()));
  changed.set_name(name);
  changed.set_joined(joined);
  announce(message, context, Keep::nothing, but_not);
}

void Room::remove_watcher(const Player& player) {
  std::erase(watchers_, &player);
}

Refused Room::sit(const Player& player, Mark wanted, const RequestContext& context) {
  if (const Mark mine = seat_of(&player); mine != Mark::none) {
    return problem(v1::Error::CODE_ALREADY_IN_ROOM,
                   "You sit in this room already, as " + label(mine) + ".");
  }
  if (!has_open_seat()) {
    return problem(v1::Error::CODE_ROOM_FULL,
                   "Both seats of this room are taken. You can watch it instead.");
  }
  if (wanted != Mark::none && !is_open(wanted)) {
    return problem(v1::Error::CODE_SEAT_TAKEN,
                   label(wanted) + " is taken. You can sit as " + label(opponent(wanted)) + ".");
  }
  const Mark side = wanted != Mark::none ? wanted : is_open(Mark::x) ? Mark::x : Mark::o;
  remove_watcher(player);
  change_seat(side, {v1::Occupant::KIND_PERSON, &player, {}, false}, context, &player);
  begin_if_over(context, &player);
  send_snapshot(context);
  return std::nullopt;
}

Refused Room::watch(const Player& player, const RequestContext& context) {
  if (watchers_.size() >= config_.limits.watchers_per_room) return too_many_watchers();
  watchers_.push_back(&player);
  announce_watcher(player.name, true, context, &player);
  send_snapshot(context);
  return std::nullopt;
}

void Room::leave(const Player& player, const RequestContext& context) {
  if (const Mark side = seat_of(&player); side != Mark::none) {
    return change_seat(side, {}, context);
  }
  remove_watcher(player);
  announce_watcher(player.name, false, context);
}

// Away --------------------------------------------------------------------------------------------

// Where no game would be lost, a seat is not held for long: rooms without end could be left behind.
Time Room::away_until(Time now, bool stood_in) const {
  const bool for_long = settings_.options.away == v1::AWAY_HOLD || stood_in;
  const auto hold = for_long ? config_.limits.longest_hold : settings_.options.grace;
  return now + (is_running() ? hold : std::min(hold, config_.limits.default_grace));
}

void Room::stood_still(Time::duration time, Time now) {
  clock_.stood_still(time, now);
  for (Seat& seat : seats_) {
    if (seat.away_until) *seat.away_until += time;
  }
}

std::optional<Time> Room::away_due() const {
  std::optional<Time> due;
  for (const Seat& seat : seats_) {
    if (seat.away_until && (!due || *seat.away_until < *due)) due = seat.away_until;
  }
  return due;
}

void Room::went_away(const Player& player, const RequestContext& context) {
  const Mark side = seat_of(&player);
  assert(side != Mark::none);
  auto& message = context.effects.draft<v1::ServerMessage>();
  v1::Occupant before;
  describe_seat(side, context.now, before);
  seat(side).away_until = away_until(context.now, false);
  announce_seat(side, before, message, context);
}

void Room::came_back(const Player& player, std::uint64_t seen, const RequestContext& context) {
  const Mark side = seat_of(&player);
  assert(side != Mark::none);
  auto& message = context.effects.draft<v1::ServerMessage>();
  v1::Occupant before;
  describe_seat(side, context.now, before);
  if (seat(side).away_until) {
    seat(side).away_until.reset();
    seat(side).stood_in = false;
    announce_seat(side, before, message, context.without_request(), &player);
  } else if (clock_.counts()) {
    seen = 0;  // updates would tell how the clocks stood when they were made
  }
  auto& snapshot = context.effects.draft<v1::ServerMessage>();
  describe_to(*snapshot.mutable_snapshot(), &player, context.now);
  if (send_missed(seen, snapshot.ByteSizeLong(), context)) return;
  context.effects.send(context.connection, context.effects.encode(snapshot));
}

bool Room::away_for_too_long(Mark side, const RequestContext& context) {
  if (settings_.options.away == v1::AWAY_AI && !seat(side).stood_in) {
    auto& message = context.effects.draft<v1::ServerMessage>();
    v1::Occupant before;
    describe_seat(side, context.now, before);
    seat(side).stood_in = true;
    seat(side).level = ai_levels[0];
    seat(side).away_until = away_until(context.now, true);
    announce_seat(side, before, message, context);
    return false;
  }
  if (is_running()) end(opponent(side), v1::Outcome::REASON_FORFEIT, context);
  change_seat(side, {}, context);
  return true;
}

// AIs and talk ------------------------------------------------------------------------------------

Refused Room::add_ai(Mark wanted, ai::Level level, const RequestContext& context) {
  if (auto refused = not_allowed(context.player)) return refused;
  const Mark mine = seat_of(context.player);
  if (wanted == Mark::none && !has_open_seat()) {
    return problem(v1::Error::CODE_SEAT_TAKEN,
                   "Both seats are taken. To let an AI play for you, name your own, X or O.");
  }
  if (wanted == Mark::none) wanted = is_open(Mark::x) ? Mark::x : Mark::o;
  if (!is_open(wanted) && wanted != mine) {
    return problem(v1::Error::CODE_SEAT_TAKEN,
                   label(wanted) + " is taken: an AI needs an open seat, or yours.");
  }
  if (wanted == mine) {
    if (watchers_.size() >= config_.limits.watchers_per_room) return too_many_watchers();
    watchers_.push_back(seat(mine).player);
  }
  change_seat(wanted, {v1::Occupant::KIND_AI, nullptr, level, false}, context);
  begin_if_over(context.without_request());
  return std::nullopt;
}

Refused Room::remove_ai(Mark wanted, const RequestContext& context) {
  if (auto refused = not_allowed(context.player)) return refused;
  if (wanted == Mark::none && has_ai(Mark::x) && has_ai(Mark::o)) {
    return problem(v1::Error::CODE_NO_AI_THERE, "Both seats have an AI: say which, X or O.");
  }
  if (wanted == Mark::none) wanted = has_ai(Mark::x) ? Mark::x : Mark::o;
  if (!has_ai(wanted)) {
    return problem(v1::Error::CODE_NO_AI_THERE, "There is no AI on that seat.");
  }
  change_seat(wanted, {}, context);
  return std::nullopt;
}

Refused Room::chat(const std::string& text, const RequestContext& context) {
  auto& message = context.effects.draft<v1::ServerMessage>();
  v1::ChatSaid& said = *message.mutable_update()->mutable_chat_said();
  said.set_from(context.player->name);
  said.set_seat(describe(seat_of(context.player)));
  said.set_text(text);
  if (config_.keeps_records) {
    auto& record = context.draft_record();
    journal::v1::Chat& chat = *record.mutable_chat();
    chat.set_room(settings_.serial);
    chat.set_from(said.from());
    chat.set_seat(said.seat());
    chat.set_text(said.text());
    context.effects.record(record);
  }
  chat_.push_back(said);
  if (chat_.size() > config_.limits.kept_chat) chat_.erase(chat_.begin());
  announce(message, context, Keep::nothing);
  return std::nullopt;
}

}  // namespace tictactoe::core
