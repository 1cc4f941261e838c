#include "client/lines/pacing.hpp"

namespace tictactoe::client {
namespace {

Readiness go() {
  return {Readiness::State::go, {}};
}
// In a running game it is the other side's turn, which the person knows already.
Readiness wait(const Room& room) {
  if (room.phase == Phase::playing) return {Readiness::State::wait, {}};
  const bool open = room.x.kind == Occupant::Kind::open || room.o.kind == Occupant::Kind::open;
  return {Readiness::State::wait,
          open ? "nobody has taken the other seat yet" : "the next game has not begun yet"};
}
Readiness refuse(std::string reason) {
  return {Readiness::State::refuse, std::move(reason)};
}

bool game_over(const Room& room) {
  return room.phase == Phase::finished && !room.i_want_rematch();
}

Readiness on_own_turn(const Room* room) {
  if (room == nullptr) return refuse("you are not in a room");
  if (room->my_seat == Mark::none) return refuse("you have no seat in this room");
  if (game_over(*room)) return refuse("the game is over");
  return room->phase == Phase::playing && room->my_turn() ? go() : wait(*room);
}

Readiness at_the_end(const Room* room) {
  if (room == nullptr) return refuse("you are not in a room");
  return game_over(*room) ? go() : wait(*room);
}

// Lines go in order: while this one waits, no move of the script's own can end the waiting.
Readiness once_others_have_played(const Room* room) {
  if (room != nullptr && room->my_turn())
    return refuse("the game is still on, and it is your move");
  return at_the_end(room);
}

}  // namespace

Readiness readiness(const Command& command, const Room* room) {
  if (std::holds_alternative<PlaceMark>(command)) return on_own_turn(room);
  if (std::holds_alternative<WaitForEnd>(command)) return once_others_have_played(room);
  if (const auto* const request = std::get_if<v1::ClientMessage>(&command)) {
    if (request->has_hint()) return on_own_turn(room);
    if (request->has_rematch()) return once_others_have_played(room);
  }
  return go();
}

}  // namespace tictactoe::client
