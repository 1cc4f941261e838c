#include "client/text/replay.hpp"

#include <algorithm>

#include "client/model/sanitized.hpp"
#include "client/text/game_table.hpp"
#include "client/text/narration.hpp"
#include "client/text/time.hpp"

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

std::string Replay::summary() const {
  const Room& room = *room_;
  std::string text = game_.id() == 0 ? "" : "Game " + std::to_string(game_.id()) + ": ";
  text.append(name_of(room.x) + " (X) and " + name_of(room.o) + " (O)");
  if (!room.name.empty()) text.append(" in the room \"" + room.name + "\"");
  text.append(", " + rules_text(room.board.rows(), room.board.cols(), room.k, room.exact));
  if (const std::string time = time_control_text(game_.time()); !time.empty()) {
    text.append("; " + time);
  }
  const std::string ended = date_text(game_.ended_unix_ms());
  return text + (ended.empty() ? "" : "\nEnded " + ended) + ".\n";
}

Mark Replay::side_at(std::size_t played) const {
  const Mark starter = read_mark(game_.starter());
  return played % 2 == 0 ? starter : other(starter);
}

Cell Replay::cell_at(std::size_t played) const {
  const std::uint32_t cell = game_.moves(static_cast<int>(played));
  return {cell / room_->board.cols(), cell % room_->board.cols()};
}

std::string Replay::step() {
  const Mark mark = side_at(played_);
  const Cell cell = cell_at(played_);
  const int index = static_cast<int>(played_++);
  room_->board.place(cell, mark);
  if (at_end()) room_->outcome = outcome_;
  std::string text = std::to_string(played_) + ". " + name_of(room_->occupant(mark)) + " (" +
                     mark_name(mark) + ") plays " + cell_name(cell);
  if (game_.move_ms_size() == game_.moves_size()) {
    text.append(" after " + duration_text(milliseconds(game_.move_ms(index))));
  }
  return text.append(".");
}

void Replay::go_to(std::size_t played) {
  played = std::min(played, moves());
  while (played_ < played) step();
  if (played == played_) return;
  room_->outcome.reset();
  room_->board.take_back(static_cast<std::uint32_t>(played));
  played_ = played;
}

std::string Replay::decision_text(const Decision& decision) const {
  const auto result = [&](Mark winner) {
    return winner == Mark::none ? std::string("a draw") : "a win for " + mark_name(winner);
  };
  if (decision.moves == 0 || decision.moves > moves()) {
    return "No move changed the result: with best play it was " + result(decision.result) +
           " from the start.";
  }
  if (!decision.before) {
    return "From move " + std::to_string(decision.moves) + " on it was " + result(decision.result) +
           " with best play; what was before is too hard to work out.";
  }
  const std::size_t last = decision.moves - 1;
  return "Move " + std::to_string(decision.moves) + " decided: " + cell_name(cell_at(last)) +
         " by " + mark_name(side_at(last)) + " was the last mistake. Before it, best play led to " +
         result(*decision.before) + ", after it to " + result(decision.result) + ".";
}

std::string Replay::outcome() const {
  if (!outcome_) return "How it ended is not known.";
  return outcome_text(room_->board, *outcome_, name_of(room_->x), name_of(room_->o));
}

}  // namespace tictactoe::client
