#include "server/host/restoring.hpp"

#include <utility>

#include "server/room/room_journal.hpp"

namespace tictactoe::server {

RestoreReport Restoring::restore(const journal::v1::Saved& saved, Time now) {
  directory_.raise_revision(saved.last_revision());
  RestoreReport report = add(saved, now);
  banning_.restore(saved, now);
  // Closes rooms that only watchers kept open. They must enter again anyway.
  const RequestContext context{now, effects_};
  rooms_.change_all(context, [&](Room& room) { room.output().record_room(context); });
  return report;
}

RestoreReport Restoring::adopt(const journal::v1::Saved& saved, Time now) {
  RestoreReport report = add(saved, now);
  const RequestContext context{now, effects_};
  for (const journal::v1::SavedRoom& adopted : saved.rooms()) {
    const Room* room = rooms_.find(adopted.room().serial());
    if (room == nullptr) continue;
    rooms_.change(*room, context, [&](Room& changed) { changed.output().record_room(context); });
  }
  return report;
}

RestoreReport Restoring::add(const journal::v1::Saved& saved, Time now) {
  RestoreReport report;
  for (const journal::v1::Player& player : saved.players()) {
    std::string why = add(player, now);
    if (why.empty()) continue;
    report.refused.push_back({RestoreReport::Kind::player, player.id(), std::move(why)});
    record_refused(report.refused.back(), 0);
  }
  for (const journal::v1::SavedRoom& room : saved.rooms()) {
    std::string why = add(room, now);
    if (why.empty()) continue;
    report.refused.push_back({RestoreReport::Kind::room, room.room().serial(), std::move(why)});
    record_refused(report.refused.back(), room.room().revision());
  }
  return report;
}

std::string Restoring::add(const journal::v1::Player& player, Time now) {
  constexpr std::size_t hash_bytes = 32;
  const auto name = parse_saved_name(player.name(), "player", Limits{});
  const auto enter = [&] {
    return directory_.register_player({player.id(), player.name()}, player.token_hash());
  };
  // The name of a forgotten player is held, except for a player who has claimed it at another
  // server.
  const bool entered =
      enter() || (people_.release_held_name(directory_.id_of(player.name())) && enter());
  std::string why;
  if (!entered) return "The player's number, name or token is already in use.";
  if (!name) {
    why = name.error().message;
  } else if (player.token_hash().size() != hash_bytes) {
    why = "The hash of the player's token has the wrong length.";
  }
  if (!why.empty()) {
    directory_.release_player(player.id());
    return why;
  }
  const Player& restored = players_.add(player.id(), player.name(), player.token_hash(), now);
  players_.request_done(restored, player.last_request_done());
  if (const Login* login = logins_.find(restored.name)) players_.set_account(restored, login->id);
  if (player.played()) players_.mark_played(restored);
  return {};
}

std::string Restoring::add(const journal::v1::SavedRoom& saved, Time now) {
  const journal::v1::Room& room = saved.room();
  if (!directory_.register_room({room.serial(), room.revision(), room.name()}, room.creator())) {
    return "The room's number or name is already in use.";
  }
  auto restored = Room::load(saved, config_, [&](PlayerId id) { return players_.find(id); }, now);
  if (!restored) {
    directory_.release_room(room.serial(), 0);
    return "The room \"" + room.name() + "\" is not valid.";
  }
  const Room& entered = rooms_.add(std::move(restored), now);
  for (const journal::v1::Seat* seat : {&room.x(), &room.o()}) {
    if (seat->kind() != v1::Occupant::KIND_PERSON) continue;
    const Player& player = *players_.find(seat->player());
    if (seat->has_origin()) players_.set_origin(player, read_origin(seat->origin()));
    players_.enter(player, entered);
    people_.hold_seat(player, now);
  }
  return {};
}

void Restoring::record_refused(const RestoreReport::Refused& refused, std::uint64_t revision) {
  const bool is_player = refused.kind == RestoreReport::Kind::player;
  // If two have the same number, the other one was added.
  const bool is_here =
      is_player ? players_.find(refused.id) != nullptr : rooms_.find(refused.id) != nullptr;
  if (is_here) return;
  // Fewer updates than this can have been sent after the last record of the room.
  constexpr std::uint64_t leap = std::uint64_t{1} << 21;
  const std::uint64_t closed_revision = revision > max_loaded_id ? 0 : revision + leap;
  if (!is_player) directory_.raise_revision(closed_revision);
  if (!config_.keeps_records) return;
  auto& record = effects_.draft<journal::v1::Record>();
  if (is_player) {
    record.set_player_forgotten(refused.id);
  } else {
    record.set_room_closed(refused.id);
    record.set_closed_revision(closed_revision);
  }
  effects_.record(record);
}

// Records the player at once, as nothing else says that it belongs to this server. A player who
// can't be added is recorded as forgotten; otherwise all servers would look for it here for ever.
void Restoring::adopt(const journal::v1::Player& player, Time now) {
  if (players_.find(player.id()) != nullptr) return;
  std::string why = add(player, now);
  if (!why.empty()) {
    return record_refused({RestoreReport::Kind::player, player.id(), std::move(why)}, 0);
  }
  people_.record(*players_.find(player.id()));
}

}  // namespace tictactoe::server
