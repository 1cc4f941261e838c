#include "tests/bench/load/thinking_room.hpp"

#include <algorithm>

#include "tests/bench/load/failure.hpp"

namespace tictactoe::load {
namespace {

rules::Cell cell_of(const v1::Cell& cell) {
  return {static_cast<int>(cell.row()), static_cast<int>(cell.col())};
}

}  // namespace

ThinkingRoom::ThinkingRoom(std::size_t number, Connection& x, Connection& o, Context& context)
    : number_(number), context_(context) {
  sides_[0].connection = &x;
  sides_[1].connection = &o;
}

void ThinkingRoom::fail(const std::string& what) const {
  throw Failure("Room " + std::to_string(number_) + ": " + what + ": " +
                context_.message.ShortDebugString().substr(0, 500));
}

// Entering ----------------------------------------------------------------------------------------

// X creates the room, so O waits for that.
void ThinkingRoom::welcomed(bool is_x) {
  if (is_x) return enter(0);
  if (x().entered) enter(1);
}

void ThinkingRoom::enter(std::size_t index) {
  Connection& connection = *sides_.at(index).connection;
  context_.protocol.enter({number_, index}, ++connection.last_request, context_.exchange);
  context_.fleet.send(connection, context_.exchange.request);
}

void ThinkingRoom::take_entry(std::size_t index, std::string_view body) {
  Side& side = sides_.at(index);
  if (!context_.protocol.is_entry({number_, index}, side.connection->last_request, body,
                                  side.revision, context_.empty)) {
    throw Failure("Nobody is let into a room: " + context_.protocol.text(body));
  }
  side.entered = true;
  if (index == 0 && o().connection->welcome) enter(1);
}

// What comes --------------------------------------------------------------------------------------

void ThinkingRoom::received(bool is_x, std::string_view body, Clock::time_point now) {
  Side& side = is_x ? x() : o();
  if (!side.entered) return take_entry(is_x ? 0 : 1, body);
  v1::ServerMessage& message = context_.message;
  if (!message.ParseFromArray(body.data(), static_cast<int>(body.size()))) fail("no message");
  if (message.has_hinted()) return take_hint(message.hinted(), now);
  if (!message.has_update()) fail("this was not expected");
  if (message.update().revision() != ++side.revision) fail("an update is missing or repeated");
  take_update(is_x, message.update(), now);
}

void ThinkingRoom::take_update(bool is_x, const v1::RoomUpdate& update, Clock::time_point now) {
  if (update.has_move_played()) return take_move(is_x, update.move_played(), now);
  if (update.has_seat_changed()) {
    // O has come, or has handed its seat to an AI.
    if (is_x && step_ == Step::play) send_move(x(), context_.script.moves.front());
    return;
  }
  if (update.has_takeback_asked()) {
    if (!is_x) return;
    request(x()).mutable_ask_takeback();
    return send(x());
  }
  if (!update.has_taken_back()) fail("this was not expected");
  if (update.taken_back().ply() != moves() - 1) fail("too much was taken back");
  if (is_x) return;
  context_.times.takebacks.add(now - asked_);
  ask_hint(o(), Step::later_hint);
}

void ThinkingRoom::take_move(bool is_x, const v1::MovePlayed& move, Clock::time_point now) {
  const rules::Cell cell = cell_of(move.cell());
  if (step_ != Step::play) {
    if (is_x && move.mark() == v1::MARK_O) take_ai_move(cell, now);
    return;
  }
  Side& side = is_x ? x() : o();
  const std::vector<rules::Cell>& moves = context_.script.moves;
  if (move.ply() != ++side.ply || !(cell == moves.at(side.ply - 1))) fail("not the move played");
  plies_ = std::min(x().ply, o().ply);
  const bool is_mine = (side.ply % 2 == 0) == is_x;
  if (is_mine && side.ply < moves.size()) send_move(side, moves[side.ply]);
}

void ThinkingRoom::take_ai_move(rules::Cell cell, Clock::time_point now) {
  (ai_moves_ == 0 ? context_.times.arrivals : context_.times.ai_moves).add(now - asked_);
  ai_cells_.push_back(cell);
  if (++ai_moves_ == context_.ai_moves) {
    step_ = Step::done;
  } else {
    play_ai();
  }
}

void ThinkingRoom::take_hint(const v1::Hinted& hint, Clock::time_point now) {
  if (step_ == Step::first_hint && hint.ply() == moves()) {
    context_.times.first_hints.add(now - asked_);
    return take_back();
  }
  if (step_ != Step::later_hint || hint.ply() != moves() - 1) fail("this hint was not expected");
  context_.times.later_hints.add(now - asked_);
  add_ai();
}

// What is sent ------------------------------------------------------------------------------------

v1::ClientMessage& ThinkingRoom::request(Side& side) {
  context_.request.set_request_id(++side.connection->last_request);
  return context_.request;
}

void ThinkingRoom::send(Side& side) {
  context_.request.SerializeToString(&context_.exchange.request);
  context_.fleet.send(*side.connection, context_.exchange.request);
}

void ThinkingRoom::send_move(Side& side, rules::Cell cell) {
  v1::Cell& wire = *request(side).mutable_move()->mutable_cell();
  wire.set_row(static_cast<std::uint32_t>(cell.row));
  wire.set_col(static_cast<std::uint32_t>(cell.col));
  send(side);
}

void ThinkingRoom::start() {
  ask_hint(x(), Step::first_hint);
}

void ThinkingRoom::ask_hint(Side& side, Step step) {
  step_ = step;
  asked_ = Clock::now();
  request(side).mutable_hint();
  send(side);
}

void ThinkingRoom::take_back() {
  step_ = Step::take_back;
  asked_ = Clock::now();
  request(o()).mutable_ask_takeback();
  send(o());
}

void ThinkingRoom::add_ai() {
  step_ = Step::play_ai;
  asked_ = Clock::now();
  v1::AddAi& ai = *request(o()).mutable_add_ai();
  ai.set_seat(v1::MARK_O);
  ai.set_level(context_.ai_level);
  send(o());
}

void ThinkingRoom::play_ai() {
  const std::vector<rules::Cell>& cells = context_.script.x_moves;
  while (std::ranges::find(ai_cells_, cells.at(next_x_move_)) != ai_cells_.end()) ++next_x_move_;
  asked_ = Clock::now();
  send_move(x(), cells[next_x_move_++]);
}

}  // namespace tictactoe::load
