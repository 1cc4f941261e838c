// Adding and forgetting players, and their seats and names while they are away.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <utility>

#include "server/lobby/tables.hpp"
#include "server/people/absences.hpp"
#include "server/people/directory.hpp"
#include "server/people/request_context.hpp"

namespace tictactoe::server {

/// Keeps players, rooms, names, records and held seats consistent. Sends nothing to those
/// concerned.
class People {
 public:
  explicit People(Tables& tables) : tables_(tables) {}

  /// Adds and records a new player. Null if there is no place for one more.
  const Player* add(const Directory::Identity& identity, const std::string& token_hash, Time now);
  void record(const Player& player, bool has_new_token = false);
  void forget(const Player& player);
  /// Forgets some of the players who have been idle too long.
  void forget_idle(Time now);
  /// Frees the name of a forgotten player early. Returns false if it was not held.
  bool release_held_name(PlayerId id);

  /// The player of this connection has said hello.
  void connect(const Player& player, ConnectionId connection, Origin origin);
  /// The player has lost the connection. Holds a seat; removes a watcher from the room.
  void disconnect(const Player& player, Time now);
  /// Begins or ends the hold of an absent player's seat.
  void hold_seat(const Player& player, Time now) { absences_.begin(player, now); }
  void end_hold(const Player& player) { absences_.end(player.id); }
  void leave_room(const Player& player, const RequestContext& context);
  /// Must be called after the room itself has removed the player.
  void note_left(const Player& player);

 private:
  bool make_place(Time now);
  void record_forgotten(PlayerId player);
  void release_held_names(Time now);
  void end_excess_holds(PlayerId latest, Time now);

  Tables& tables_;  // for the references below
  const Config& config_ = tables_.config;
  Effects& effects_ = tables_.effects;
  const Availability& availability_ = tables_.availability;
  Players& players_ = tables_.players;
  const Logins& logins_ = tables_.logins;
  LobbyFeed& feed_ = tables_.feed;
  RoomTable& rooms_ = tables_.rooms;
  Directory& directory_ = *tables_.directory;
  Absences absences_{config_.limits, tables_.ledger};
  std::deque<std::pair<Time, PlayerId>>
      held_names_;  // of forgotten players, with the time since then
};

}  // namespace tictactoe::server
