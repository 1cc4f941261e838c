#include "server/core/lobby.hpp"

#include <algorithm>
#include <utility>

#include "server/core/describe.hpp"

namespace tictactoe::core {
namespace {

void list_open(const Room& room, v1::ServerInfo& info) {
  v1::OpenRoom& open = *info.add_listed();
  open.set_name(room.name());
  describe(room.rules(), *open.mutable_rules());
  open.set_needs_password(room.needs_password());
}

}  // namespace

Parsed<Room*> Lobby::create(RoomSettings settings) {
  if (by_name_.contains(settings.name)) {
    return problem(v1::Error::CODE_ROOM_EXISTS,
                   "There is a room of that name already: join it, or choose another name.");
  }
  if (by_name_.size() >= config_->limits.rooms) {
    return problem(v1::Error::CODE_TOO_MANY_ROOMS,
                   "This server holds as many rooms as it can: join one, or try again later.");
  }
  const auto created = created_.find(settings.creator);
  if (created != created_.end() && created->second >= config_->limits.rooms_per_player) {
    return problem(v1::Error::CODE_TOO_MANY_ROOMS,
                   "You have created as many rooms as one player can have here: wait until one of "
                   "them closes, which it does when nobody is left in it.");
  }
  settings.serial = next_serial_;
  // With a gap, so that what follows on a revision of a closed room is never at hand.
  settings.revision = last_revision_ == 0 ? 0 : last_revision_ + 1;
  return &insert(std::make_unique<Room>(std::move(settings), *config_));
}

Room* Lobby::restore(std::unique_ptr<Room> room) {
  if (by_name_.contains(room->name()) || by_serial_.contains(room->serial())) return nullptr;
  return &insert(std::move(room));
}

void Lobby::reserve(std::uint64_t serial) {
  if (serial <= largest_restored) next_serial_ = std::max(next_serial_, serial + 1);
}

Room& Lobby::insert(std::unique_ptr<Room> room) {
  Room& inserted = *room;
  next_serial_ = std::max(next_serial_, inserted.serial() + 1);
  ++created_[inserted.creator()];
  by_serial_.emplace(inserted.serial(), &inserted);
  by_name_.emplace(inserted.name(), std::move(room));
  seats_changed(inserted);
  return inserted;
}

void Lobby::close(Room& room) {
  if (room.listing.waiting_since > 0) waiting_.erase(room.listing.waiting_since);
  if (const auto created = created_.find(room.creator()); --created->second == 0) {
    created_.erase(created);
  }
  last_revision_ = std::max(last_revision_, room.revision());
  by_serial_.erase(room.serial());
  by_name_.erase(by_name_.find(room.name()));
}

Room* Lobby::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second.get();
}

Room* Lobby::find(std::uint64_t serial) const {
  const auto found = by_serial_.find(serial);
  return found == by_serial_.end() ? nullptr : found->second;
}

Room* Lobby::longest_waiting() const {
  return waiting_.empty() ? nullptr : waiting_.begin()->second;
}

void Lobby::seats_changed(Room& room) {
  if (room.needs_password()) return;
  std::uint64_t& since = room.listing.waiting_since;
  const bool waits = since > 0;
  if (waits == (room.has_open_seat() && room.is_inhabited())) return;
  if (waits) {
    waiting_.erase(std::exchange(since, 0));
  } else {
    since = next_opening_++;
    waiting_.emplace(since, &room);
  }
}

std::string Lobby::free_name(std::string_view base, std::mt19937_64& random) const {
  return distinct_name(base, config_->limits.name_length, random,
                       [&](const std::string& name) { return by_name_.contains(name); });
}

void Lobby::list(std::string_view after, bool open_only, Time now, v1::RoomList& out) const {
  for (auto room = by_name_.upper_bound(after); room != by_name_.end(); ++room) {
    if (open_only && (room->second->needs_password() || !room->second->has_open_seat())) continue;
    if (static_cast<std::size_t>(out.rooms_size()) >= config_->limits.rooms_per_list) {
      out.set_more(true);
      return;
    }
    room->second->describe_to(*out.add_rooms(), now);
  }
}

void Lobby::describe_to(v1::ServerInfo& info, int most) const {
  info.set_rooms(static_cast<std::uint32_t>(by_name_.size()));
  info.set_open_rooms(static_cast<std::uint32_t>(waiting_.size()));
  for (auto room = waiting_.begin(); room != waiting_.end() && info.listed_size() < most; ++room) {
    list_open(*room->second, info);
  }
  int looked_at = 0;
  constexpr int most_looked_at = 256;
  for (auto room = by_name_.begin();
       room != by_name_.end() && info.listed_size() < most && looked_at < most_looked_at;
       ++room, ++looked_at) {
    const Room& locked = *room->second;
    if (locked.needs_password() && locked.has_open_seat() && locked.is_inhabited()) {
      list_open(locked, info);
    }
  }
}

}  // namespace tictactoe::core
