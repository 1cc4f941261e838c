// Newcomers who get the seat of an AI. See v1::RoomOptions.open_ai_seats.
#include <algorithm>

#include "server/game/describe.hpp"
#include "server/game/room.hpp"

namespace tictactoe::server {

using rules::Mark;

Mark Room::yielding_seat(Mark wanted) const {
  if (!settings_.options.open_ai_seats) return Mark::none;
  for (const Mark side : both_sides) {
    if (seats_.has_ai(side) && (wanted == Mark::none || wanted == side)) return side;
  }
  return Mark::none;
}

bool Room::waits_for_seat(const Player* player) const {
  return std::ranges::find(waiting_, player, &SeatWish::player) != waiting_.end();
}

Refused Room::wait_for_seat(Mark wanted, const RequestContext& context) {
  const Player& player = *context.player;
  const bool is_new = !seats_.is_watching(player);
  if (!waits_for_seat(&player)) waiting_.push_back({&player, wanted});
  if (!is_new) {
    send_snapshot(context);
    return std::nullopt;
  }
  auto refused = watch(context);
  if (refused) waiting_.pop_back();
  return refused;
}

void Room::seat_waiting(const RequestContext& context) {
  for (std::size_t i = 0; i < waiting_.size();) {
    const Mark side = yielding_seat(waiting_[i].wanted);
    if (side == Mark::none) {
      ++i;
      continue;
    }
    const Player& player = *waiting_[i].player;
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
    seats_.remove_watcher(player);
    change_seat(side, Seats::person(player), context.without_request());
    // Against an AI, the next game begins when the newcomer asks for it.
    if (seats_.has_person(rules::opponent(side))) {
      seats_[side].wants_rematch = true;
      auto& message = context.effects.draft<v1::ServerMessage>();
      message.mutable_update()->mutable_rematch_wanted()->set_seat(describe(side));
      announce(message, context.without_request(), Keep::room);
    }
    send_snapshot({context.now, context.effects, &player, *player.connection});
  }
}

}  // namespace tictactoe::server
