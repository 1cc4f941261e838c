#include "server/room/room.hpp"

#include "server/room/room_journal.hpp"

namespace tictactoe::server {

std::unique_ptr<Room> Room::load(const journal::v1::SavedRoom& saved, const Config& config,
                                 const FindPlayer& find_player, Time now) {
  auto settings = read_settings(saved.room());
  if (!settings) return nullptr;
  auto room = std::make_unique<Room>(*std::move(settings), config);
  if (!room->state_.load(saved, find_player)) return nullptr;
  room->output_.load(saved);
  room->timing_.load(saved.room(), now);
  return room;
}

std::vector<PlayerId> Room::deadline_reached(const RequestContext& context) {
  timing_.end_restart_if_due(context);
  playing_.end_by_time(context);
  std::vector<PlayerId> unseated = seating_.end_holds_if_due(context);
  playing_.choose_if_due(context);
  playing_.tell_if_late(context);
  return unseated;
}

}  // namespace tictactoe::server
