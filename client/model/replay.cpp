#include "client/model/replay.hpp"

#include <algorithm>
#include <utility>

namespace tictactoe::client {
namespace {

// The whole game as the mirror of a room takes it in, which checks it.
v1::RoomSnapshot last_position(const v1::GameRecord& game) {
  v1::RoomSnapshot snapshot;
  snapshot.set_name(game.room());
  *snapshot.mutable_rules() = game.rules();
  *snapshot.mutable_x() = game.x();
  *snapshot.mutable_o() = game.o();
  snapshot.set_starter(game.starter());
  *snapshot.mutable_moves() = game.moves();
  *snapshot.mutable_outcome() = game.outcome();
  return snapshot;
}

}  // namespace

Replay::Replay(const v1::GameRecord& game) : game_(game) {
  RoomRead read = read_snapshot(last_position(game));
  fault_ = std::move(read.fault);
  room_ = std::move(read.room);
  if (!room_) return;
  outcome_ = std::move(room_->outcome);
  room_->outcome.reset();
  room_->board.clear();
  // A game can be resigned before its first move.
  if (at_end()) room_->outcome = outcome_;
}

Mark Replay::side_at(std::size_t played) const {
  const Mark starter = read_mark(game_.starter());
  return played % 2 == 0 ? starter : other(starter);
}

Cell Replay::cell_at(std::size_t played) const {
  const std::uint32_t cell = game_.moves(static_cast<int>(played));
  return {cell / room_->board.cols(), cell % room_->board.cols()};
}

void Replay::step() {
  room_->board.place(cell_at(played_), side_at(played_));
  ++played_;
  if (at_end()) room_->outcome = outcome_;
}

void Replay::go_to(std::size_t played) {
  played = std::min(played, moves());
  while (played_ < played) step();
  if (played == played_) return;
  room_->outcome.reset();
  room_->board.take_back(static_cast<std::uint32_t>(played));
  played_ = played;
}

}  // namespace tictactoe::client
