#include "server/room/seating.hpp"

#include <algorithm>
#include <cassert>
#include <string>

#include "server/base/planted.hpp"
#include "server/game/ai_levels.hpp"
#include "server/game/describe.hpp"
#include "server/limits/shares.hpp"

namespace tictactoe::server {

using rules::Mark;

// Entering ----------------------------------------------------------------------------------------

Mark Seating::yielded_seat(Mark wanted) const {
  const bool is_open = wanted == Mark::none ? seats_.has_open_seat() : seats_.is_open(wanted);
  return is_open ? Mark::none : room_.yielding_seat(wanted);
}

Refused Seating::cannot_sit(Mark wanted, const Player& player) const {
  if (const Mark mine = seats_.seat_of(&player); mine != Mark::none) {
    return problem(v1::Error::CODE_SEAT_TAKEN,
                   "You already have a seat in this room, as " + label(mine) + ".");
  }
  if (yielded_seat(wanted) == Mark::none) return no_seat(wanted);
  const bool must_watch = !room_.is_between_games() && !seats_.is_watching(player);
  return must_watch ? cannot_watch(player) : std::nullopt;
}

Refused Seating::sit(Mark wanted, const RequestContext& context) {
  const Player& player = *context.player;
  if (auto refused = cannot_sit(wanted, player)) return refused;
  if (const Mark yielding = yielded_seat(wanted); yielding != Mark::none) {
    if (!room_.is_between_games()) return wait_for_seat(wanted, context);
    wanted = yielding;
  }
  if (wanted == Mark::none) wanted = seats_.first_open();
  if (wanted == Mark::none) wanted = Mark::x;  // only with Mistake::shared_seat
  seat_newcomer(wanted, player, context);
  playing_.begin_if_over(context);
  output_.audience().join(player);
  output_.send_snapshot(context);
  return std::nullopt;
}

Refused Seating::no_seat(Mark wanted) const {
  if (!seats_.has_open_seat() && !planted(Mistake::shared_seat)) {
    return problem(v1::Error::CODE_ROOM_FULL,
                   "Both seats of this room are taken. You can watch it instead.");
  }
  if (wanted != Mark::none && !seats_.is_open(wanted)) {
    return problem(v1::Error::CODE_SEAT_TAKEN,
                   label(wanted) + " is taken. You can sit as " + label(opponent(wanted)) + ".");
  }
  return std::nullopt;
}

// The player gets a snapshot later instead of the updates about this.
void Seating::seat_newcomer(Mark side, const Player& player, const RequestContext& context) {
  output_.audience().leave(player);
  seats_.remove_watcher(player);
  std::erase(room_.admitted, player.id);
  playing_.change_seat(side, Seats::person(player), context);
}

Refused Seating::wait_for_seat(Mark wanted, const RequestContext& context) {
  const Player& player = *context.player;
  const bool is_new = !seats_.requests_seat(&player);
  if (is_new) seats_.add_seat_request(player, wanted);
  if (seats_.is_watching(player)) {
    if (is_new) announce_watcher(player, true, context.without_request());
    output_.send_snapshot(context);
    return std::nullopt;
  }
  return watch(context);  // which cannot_sit() has allowed
}

// One address or network gets only a share of the places. A party of 50 fits into any share.
Refused Seating::cannot_watch(const Player& player) const {
  constexpr std::size_t party = 50;
  const Limits& limits = room_.config.limits;
  const std::size_t all = limits.watchers_per_room;
  if (seats_.watcher_count() >= all) {
    return problem(v1::Error::CODE_ROOM_FULL, "This room can have no more watchers.");
  }
  if (!limits.limits_addresses() || !player.origin) return std::nullopt;
  const auto has_part = [&](double share, std::uint64_t Origin::* level) {
    const std::size_t max_watchers = std::max(party, part_of(all, share));
    if (seats_.watcher_count() < max_watchers) return false;
    return max_watchers <= seats_.count_watchers([&](const Player& each) {
      return each.origin && (*each.origin).*level == (*player.origin).*level;
    });
  };
  if (has_part(share_of_address, &Origin::address) ||
      has_part(share_of_network, &Origin::network)) {
    return problem(v1::Error::CODE_ROOM_FULL,
                   "This room can have no more watchers from your network.");
  }
  return std::nullopt;
}

Refused Seating::watch(const RequestContext& context) {
  const Player& player = *context.player;
  if (auto refused = cannot_watch(player)) return refused;
  std::erase(room_.admitted, player.id);
  seats_.add_watcher(player);
  announce_watcher(player, true, context);
  output_.audience().join(player);
  output_.send_snapshot(context);
  return std::nullopt;
}

void Seating::announce_watcher(const Player& player, bool joined, const RequestContext& context) {
  auto& message = context.effects.draft<v1::ServerMessage>();
  v1::WatchersChanged& changed = *message.mutable_update()->mutable_watchers_changed();
  changed.set_watchers(seats_.watcher_count());
  changed.set_name(player.name);
  changed.set_joined(joined);
  changed.set_waits_for_seat(joined && seats_.requests_seat(&player));
  output_.announce(message, context, RoomOutput::Keep::nothing);
}

void Seating::admit_once(const Player& guest) {
  if (!room_.settings.needs_password()) return;
  std::vector<PlayerId>& admitted = room_.admitted;
  std::erase(admitted, guest.id);
  admitted.push_back(guest.id);
  if (admitted.size() > room_.config.limits.invitations_per_room) admitted.erase(admitted.begin());
}

// Leaving -----------------------------------------------------------------------------------------

void Seating::leave(const Player& player, const RequestContext& context) {
  output_.audience().leave(player);
  room_.thinking.leave(player, context);
  if (const Mark side = seats_.seat_of(&player); side != Mark::none) {
    playing_.change_seat(side, {}, context);
  } else {
    seats_.remove_watcher(player);
    announce_watcher(player, false, context);
  }
  playing_.free_ai_if_unneeded(context.effects);
}

std::vector<const Player*> Seating::dismiss(const RequestContext& context) {
  std::vector<const Player*> members = seats_.watchers();
  for (const Mark side : both_sides) {
    if (seats_.has_person(side)) members.push_back(seats_[side].player);
  }
  // First, so that nobody is told about the others.
  for (const Player* member : members) output_.audience().leave(*member);
  for (const Player* member : members) leave(*member, context);
  return members;
}

// Away --------------------------------------------------------------------------------------------

void Seating::went_away(const Player& player, const RequestContext& context) {
  const Mark side = seats_.seat_of(&player);
  assert(side != Mark::none);
  output_.audience().leave(player);
  room_.thinking.leave(player, context);
  playing_.update_seat(side, context, [&] { timing_.hold_seat(side, context.now); });
  playing_.free_ai_if_unneeded(context.effects);
}

void Seating::came_back(std::uint64_t seen, const RequestContext& context) {
  const Player& player = *context.player;
  const Mark side = seats_.seat_of(&player);
  assert(side != Mark::none);
  if (seats_.is_away(side)) {
    playing_.update_seat(side, context.without_request(), [&] {
      seats_[side].away_until.reset();
      seats_[side].stood_in = false;
    });
    output_.audience().join(player);
  } else {
    room_.thinking.leave(player, context);      // drops hints for the former connection
    if (room_.game.clock().counts()) seen = 0;  // kept updates have outdated clocks
  }
  output_.send_missed(seen, context);
}

void Seating::end_hold(const Player& player, const RequestContext& context) {
  lose_seat(seats_.seat_of(&player), context);
}

std::vector<PlayerId> Seating::end_holds_if_due(const RequestContext& context) {
  std::vector<PlayerId> unseated;
  for (const Mark side : both_sides) {
    if (!seats_.is_away(side) || *seats_[side].away_until > context.now) continue;
    const PlayerId player = seats_[side].player->id;
    if (end_absence(side, context)) unseated.push_back(player);
  }
  return unseated;
}

// An absence has lasted too long. Returns whether the seat is now open.
bool Seating::end_absence(Mark side, const RequestContext& context) {
  Seats::Seat& seat = seats_[side];
  if (room_.settings.options.away == v1::AWAY_AI && !seat.stood_in) {
    playing_.update_seat(side, context, [&] {
      seat.stood_in = true;
      seat.level = stand_in_level;
      timing_.hold_seat(side, context.now);
    });
    return false;
  }
  lose_seat(side, context);
  return true;
}

void Seating::lose_seat(Mark side, const RequestContext& context) {
  if (room_.is_running() && room_.game.ply() > 0) {
    playing_.end(opponent(side), v1::Outcome::REASON_FORFEIT, context);
  }
  playing_.change_seat(side, {}, context);
}

// AIs ---------------------------------------------------------------------------------------------

Refused Seating::add_ai(Mark wanted, const AiLevel& level, const RequestContext& context) {
  if (auto refused = room_.not_allowed(context.player)) return refused;
  const Mark mine = seats_.seat_of(context.player);
  if (wanted == Mark::none) wanted = seats_.first_open();
  // The only AI is meant, to be replaced.
  if (wanted == Mark::none && seats_.has_ai(Mark::x) != seats_.has_ai(Mark::o)) {
    wanted = seats_.has_ai(Mark::x) ? Mark::x : Mark::o;
  }
  if (wanted == Mark::none) {
    return problem(v1::Error::CODE_SEAT_TAKEN,
                   "Both seats are taken. Say which one an AI takes over, X or O: that of an AI or "
                   "your own.");
  }
  if (seats_.has_person(wanted) && wanted != mine) {
    return problem(
        v1::Error::CODE_SEAT_TAKEN,
        label(wanted) + " is taken. An AI can only take an open seat, that of an AI, or your own.");
  }
  if (seats_.has_ai(wanted) && seats_[wanted].level == level) {
    return problem(v1::Error::CODE_SEAT_TAKEN,
                   ai_player_name(level) + " already plays " + label(wanted) + ".");
  }
  if (wanted == mine) {
    if (auto refused = cannot_watch(*context.player)) return refused;
    seats_.add_watcher(*context.player);
  }
  const bool replaces = seats_.has_ai(wanted);
  playing_.change_seat(wanted, Seats::ai(level), context);
  // After a game, another level alone begins no new one.
  if (!replaces) playing_.begin_if_over(context);
  playing_.try_engine(wanted, context);
  return std::nullopt;
}

Refused Seating::remove_ai(Mark wanted, const RequestContext& context) {
  if (auto refused = room_.not_allowed(context.player)) return refused;
  if (wanted == Mark::none && seats_.has_ai(Mark::x) && seats_.has_ai(Mark::o)) {
    return problem(v1::Error::CODE_NO_AI_THERE, "Both seats have an AI. Say which one, X or O.");
  }
  if (wanted == Mark::none) wanted = seats_.has_ai(Mark::x) ? Mark::x : Mark::o;
  if (!seats_.has_ai(wanted)) {
    return problem(v1::Error::CODE_NO_AI_THERE, "There is no AI on that seat.");
  }
  playing_.change_seat(wanted, {}, context);
  return std::nullopt;
}

}  // namespace tictactoe::server
