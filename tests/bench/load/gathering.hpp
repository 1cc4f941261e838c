// The way into the rooms, which every kind of load that has rooms begins with.
#pragma once

#include <functional>
#include <vector>

#include "tests/bench/load/fleet.hpp"
#include "tests/bench/load/room.hpp"

namespace tictactoe::load {

struct GatheringPlan {
  std::size_t rooms = 50;
  std::size_t watchers = 0;  // of each room
  rules::Rules rules;
  std::uint64_t seed = 1;
  std::size_t at_once = 256;  // connections on their way to their welcome
  std::chrono::seconds patience{20};
};

/// Rooms with two players each, and watchers, that have all come and do nothing yet.
class Gathering : private Owner {
 public:
  /// `protocol` outlives the gathering.
  /// The members of a room come to one target after the other, and so do the first of each room.
  Gathering(const std::vector<Target>& targets, const GatheringPlan& plan, Protocol& protocol);

  /// A member of a room.
  struct Member {
    Place place;
    v1::Mark seat = v1::MARK_NONE;
    bool entered = false;
    std::uint64_t revision = 0;  // the latest seen
    Connection* connection = nullptr;
  };

  /// Connects all and brings them to their places. Throws Failure if that takes more than the
  /// plan's patience without anything going on. `progress` is called now and then.
  void gather(const std::function<void(std::size_t entered)>& progress);

  Fleet& fleet() { return fleet_; }
  const Fleet& fleet() const { return fleet_; }
  std::vector<Room>& rooms() { return rooms_; }
  const std::vector<Room>& rooms() const { return rooms_; }
  std::vector<Member>& members() { return members_; }
  /// X and O come first, then the watchers.
  Member& member(std::size_t room, std::size_t place) {
    return members_[room * members_per_room() + place];
  }
  Member& player(std::size_t room, v1::Mark seat) {
    return member(room, seat == v1::MARK_X ? 0 : 1);
  }
  std::size_t members_per_room() const { return 2 + plan_.watchers; }

  /// The listener for messages after all have gathered.
  using Listener = std::function<void(Member&, std::string_view body, Clock::time_point received)>;
  void listen(Listener listener) { listener_ = std::move(listener); }

 private:
  /// The members of a room, who come one after the other.
  struct Door {
    std::size_t inside = 0;
    bool knocked = false;  // the next one has asked to come in
  };

  void welcomed(Connection& connection) override;
  void received(Connection& connection, std::string_view body, Clock::time_point now) override;
  void let_in(std::size_t room);
  bool all_have_seen_all() const;

  GatheringPlan plan_;
  Protocol& protocol_;
  Fleet fleet_;
  std::vector<Room> rooms_;
  std::vector<Member> members_;  // by connection
  std::vector<Door> doors_;      // by room
  std::size_t entered_ = 0;
  Exchange exchange_;  // reused
  Listener listener_;
};

}  // namespace tictactoe::load
