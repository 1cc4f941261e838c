#include "server/room/room_state.hpp"

#include <algorithm>
#include <utility>

#include "server/game/ai_levels.hpp"

namespace tictactoe::server {

using rules::Mark;

RoomState::RoomState(RoomSettings wanted, const Config& limits)
    : settings(std::move(wanted)),
      config(limits),
      game(settings.rules, settings.options.time, config.limits.moves_per_game),
      thinking(settings.serial, settings.seed, settings.origin ? settings.origin->network : 0) {}

bool RoomState::load(const journal::v1::SavedRoom& saved, const FindPlayer& find_player) {
  const journal::v1::Room& room = saved.room();
  seats.load_score(room.score());
  return seats.load(Mark::x, room.x(), find_player) && seats.load(Mark::o, room.o(), find_player) &&
         game.load(saved);
}

bool RoomState::has_played(const v1::Move& move, const Player& player) const {
  const Mark side = game.player_of(move);
  return side != Mark::none && seats.seat_of(&player) == side;
}

Mark RoomState::yielding_seat(Mark wanted) const {
  if (!settings.options.open_ai_seats) return Mark::none;
  for (const Mark side : both_sides) {
    if (seats.has_ai(side) && (wanted == Mark::none || wanted == side)) return side;
  }
  return Mark::none;
}

bool RoomState::admits(const Player& player) const {
  return std::ranges::find(admitted, player.id) != admitted.end();
}

Refused RoomState::not_allowed(const Player* player) const {
  if (seats.seat_of(player) != Mark::none || !seats.has_seated_person()) return std::nullopt;
  return problem(v1::Error::CODE_NOT_ALLOWED,
                 "You are watching: only players with a seat in this room can do that.");
}

Parsed<AiLevel> RoomState::parse_ai_level(std::string_view name) const {
  // After a game, an AI begins the next one.
  const int plies = game.is_over() ? 0 : game.ply();
  return server::parse_ai_level(name, settings.rules, plies, config);
}

}  // namespace tictactoe::server
