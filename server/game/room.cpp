// The people in a room: seats, watchers, absences and chat. Requests about the game are in
// room_requests.cpp, the game itself in room_play.cpp, and its views in room_view.cpp.
#include "server/game/room.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "server/base/planted.hpp"
#include "server/base/secrets.hpp"
#include "server/game/ai_levels.hpp"
#include "server/game/describe.hpp"
#include "server/limits/shares.hpp"

namespace tictactoe::server {

using rules::Mark;

Room::Room(RoomSettings settings, const Config& config)
    : settings_(std::move(settings)),
      config_(config),
      game_(settings_.rules, settings_.options.time, config.limits.moves_per_game),
      audience_(config.limits.kept_updates, settings_.revision) {}

v1::Phase Room::phase() const {
  if (game_.is_over()) return v1::PHASE_FINISHED;
  return has_open_seat() ? v1::PHASE_WAITING : v1::PHASE_PLAYING;
}

Mark Room::to_move() const {
  return phase() == v1::PHASE_PLAYING ? game_.board().to_move() : Mark::none;
}

Refused Room::not_allowed(const Player* player) const {
  if (seat_of(player) != Mark::none || !seats_.has_seated_person()) return std::nullopt;
  return problem(v1::Error::CODE_NOT_ALLOWED,
                 "You are watching: only players with a seat in this room can do that.");
}

// Coming and going --------------------------------------------------------------------------------

void Room::change_seat(Mark side, const Seats::Seat& occupant, const RequestContext& context) {
  auto& message = context.effects.draft<v1::ServerMessage>();
  v1::Occupant before;
  seats_.describe_seat(side, context.now, before);
  const bool had_score = seats_.has_score();
  seats_.change(side, occupant);
  shorten_holds(context.now);
  if (had_score && !seats_.has_score()) message.mutable_update()->mutable_score();
  game_.clear_offers_of(side);
  announce_seat(side, before, message, context);
}

void Room::announce_seat(Mark side, const v1::Occupant& before, v1::ServerMessage& message,
                         const RequestContext& context) {
  v1::SeatChanged& changed = *message.mutable_update()->mutable_seat_changed();
  changed.set_seat(describe(side));
  *changed.mutable_previous() = before;
  seats_.describe_seat(side, context.now, *changed.mutable_occupant());
  changed.set_watchers(seats_.watcher_count());
  prepare_next_move(context);
  announce(message, context, Keep::room);
}

void Room::announce_watcher(const std::string& name, bool joined, const RequestContext& context) {
  auto& message = context.effects.draft<v1::ServerMessage>();
  v1::WatchersChanged& changed = *message.mutable_update()->mutable_watchers_changed();
  changed.set_watchers(seats_.watcher_count());
  changed.set_name(name);
  changed.set_joined(joined);
  announce(message, context, Keep::nothing);
}

Refused Room::sit(Mark wanted, const RequestContext& context) {
  const Player& player = *context.player;
  if (const Mark mine = seat_of(&player); mine != Mark::none) {
    return problem(v1::Error::CODE_ALREADY_IN_ROOM,
                   "You already have a seat in this room, as " + label(mine) + ".");
  }
  const Mark yielding = yielding_seat(wanted);
  const bool is_open = wanted == Mark::none ? has_open_seat() : seats_.is_open(wanted);
  if (!is_open && yielding != Mark::none) {
    if (!is_between_games()) return wait_for_seat(wanted, context);
    wanted = yielding;
  } else if (auto refused = no_seat(wanted)) {
    return refused;
  }
  if (wanted == Mark::none) wanted = seats_.first_open();
  if (wanted == Mark::none) wanted = Mark::x;  // only with Mistake::shared_seat
  seat_newcomer(wanted, player, context);
  begin_if_over(context);
  audience_.join(player);
  send_snapshot(context);
  return std::nullopt;
}

Refused Room::no_seat(Mark wanted) const {
  if (!has_open_seat() && !planted(Mistake::shared_seat)) {
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
void Room::seat_newcomer(Mark side, const Player& player, const RequestContext& context) {
  audience_.leave(player);
  seats_.remove_watcher(player);
  std::erase(admitted_, player.id);
  std::erase_if(waiting_, [&](const SeatWish& one) { return one.player == &player; });
  change_seat(side, Seats::person(player), context);
}

// One address or network gets only a share of the places. A party of 50 fits into any share.
Refused Room::no_place_to_watch(const Player& player) const {
  constexpr std::size_t party = 50;
  const Limits& limits = config_.limits;
  const std::size_t all = limits.watchers_per_room;
  if (seats_.watcher_count() >= all) {
    return problem(v1::Error::CODE_ROOM_FULL, "This room has reached its limit of watchers.");
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
                   "This room has reached its limit of watchers from your network.");
  }
  return std::nullopt;
}

Refused Room::watch(const RequestContext& context) {
  const Player& player = *context.player;
  if (auto refused = no_place_to_watch(player)) return refused;
  std::erase(admitted_, player.id);
  seats_.add_watcher(player);
  announce_watcher(player.name, true, context);
  audience_.join(player);
  send_snapshot(context);
  return std::nullopt;
}

void Room::leave(const Player& player, const RequestContext& context) {
  audience_.leave(player);
  std::erase_if(waiting_, [&](const SeatWish& one) { return one.player == &player; });
  if (thinking_) thinking_->leave(player, context);
  if (const Mark side = seat_of(&player); side != Mark::none) {
    change_seat(side, {}, context);
  } else {
    seats_.remove_watcher(player);
    announce_watcher(player.name, false, context);
  }
  free_ai_if_unneeded(context.effects);
}

std::vector<const Player*> Room::dismiss(const RequestContext& context) {
  std::vector<const Player*> members = watchers();
  for (const Mark side : both_sides) {
    if (seats_.has_person(side)) members.push_back(seats_[side].player);
  }
  // First, so that nobody is told about the others.
  for (const Player* member : members) audience_.leave(*member);
  for (const Player* member : members) leave(*member, context);
  return members;
}

void Room::free_ai_if_unneeded(Effects& effects) {
  if (!is_inhabited() && to_move() == Mark::none) stop_thinking(effects);
}

RoomThinking& Room::thinking() {
  if (!thinking_) {
    const std::uint64_t network = settings_.origin ? settings_.origin->network : 0;
    thinking_ = std::make_unique<RoomThinking>(settings_.serial, settings_.seed, network);
  }
  return *thinking_;
}

// Away --------------------------------------------------------------------------------------------

// While no game is played, or only an AI waits, a seat is held only briefly: otherwise clients
// could leave any number of rooms behind.
Time Room::away_until(Mark side, Time now, bool stood_in) const {
  const bool for_long = settings_.options.away == v1::AWAY_HOLD || stood_in;
  auto hold = for_long ? config_.limits.max_hold : settings_.options.grace;
  if (!is_running()) {
    hold = std::min(hold, config_.limits.default_grace);
  } else if (seats_.has_ai(opponent(side))) {
    hold = std::min(hold, config_.limits.max_hold_against_ai);
  }
  return paused_since_.value_or(now) + hold;
}

void Room::shorten_holds(Time now) {
  for (const Mark side : both_sides) {
    if (!seats_.is_away(side)) continue;
    Time& until = *seats_[side].away_until;
    until = std::min(until, away_until(side, now, is_running() && seats_[side].stood_in));
  }
}

void Room::pause(Time now) {
  paused_since_ = now;
  game_.clock().pause(now);
}

void Room::resume(Time now) {
  if (!paused_since_) return;
  const Time::duration paused = now - *std::exchange(paused_since_, std::nullopt);
  game_.clock().resume(now);
  if (restart_until_) *restart_until_ += paused;
  for (const Mark side : both_sides) {
    if (seats_.is_away(side)) *seats_[side].away_until += paused;
  }
}

void Room::went_away(const Player& player, const RequestContext& context) {
  const Mark side = seat_of(&player);
  assert(side != Mark::none);
  audience_.leave(player);
  if (thinking_) thinking_->leave(player, context);
  auto& message = context.effects.draft<v1::ServerMessage>();
  v1::Occupant before;
  seats_.describe_seat(side, context.now, before);
  seats_[side].away_until = away_until(side, context.now, false);
  announce_seat(side, before, message, context);
  free_ai_if_unneeded(context.effects);
}

void Room::came_back(std::uint64_t seen, const RequestContext& context) {
  const Player& player = *context.player;
  const Mark side = seat_of(&player);
  assert(side != Mark::none);
  if (seats_.is_away(side)) {
    auto& message = context.effects.draft<v1::ServerMessage>();
    v1::Occupant before;
    seats_.describe_seat(side, context.now, before);
    seats_[side].away_until.reset();
    seats_[side].stood_in = false;
    announce_seat(side, before, message, context.without_request());
    audience_.join(player);
  } else {
    // Drops hints for the former connection.
    if (thinking_) thinking_->leave(player, context);
    if (game_.clock().counts()) seen = 0;  // kept updates have outdated clocks
  }
  auto& snapshot = context.effects.draft<v1::ServerMessage>();
  describe_to(*snapshot.mutable_snapshot(), &player, context.now);
  if (audience_.send_missed(seen, snapshot.ByteSizeLong(), context)) return;
  context.effects.send(context.connection, context.effects.encode(snapshot));
}

bool Room::end_absence(Mark side, const RequestContext& context) {
  Seats::Seat& seat = seats_[side];
  if (settings_.options.away == v1::AWAY_AI && !seat.stood_in) {
    auto& message = context.effects.draft<v1::ServerMessage>();
    v1::Occupant before;
    seats_.describe_seat(side, context.now, before);
    seat.stood_in = true;
    seat.level = ai_levels[0];
    seat.away_until = away_until(side, context.now, true);
    announce_seat(side, before, message, context);
    return false;
  }
  lose_seat(side, context);
  return true;
}

void Room::lose_seat(Mark side, const RequestContext& context) {
  if (is_running() && ply() > 0) end(opponent(side), v1::Outcome::REASON_FORFEIT, context);
  change_seat(side, {}, context);
}

void Room::end_hold(const Player& player, const RequestContext& context) {
  lose_seat(seat_of(&player), context);
}

// AIs and chat ------------------------------------------------------------------------------------

Parsed<AiLevel> Room::parse_ai_level(std::string_view name) const {
  // After a game, an AI begins the next one.
  const int plies = game_.is_over() ? 0 : game_.ply();
  return server::parse_ai_level(name, settings_.rules, plies, config_);
}

Refused Room::add_ai(Mark wanted, const AiLevel& level, const RequestContext& context) {
  if (auto refused = not_allowed(context.player)) return refused;
  const Mark mine = seat_of(context.player);
  if (wanted == Mark::none && !has_open_seat()) {
    return problem(v1::Error::CODE_SEAT_TAKEN,
                   "Both seats are taken. To let an AI play for you, name your own, X or O.");
  }
  if (wanted == Mark::none) wanted = seats_.first_open();
  if (!seats_.is_open(wanted) && wanted != mine) {
    return problem(v1::Error::CODE_SEAT_TAKEN,
                   label(wanted) + " is taken: an AI needs an open seat, or yours.");
  }
  if (wanted == mine) {
    if (auto refused = no_place_to_watch(*context.player)) return refused;
    seats_.add_watcher(*context.player);
  }
  change_seat(wanted, Seats::ai(level), context);
  begin_if_over(context);
  return std::nullopt;
}

Refused Room::remove_ai(Mark wanted, const RequestContext& context) {
  if (auto refused = not_allowed(context.player)) return refused;
  if (wanted == Mark::none && seats_.has_ai(Mark::x) && seats_.has_ai(Mark::o)) {
    return problem(v1::Error::CODE_NO_AI_THERE, "Both seats have an AI. Say which one, X or O.");
  }
  if (wanted == Mark::none) wanted = seats_.has_ai(Mark::x) ? Mark::x : Mark::o;
  if (!seats_.has_ai(wanted)) {
    return problem(v1::Error::CODE_NO_AI_THERE, "There is no AI on that seat.");
  }
  change_seat(wanted, {}, context);
  return std::nullopt;
}

Refused Room::chat(const std::string& text, const RequestContext& context) {
  auto& message = context.effects.draft<v1::ServerMessage>();
  v1::ChatSaid& said = *message.mutable_update()->mutable_chat_said();
  said.set_from(context.player->name);
  said.set_seat(describe(seat_of(context.player)));
  said.set_text(text);
  if (config_.keeps_records) {
    auto& record = context.draft_record();
    journal::v1::Chat& chat = *record.mutable_chat();
    chat.set_room(settings_.serial);
    chat.set_from(said.from());
    chat.set_seat(said.seat());
    chat.set_text(said.text());
    context.effects.record(record);
  }
  chat_.push_back(said);
  if (chat_.size() > config_.limits.kept_chat) chat_.erase(chat_.begin());
  announce(message, context, Keep::nothing);
  return std::nullopt;
}

void Room::admit_once(const Player& guest) {
  if (!needs_password()) return;
  std::erase(admitted_, guest.id);
  admitted_.push_back(guest.id);
  if (admitted_.size() > config_.limits.invitations_per_room) admitted_.erase(admitted_.begin());
}

// Time --------------------------------------------------------------------------------------------

std::optional<Time> Room::next_deadline() const {
  std::optional<Time> next;
  if (thinking_) next = thinking_->due();
  for (const auto due : {game_.clock().due(), seats_.away_due(), restart_until_}) {
    if (due && (!next || *due < *next)) next = due;
  }
  return next;
}

std::vector<PlayerId> Room::deadline_reached(const RequestContext& context) {
  std::vector<PlayerId> unseated;
  if (restart_until_ && *restart_until_ <= context.now) {
    restart_until_.reset();
    prepare_next_move(context);
  }
  end_by_time(context);
  for (const Mark side : both_sides) {
    if (!seats_.is_away(side) || *seats_[side].away_until > context.now) continue;
    const PlayerId player = seats_[side].player->id;
    if (end_absence(side, context)) unseated.push_back(player);
  }
  if (thinking_ && thinking_->due() && *thinking_->due() <= context.now) {
    thinking_->choose(game_, seats_[to_move()].level, context.effects);
  }
  return unseated;
}

bool Room::waits_after_restart(Mark side, Time now) const {
  // This time also stands still while nothing can be recorded.
  return restart_until_ && paused_since_.value_or(now) < *restart_until_ && side != Mark::none &&
         seats_.is_away(side) && !seats_.ai_plays(side);
}

}  // namespace tictactoe::server
