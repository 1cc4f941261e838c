#include "server/core/room.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "server/core/describe.hpp"

namespace tictactoe::core {

using rules::Mark;

namespace {

std::string label(Mark side) {
  return side == Mark::x ? "X" : "O";
}

Problem problem(v1::Error::Code code, std::string message) {
  return {code, std::move(message), {}};
}

Problem too_many_watchers() {
  return problem(v1::Error::CODE_ROOM_FULL, "This room has as many watchers as it can hold.");
}

}  // namespace

Room::Room(RoomSettings settings, const Config& config)
    : settings_(std::move(settings)), config_(config), game_(settings_.rules) {}

bool Room::opens_with(std::string_view password) const {
  return !needs_password() || password == settings_.password;
}

bool Room::has_open_seat() const {
  return is_open(Mark::x) || is_open(Mark::o);
}

bool Room::has_seated_person() const {
  return std::ranges::any_of(
      seats_, [](const Seat& seat) { return seat.kind == v1::Occupant::KIND_PERSON; });
}

bool Room::empty() const {
  return watchers_.empty() && !has_seated_person();
}

Mark Room::seat_of(ConnectionId person) const {
  for (const Mark side : both_sides) {
    const Seat& seat = this->seat(side);
    if (seat.kind == v1::Occupant::KIND_PERSON && seat.person.connection == person) return side;
  }
  return Mark::none;
}

const Person* Room::find(ConnectionId person) const {
  if (const Mark side = seat_of(person); side != Mark::none) return &seat(side).person;
  const auto found = std::ranges::find(watchers_, person, &Person::connection);
  return found == watchers_.end() ? nullptr : &*found;
}

v1::Phase Room::phase() const {
  if (game_.status() != rules::Status::ongoing) return v1::PHASE_FINISHED;
  return has_open_seat() ? v1::PHASE_WAITING : v1::PHASE_PLAYING;
}

Mark Room::turn() const {
  return phase() == v1::PHASE_PLAYING ? game_.to_move() : Mark::none;
}

Refused Room::not_allowed(ConnectionId asker) const {
  if (seat_of(asker) != Mark::none || !has_seated_person()) return std::nullopt;
  return problem(v1::Error::CODE_NOT_ALLOWED,
                 "You are watching: only those who sit in this room can do that.");
}

// What is told ------------------------------------------------------------------------------------

void Room::describe_seat(const Seat& seat, v1::Occupant& out) {
  out.set_kind(seat.kind);
  if (seat.kind == v1::Occupant::KIND_PERSON) out.set_name(seat.person.name);
  if (seat.kind == v1::Occupant::KIND_AI) {
    out.set_ai_level(std::string(ai::name(seat.level)));
    out.set_name("AI (" + out.ai_level() + ")");
  }
}

void Room::describe_to(v1::RoomInfo& info) const {
  info.set_name(settings_.name);
  describe(settings_.rules, *info.mutable_rules());
  info.set_needs_password(needs_password());
  info.set_phase(phase());
  describe_seat(seat(Mark::x), *info.mutable_x());
  describe_seat(seat(Mark::o), *info.mutable_o());
  info.set_watchers(static_cast<std::uint32_t>(watchers_.size()));
  info.set_ply(static_cast<std::uint32_t>(game_.ply()));
}

void Room::send_snapshot(Asker to, Effects& effects) const {
  v1::ServerMessage message;
  v1::RoomSnapshot& snapshot = *message.mutable_snapshot();
  snapshot.set_name(settings_.name);
  describe(settings_.rules, *snapshot.mutable_rules());
  snapshot.set_revision(revision_);
  snapshot.set_your_seat(describe(seat_of(to.connection)));
  describe_seat(seat(Mark::x), *snapshot.mutable_x());
  describe_seat(seat(Mark::o), *snapshot.mutable_o());
  snapshot.set_watchers(static_cast<std::uint32_t>(watchers_.size()));
  snapshot.set_phase(phase());
  snapshot.set_game(game_number_);
  snapshot.set_starter(describe(game_.starter()));
  snapshot.set_turn(describe(turn()));
  snapshot.mutable_moves()->Reserve(game_.ply());
  for (const rules::Cell cell : game_.moves()) {
    snapshot.add_moves(static_cast<std::uint32_t>(cell.row * settings_.rules.cols + cell.col));
  }
  if (phase() == v1::PHASE_FINISHED) describe_outcome(game_, *snapshot.mutable_outcome());
  snapshot.set_x_wants_rematch(seat(Mark::x).wants_rematch);
  snapshot.set_o_wants_rematch(seat(Mark::o).wants_rematch);
  effects.send(to.connection, effects.encode(message), to.request_id);
}

// Completes an update with what every update tells, and sends it to all but `but_not`: somebody who
// is about to get a snapshot instead.
void Room::announce(v1::ServerMessage& message, Effects& effects, Asker asker,
                    ConnectionId but_not) {
  v1::RoomUpdate& update = *message.mutable_update();
  update.set_revision(++revision_);
  update.set_phase(phase());
  update.set_turn(describe(turn()));
  const Body body = effects.encode(message);
  const auto send = [&](const Person& person) {
    if (person.connection == but_not) return;
    const bool asked = person.connection == asker.connection;
    effects.send(person.connection, body, asked ? asker.request_id : 0);
  };
  for (const Seat& seat : seats_) {
    if (seat.kind == v1::Occupant::KIND_PERSON) send(seat.person);
  }
  for (const Person& watcher : watchers_) send(watcher);
}

void Room::change_seat(Mark side, Seat occupant, Effects& effects, Asker asker,
                       ConnectionId but_not) {
  v1::ServerMessage message;
  v1::SeatChanged& changed = *message.mutable_update()->mutable_seat_changed();
  changed.set_seat(describe(side));
  describe_seat(seat(side), *changed.mutable_previous());
  seat(side) = std::move(occupant);
  describe_seat(seat(side), *changed.mutable_occupant());
  changed.set_watchers(static_cast<std::uint32_t>(watchers_.size()));
  announce(message, effects, asker, but_not);
}

void Room::announce_watcher(const std::string& name, bool joined, Effects& effects,
                            ConnectionId but_not) {
  v1::ServerMessage message;
  v1::WatchersChanged& changed = *message.mutable_update()->mutable_watchers_changed();
  changed.set_watchers(static_cast<std::uint32_t>(watchers_.size()));
  changed.set_name(name);
  changed.set_joined(joined);
  announce(message, effects, {}, but_not);
}

// Coming and going --------------------------------------------------------------------------------

Refused Room::sit(const Person& person, Mark wanted, Asker asker, Time now, Effects& effects) {
  if (const Mark mine = seat_of(person.connection); mine != Mark::none) {
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
  remove_watcher(person.connection);
  change_seat(side, {v1::Occupant::KIND_PERSON, person, {}, false}, effects, {}, person.connection);
  begin_if_over(effects, person.connection);
  schedule_ai(now, effects);
  send_snapshot(asker, effects);
  return std::nullopt;
}

Refused Room::watch(const Person& person, Asker asker, Effects& effects) {
  if (watchers_.size() >= config_.limits.watchers_per_room) {
    return too_many_watchers();
  }
  watchers_.push_back(person);
  announce_watcher(person.name, true, effects, person.connection);
  send_snapshot(asker, effects);
  return std::nullopt;
}

void Room::leave(ConnectionId person, Time now, Effects& effects) {
  const Person* found = find(person);
  assert(found != nullptr);
  if (const Mark side = seat_of(person); side != Mark::none) {
    change_seat(side, {}, effects);
    schedule_ai(now, effects);
    return;
  }
  const std::string name = found->name;
  remove_watcher(person);
  announce_watcher(name, false, effects);
}

void Room::remove_watcher(ConnectionId person) {
  std::erase_if(watchers_, [&](const Person& watcher) { return watcher.connection == person; });
}

// The game ----------------------------------------------------------------------------------------

Refused Room::move(const v1::Move& move, Asker asker, Time now, Effects& effects) {
  const Mark side = seat_of(asker.connection);
  if (side == Mark::none) {
    return problem(v1::Error::CODE_NOT_SEATED, "You are watching: take a seat to play.");
  }
  const auto ply = static_cast<std::uint32_t>(game_.ply());
  if (move.has_game() && move.game() != game_number_) {
    return problem(v1::Error::CODE_STALE_MOVE, "That move was for another game than this one.");
  }
  if (phase() == v1::PHASE_FINISHED) {
    return problem(v1::Error::CODE_GAME_OVER, "The game is over. Ask for a rematch to play on.");
  }
  if (phase() == v1::PHASE_WAITING) {
    return problem(v1::Error::CODE_WAITING_FOR_OPPONENT,
                   "There is no opponent yet: wait for one, or add an AI.");
  }
  if (move.has_ply() && move.ply() != ply) {
    return problem(v1::Error::CODE_STALE_MOVE,
                   "The game has gone on since: that move was for another position.");
  }
  if (side != game_.to_move()) {
    return problem(v1::Error::CODE_NOT_YOUR_TURN,
                   "It is not your turn: " + label(game_.to_move()) + " plays next.");
  }
  // Compared as unsigned, so that no number of a peer can be taken for another cell.
  const auto rows = static_cast<std::uint32_t>(settings_.rules.rows);
  const auto cols = static_cast<std::uint32_t>(settings_.rules.cols);
  if (!move.has_cell() || move.cell().row() >= rows || move.cell().col() >= cols) {
    return problem(v1::Error::CODE_OFF_BOARD, "That is not on the board, which has " +
                                                  std::to_string(rows) + " rows and " +
                                                  std::to_string(cols) + " columns.");
  }
  const rules::Cell cell{static_cast<int>(move.cell().row()), static_cast<int>(move.cell().col())};
  if (game_.at(cell) != Mark::none) {
    return problem(v1::Error::CODE_CELL_TAKEN, "That cell is taken: choose an empty one.");
  }
  play({cell, false}, asker, effects);
  schedule_ai(now, effects);
  return std::nullopt;
}

// Plays a legal move for the side whose turn it is.
void Room::play(ai::Choice choice, Asker asker, Effects& effects) {
  const Mark side = game_.to_move();
  const auto refusal = game_.play(choice.cell);
  assert(!refusal);
  for (const auto& mind : minds_) {
    if (mind) mind->played(choice.cell);
  }
  v1::ServerMessage message;
  v1::MovePlayed& played = *message.mutable_update()->mutable_move_played();
  played.set_mark(describe(side));
  describe(choice.cell, *played.mutable_cell());
  played.set_ply(static_cast<std::uint32_t>(game_.ply()));
  played.set_cannot_lose(choice.cannot_lose);
  if (game_.status() != rules::Status::ongoing) {
    describe_outcome(game_, *played.mutable_outcome());
  }
  announce(message, effects, asker);
}

Refused Room::rematch(Asker asker, Time now, Effects& effects) {
  if (auto refused = not_allowed(asker.connection)) return refused;
  if (phase() != v1::PHASE_FINISHED) {
    return problem(v1::Error::CODE_GAME_NOT_OVER,
                   "This game is not over: a rematch can be asked for after it.");
  }
  if (has_open_seat()) {
    return problem(v1::Error::CODE_WAITING_FOR_OPPONENT,
                   "There is no opponent any more: the next game begins when somebody sits down.");
  }
  const Mark side = seat_of(asker.connection);
  if (side != Mark::none) seat(side).wants_rematch = true;
  const bool all_want_it = std::ranges::all_of(seats_, [](const Seat& seat) {
    return seat.wants_rematch || seat.kind == v1::Occupant::KIND_AI;
  });
  if (all_want_it) {
    start_new_game(effects, asker);
    schedule_ai(now, effects);
    return std::nullopt;
  }
  v1::ServerMessage message;
  message.mutable_update()->mutable_rematch_wanted()->set_seat(describe(side));
  announce(message, effects, asker);
  return std::nullopt;
}

void Room::start_new_game(Effects& effects, Asker asker, ConnectionId but_not) {
  game_.reset(opponent(game_.starter()));
  ++game_number_;
  for (auto& mind : minds_) mind.reset();
  for (Seat& seat : seats_) seat.wants_rematch = false;
  v1::ServerMessage message;
  v1::GameStarted& started = *message.mutable_update()->mutable_game_started();
  started.set_game(game_number_);
  started.set_starter(describe(game_.starter()));
  announce(message, effects, asker, but_not);
}

void Room::begin_if_over(Effects& effects, ConnectionId but_not) {
  if (phase() == v1::PHASE_FINISHED && !has_open_seat()) start_new_game(effects, {}, but_not);
}

// AIs and talk ------------------------------------------------------------------------------------

Refused Room::add_ai(Mark wanted, ai::Level level, Asker asker, Time now, Effects& effects) {
  if (auto refused = not_allowed(asker.connection)) return refused;
  const Mark mine = seat_of(asker.connection);
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
    watchers_.push_back(seat(mine).person);
  }
  change_seat(wanted, {v1::Occupant::KIND_AI, {}, level, false}, effects, asker);
  begin_if_over(effects);
  schedule_ai(now, effects);
  return std::nullopt;
}

Refused Room::remove_ai(Mark wanted, Asker asker, Time now, Effects& effects) {
  if (auto refused = not_allowed(asker.connection)) return refused;
  if (wanted == Mark::none && has_ai(Mark::x) && has_ai(Mark::o)) {
    return problem(v1::Error::CODE_NO_AI_THERE, "Both seats have an AI: say which, X or O.");
  }
  if (wanted == Mark::none) wanted = has_ai(Mark::x) ? Mark::x : Mark::o;
  if (!has_ai(wanted)) {
    return problem(v1::Error::CODE_NO_AI_THERE, "There is no AI on that seat.");
  }
  change_seat(wanted, {}, effects, asker);
  schedule_ai(now, effects);
  return std::nullopt;
}

Refused Room::chat(const std::string& text, Asker asker, Effects& effects) {
  const Person* speaker = find(asker.connection);
  assert(speaker != nullptr);
  v1::ServerMessage message;
  v1::ChatSaid& said = *message.mutable_update()->mutable_chat_said();
  said.set_from(speaker->name);
  said.set_seat(describe(seat_of(asker.connection)));
  said.set_text(text);
  announce(message, effects, asker);
  return std::nullopt;
}

Refused Room::hint(Asker asker, Effects& effects) {
  if (phase() == v1::PHASE_FINISHED) {
    return problem(v1::Error::CODE_GAME_OVER, "The game is over: there is nothing to play.");
  }
  v1::ServerMessage message;
  v1::Hinted& hinted = *message.mutable_hinted();
  describe(mind(ai::Level::suggester).choose({}).cell, *hinted.mutable_cell());
  hinted.set_mark(describe(game_.to_move()));
  effects.send(asker.connection, effects.encode(message), asker.request_id);
  return std::nullopt;
}

ai::Player& Room::mind(ai::Level level) {
  auto& mind = minds_[static_cast<std::size_t>(level)];
  if (!mind) mind = ai::make_player(level, game_, settings_.seed + game_number_);
  return *mind;
}

void Room::schedule_ai(Time now, Effects& effects) {
  const Mark side = turn();
  const bool ai_plays = side != Mark::none && has_ai(side);
  if (thinking_ && !(ai_plays && seat(side).level == thinking_->level)) stop_thinking(effects);
  if (!ai_plays) {
    ai_due_.reset();
  } else if (!ai_due_ && !thinking_) {
    ai_due_ = now + config_.ai_delay;
  }
}

void Room::play_ai(Time now, Effects& effects) {
  assert(has_ai(turn()) && !thinking_);
  ai_due_.reset();
  const ai::Level level = seat(turn()).level;
  if (ai::Player& player = mind(level); player.quick()) {
    play(player.choose({}), {}, effects);
    schedule_ai(now, effects);
    return;
  }
  thinking_ = {++thoughts_, level};
  effects.think({settings_.serial, thoughts_}, minds_[static_cast<std::size_t>(level)]);
}

void Room::thought(std::uint64_t number, ai::Choice choice, Time now, Effects& effects) {
  if (!thinking_ || thinking_->number != number) return;
  thinking_.reset();
  play(choice, {}, effects);
  schedule_ai(now, effects);
}

void Room::stop_thinking(Effects& effects) {
  if (!thinking_) return;
  effects.stop_thinking({settings_.serial, thinking_->number});
  // The mind is left to whoever has it; the next one is made anew.
  minds_[static_cast<std::size_t>(thinking_->level)].reset();
  thinking_.reset();
}

}  // namespace tictactoe::core
