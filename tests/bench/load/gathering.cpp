#include "tests/bench/load/gathering.hpp"

#include "tests/bench/load/failure.hpp"

namespace tictactoe::load {

Gathering::Gathering(const std::vector<Target>& targets, const GatheringPlan& plan,
                     Protocol& protocol)
    : plan_(plan),
      protocol_(protocol),
      fleet_(targets, plan.at_once, protocol, *this),
      doors_(plan.rooms) {
  for (std::size_t room = 0; room < plan_.rooms; ++room) {
    rooms_.emplace_back(room, plan_.rules, plan_.seed + room, protocol);
  }
  members_.resize(plan_.rooms * members_per_room());
}

void Gathering::gather(const std::function<void(std::size_t)>& progress) {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    members_[i].place = {i / members_per_room(), i % members_per_room()};
    members_[i].seat = seat_of(members_[i].place.index);
    members_[i].connection = &fleet_.open(members_[i].place.room + members_[i].place.index);
  }
  std::size_t before = 0;
  auto last_change = Clock::now();
  while (entered_ < members_.size() || !all_have_seen_all()) {
    fleet_.poll(std::chrono::milliseconds(1));
    const std::size_t now = fleet_.welcomed() + entered_;
    if (now != std::exchange(before, now)) {
      last_change = Clock::now();
      progress(entered_);
    } else if (Clock::now() - last_change > plan_.patience) {
      throw Failure(std::to_string(entered_) + " of " + std::to_string(members_.size()) +
                    " have got to their places, and nothing goes on any more.");
    }
  }
  for (std::size_t room = 0; room < rooms_.size(); ++room) {
    rooms_[room].begin(member(room, 0).revision);
  }
}

// Everybody in a room gets an update about everybody who comes later.
bool Gathering::all_have_seen_all() const {
  for (std::size_t i = 1; i < members_.size(); ++i) {
    const bool same_room = members_[i].place.room == members_[i - 1].place.room;
    if (same_room && members_[i].revision != members_[i - 1].revision) return false;
  }
  return true;
}

void Gathering::welcomed(Connection& connection) {
  let_in(members_[connection.index].place.room);
}

void Gathering::let_in(std::size_t room) {
  Door& door = doors_[room];
  if (door.knocked || door.inside == members_per_room()) return;
  Member& next = member(room, door.inside);
  if (next.connection == nullptr || !next.connection->welcome) return;
  door.knocked = true;
  protocol_.enter(next.place, ++next.connection->last_request, exchange_);
  fleet_.send(*next.connection, exchange_.request);
}

void Gathering::received(Connection& connection, std::string_view body, Clock::time_point now) {
  Member& member = members_[connection.index];
  const auto [room, index] = member.place;
  if (listener_) return listener_(member, body, now);
  if (member.entered) {
    if (!protocol_.is_arrival(room, member.revision, body)) {
      throw Failure("While people come into a room this is out of place: " + protocol_.text(body));
    }
    ++member.revision;
    return;
  }
  if (const auto address = protocol_.redirection(body)) {
    doors_[room].knocked = false;
    return fleet_.move(connection, *address);
  }
  if (index != doors_[room].inside || !doors_[room].knocked ||
      !protocol_.is_entry(member.place, connection.last_request, body, member.revision,
                          rooms_[room].game())) {
    throw Failure("This is not the room that was asked for: " + protocol_.text(body));
  }
  member.entered = true;
  ++entered_;
  doors_[room] = {doors_[room].inside + 1, false};
  let_in(room);
}

}  // namespace tictactoe::load
