#include "tests/bench/load/gathering.hpp"

#include <unistd.h>

#include "tests/bench/load/failure.hpp"

namespace tictactoe::load {
namespace {

v1::Rules to_wire(const rules::Rules& rules) {
  v1::Rules wire;
  wire.set_rows(static_cast<std::uint32_t>(rules.rows));
  wire.set_cols(static_cast<std::uint32_t>(rules.cols));
  wire.set_k(static_cast<std::uint32_t>(rules.k));
  wire.set_exact(!rules.overline_wins);
  return wire;
}

}  // namespace

Gathering::Gathering(const Target& target, const GatheringPlan& plan)
    : plan_(plan), fleet_(target, plan.at_once, *this) {
  for (std::size_t room = 0; room < plan_.rooms; ++room) {
    rooms_.emplace_back(room, plan_.rules, plan_.seed + room);
  }
  members_.resize(plan_.rooms * members_per_room());
}

void Gathering::gather(const std::function<void(std::size_t)>& progress) {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const std::size_t place = i % members_per_room();
    members_[i].room = i / members_per_room();
    members_[i].seat = place == 0 ? v1::MARK_X : place == 1 ? v1::MARK_O : v1::MARK_NONE;
    members_[i].connection = &fleet_.open();
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

// Everybody in a room is told of everybody who comes later.
bool Gathering::all_have_seen_all() const {
  for (std::size_t i = 1; i < members_.size(); ++i) {
    const bool same_room = members_[i].room == members_[i - 1].room;
    if (same_room && members_[i].revision != members_[i - 1].revision) return false;
  }
  return true;
}

// The process's number keeps two generators at one server apart.
std::string Gathering::room_name(std::size_t room) const {
  return "load-" + std::to_string(getpid()) + "-" + std::to_string(room);
}

void Gathering::welcomed(Connection& connection) {
  Member& member = members_[connection.index];
  const bool room_is_there = this->member(member.room, 0).entered;
  if (member.seat == v1::MARK_X || room_is_there) enter(member);
}

void Gathering::enter(Member& member) {
  v1::ClientMessage request;
  const std::string name = room_name(member.room);
  if (member.seat == v1::MARK_X) {
    request.mutable_create_room()->set_name(name);
    *request.mutable_create_room()->mutable_rules() = to_wire(plan_.rules);
  } else if (member.seat == v1::MARK_O) {
    request.mutable_join_room()->set_name(name);
  } else {
    request.mutable_watch_room()->set_name(name);
  }
  fleet_.send(*member.connection, request);
}

void Gathering::has_entered(Member& member, const v1::RoomSnapshot& snapshot) {
  if (snapshot.name() != room_name(member.room) || snapshot.your_seat() != member.seat ||
      snapshot.rules().SerializeAsString() != to_wire(plan_.rules).SerializeAsString() ||
      snapshot.starter() != v1::MARK_X || snapshot.game() != 1 || snapshot.moves_size() != 0) {
    throw Failure("This is not the room that was asked for: " + snapshot.ShortDebugString());
  }
  member.entered = true;
  member.revision = snapshot.revision();
  ++entered_;
  if (member.seat != v1::MARK_X) return;
  for (std::size_t place = 1; place < members_per_room(); ++place) {
    Member& other = this->member(member.room, place);
    if (other.connection->welcome) enter(other);
  }
}

void Gathering::received(Connection& connection, const v1::ServerMessage& message,
                         Clock::time_point now) {
  Member& member = members_[connection.index];
  if (listener_) return listener_(member, message, now);
  if (!member.entered && message.has_snapshot() &&
      message.request_id() == connection.last_request) {
    return has_entered(member, message.snapshot());
  }
  const v1::RoomUpdate& update = message.update();
  const bool comes_and_goes = update.has_seat_changed() || update.has_watchers_changed();
  if (!member.entered || message.request_id() != 0 || !comes_and_goes ||
      update.revision() != member.revision + 1) {
    throw Failure("While people come into a room this is out of place: " +
                  message.ShortDebugString());
  }
  member.revision = update.revision();
}

}  // namespace tictactoe::load
