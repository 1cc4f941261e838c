// One room: two seats, watchers, and one game after the other.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/base/deadlines.hpp"
#include "server/room/player_requests.hpp"
#include "server/room/seating.hpp"

namespace tictactoe::server {

/// The authority on one room. A request either succeeds or is refused. If it succeeds, the room
/// records what must last, announces the change to everybody in it with one RoomUpdate, and
/// increments the revision. seating() has the requests of people who come and go, requests() those
/// of players during and after a game.
class Room {
 public:
  /// `config` must outlive the room.
  Room(RoomSettings settings, const Config& config) : state_(std::move(settings), config) {}

  /// The room's entries in tables of its owner, which the room does not use.
  struct Listing {
    Deadlines::Place deadline;
    std::uint64_t waiting_since = 0;  ///< number of its opening; 0: not waiting
    std::uint64_t changed_at = 0;     ///< number of its last change; 0: in no log
    bool is_open = false;             ///< in the list of open rooms
    bool is_open_later = false;       ///< in the list of rooms with a seat after this game
  };
  Listing listing;

  /// Loads a saved room. The people on its seats are away, its clock stands as saved, and its
  /// revision is higher than any that was announced. Null if the saved room is invalid.
  static std::unique_ptr<Room> load(const journal::v1::SavedRoom& saved, const Config& config,
                                    const FindPlayer& find_player, Time now);
  /// Begins the first game from this position. Requires a new room.
  void begin_from(const StartPosition& position) { state_.game.begin_from(position); }

  const std::string& name() const { return state_.settings.name; }
  std::uint64_t serial() const { return state_.settings.serial; }
  const RoomSettings& settings() const { return state_.settings; }
  const RoomState& state() const { return state_; }
  /// True if nobody watches or has a seat. AIs don't count.
  bool empty() const { return state_.seats.empty(); }
  /// Whether the room closes when this player, who is in it, leaves. O(watchers).
  bool closes_without(const Player& player) const { return state_.seats.has_only(player); }

  RoomOutput& output() { return output_; }
  const RoomOutput& output() const { return output_; }
  Seating& seating() { return seating_; }
  const Seating& seating() const { return seating_; }
  PlayerRequests& requests() { return requests_; }

  /// When to call deadline_reached(); nothing if nothing is due.
  std::optional<Time> next_deadline() const { return timing_.next_deadline(); }
  /// Does what is due. Returns the players who lost their seats.
  std::vector<PlayerId> deadline_reached(const RequestContext& context);
  /// The result of a Think of this room. Ignored if outdated.
  void thought(std::uint64_t number, const ThoughtResult& result, const RequestContext& context) {
    playing_.thought(number, result, context);
  }
  /// Cancels all thoughts and frees the AI players, because the room closes.
  void stop_thinking(Effects& effects) { state_.thinking.release(effects); }
  /// Like stop_thinking(), but leaves hint requests unanswered: the room moves to another server,
  /// where the clients repeat them.
  void give_up(Effects& effects) { state_.thinking.give_up(effects); }
  /// Stops the clocks until resume(), because nothing can be recorded.
  void pause(Time now) { timing_.pause(now); }
  void resume(Time now) { timing_.resume(now); }

 private:
  RoomState state_;
  RoomOutput output_{state_};
  Timing timing_{state_};
  Playing playing_{state_, output_, timing_};
  Seating seating_{state_, output_, timing_, playing_};
  PlayerRequests requests_{state_, output_, playing_};
};

}  // namespace tictactoe::server
