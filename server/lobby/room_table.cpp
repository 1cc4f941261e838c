#include "server/lobby/room_table.hpp"

#include "server/game/describe.hpp"

namespace tictactoe::server {
namespace {

void list_open(const Room& room, v1::ServerInfo& info) {
  v1::OpenRoom& open = *info.add_listed();
  open.set_name(room.name());
  describe(room.settings().rules, *open.mutable_rules());
  open.set_needs_password(room.settings().needs_password());
}

bool can_be_entered(const Room& room) {
  return room.state().has_seat_for_newcomer() && !room.output().audience().empty();
}

// Who joins gets the seat of an AI after the running game.
bool will_be_entered(const Room& room) {
  return room.state().has_seat_in_time() && !room.output().audience().empty() &&
         !can_be_entered(room);
}

}  // namespace

const Room& RoomTable::open(RoomSettings settings, const StartPosition* position, Time now) {
  auto room = std::make_unique<Room>(std::move(settings), config_);
  if (position != nullptr) room->begin_from(*position);
  return add(std::move(room), now);
}

template <class Visit>
void RoomTable::visit_holdings(const Room& room, Visit visit) const {
  if (!room.settings().origin) return;
  visit(*room.settings().origin, Holding::rooms);
  if (config_.limits.is_large(room.settings().rules))
    visit(*room.settings().origin, Holding::large_boards);
}

void RoomTable::hold_holdings(const Room& room, Time now) {
  visit_holdings(room, [&](Origin of, Holding holding) { ledger_.hold(of, holding, now); });
  if (config_.limits.is_large(room.settings().rules)) ++large_boards_;
}

void RoomTable::release_holdings(const Room& room, Time now) {
  visit_holdings(room, [&](Origin of, Holding holding) { ledger_.release(of, holding, now); });
  if (config_.limits.is_large(room.settings().rules)) --large_boards_;
}

const Room& RoomTable::add(std::unique_ptr<Room> room, Time now) {
  const std::uint64_t serial = room->serial();
  if (room->settings().is_listed()) {
    listed_.insert(room.get());
    listed_by_name_.insert(room.get());
  }
  hold_holdings(*room, now);
  return *rooms_.emplace(serial, std::move(room)).first->second;
}

const Room* RoomTable::find(std::uint64_t serial) const {
  const auto found = rooms_.find(serial);
  return found == rooms_.end() ? nullptr : found->second.get();
}

const Room* RoomTable::longest_waiting(std::uint64_t except) const {
  for (const auto& [since, room] : waiting_) {
    if (room->serial() != except) return room;
  }
  return nullptr;
}

// Keeping up to date ------------------------------------------------------------------------------

void RoomTable::update(Room& room, const RequestContext& context) {
  if (room.empty()) return close(room, context);
  set_deadline(room, room.next_deadline());
  if (room.settings().is_public()) {
    update_waiting(room, can_be_entered(room));
    update_open(room, room.state().has_seat_for_newcomer());
    update_later(room, will_be_entered(room));
  }
  if (draining_ && !room.state().is_running()) running_.erase(room.serial());
  feed_.changed(room);
}

void RoomTable::set_deadline(Room& room, std::optional<Time> due) {
  if (due) {
    deadlines_.set(room.listing.deadline, {*due, Deadline::Kind::room, room.serial()});
  } else {
    deadlines_.end(room.listing.deadline);
  }
}

void RoomTable::postpone(const Room& room, Time until) {
  set_deadline(*rooms_.at(room.serial()), until);
}

void RoomTable::update_waiting(Room& room, bool waits) {
  std::uint64_t& since = room.listing.waiting_since;
  if (waits == (since > 0)) return;
  if (waits) {
    since = next_opening_++;
    waiting_.emplace(since, &room);
  } else {
    waiting_.erase(std::exchange(since, 0));
  }
}

void RoomTable::update_open(Room& room, bool is_open) {
  if (is_open == std::exchange(room.listing.is_open, is_open)) return;
  if (is_open) {
    open_.insert(&room);
  } else {
    open_.erase(&room);
  }
}

void RoomTable::update_later(Room& room, bool is_later) {
  if (is_later == std::exchange(room.listing.is_open_later, is_later)) return;
  if (is_later) {
    later_.insert(&room);
  } else {
    later_.erase(&room);
  }
}

void RoomTable::close(Room& room, const RequestContext& context) {
  room.stop_thinking(context.effects);
  if (config_.keeps_records) {
    auto& record = context.draft_record();
    record.set_room_closed(room.serial());
    record.set_closed_revision(room.output().revision());
    context.effects.record(record);
  }
  context.effects.log.note("room closed", room.settings().origin.value_or(Origin{}), context.now,
                           [&](LogEvent& event) { event.add("room", room.name()); });
  closing_(room);
  remove(room, context.now);
}

void RoomTable::give_away(const Room& room, const RequestContext& context) {
  Room& own = *rooms_.at(room.serial());
  own.give_up(context.effects);
  remove(own, context.now);
}

void RoomTable::remove(Room& room, Time now) {
  release_holdings(room, now);
  feed_.closed(room);
  set_deadline(room, std::nullopt);
  update_waiting(room, false);
  update_open(room, false);
  update_later(room, false);
  running_.erase(room.serial());
  if (room.settings().is_listed()) {
    listed_.erase(&room);
    listed_by_name_.erase(&room);
  }
  rooms_.erase(room.serial());
}

void RoomTable::start_draining() {
  draining_ = true;
  for (const auto& [serial, room] : rooms_) {
    if (room->state().is_running()) running_.insert(serial);
  }
}

// What others see ---------------------------------------------------------------------------------

void RoomTable::describe_to(v1::ServerInfo& info, int max) const {
  info.set_rooms(static_cast<std::uint32_t>(listed_.size()));
  info.set_open_rooms(static_cast<std::uint32_t>(waiting_.size() + later_.size()));
  for (auto next = waiting_.begin(); next != waiting_.end() && info.listed_size() < max; ++next) {
    list_open(*next->second, info);
  }
  for (auto next = later_.begin(); next != later_.end() && info.listed_size() < max; ++next) {
    list_open(**next, info);
  }
  constexpr int max_searched = 256;
  int searched = 0;
  for (auto next = listed_.begin();
       next != listed_.end() && info.listed_size() < max && searched < max_searched;
       ++next, ++searched) {
    const Room& room = **next;
    if (room.settings().needs_password() && can_be_entered(room)) list_open(room, info);
  }
}

}  // namespace tictactoe::server
