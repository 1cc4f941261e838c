// The host: a whole server as a deterministic state machine, without sockets, clocks or threads.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "common/wire/frame.hpp"
#include "server/core/config.hpp"
#include "server/core/effects.hpp"
#include "server/core/lobby.hpp"
#include "tictactoe/v1/client.pb.h"

namespace tictactoe::core {

/// Connections, lobby and rooms. Things happen to it, each with the time; it answers with effects,
/// which the caller carries out and clears before the next call. The same calls with the same seed
/// give the same effects, byte for byte. Not thread-safe.
class Host {
 public:
  /// `seed` is where all randomness comes from.
  Host(Config config, std::uint64_t seed);

  // What happens to it. A call with the id of a connection that is gone does nothing.

  /// Somebody has connected: the id to name them by from now on. One too many is told so and
  /// closed by the effects.
  ConnectionId connected(Time now);
  /// A whole frame has come from them: `body` should be a ClientMessage.
  void received(ConnectionId from, std::string_view body, Time now);
  /// Their bytes can't be cut into frames any more. They are told why and closed.
  void cannot_read(ConnectionId from, wire::FrameFault fault, Time now);
  /// Their connection is gone, or was given up by the shell.
  void disconnected(ConnectionId gone, Time now);
  /// The time of next_deadline() has come.
  void deadline_reached(Time now);
  /// The answer to a Think.
  void thought(ThoughtId id, ai::Choice choice, Time now);
  /// The server ends: everybody is told and closed.
  void stop();

  /// When deadline_reached() is wanted; nothing while nothing is due. Changes with every call.
  std::optional<Time> next_deadline() const;
  Effects& effects() { return effects_; }

  std::size_t connections() const { return people_; }
  std::size_t rooms() const { return lobby_.size(); }

 private:
  struct Peer {
    std::uint32_t generation = 0;
    bool present = false;
    bool welcome = false;
    std::string name;
    Room* room = nullptr;
    Time hello_due;
    // Token bucket: requests that may be made at once, as of `refilled`.
    double tokens = 0;
    Time refilled;
  };

  /// Something that is due at a time: an AI's move in a room, or a connection's hello.
  struct Deadline {
    Time at;
    enum class Kind : std::uint8_t { hello, ai } kind;
    std::uint64_t key;  // the connection's slot, or the room's serial
    friend auto operator<=>(const Deadline&, const Deadline&) = default;
  };

  Peer* find(ConnectionId id);
  Person person(const Peer& peer, ConnectionId id) const { return {id, peer.name}; }
  void forget(Peer& peer, std::uint32_t slot);
  void refuse(Asker asker, const Problem& problem);
  /// Tells why, closes, and forgets the connection.
  void expel(ConnectionId id, v1::Error error, Time now, std::uint64_t request_id = 0);
  void vacate(Peer& peer, ConnectionId id, Time now);
  /// Why this request is one too many just now; nothing, and a token taken, where it is not.
  Refused over_rate(Peer& peer, Time now);
  /// After anything that happened to a room: brings the lobby and the deadlines up to date, and
  /// closes the room where it is empty.
  void settle(Room& room);

  void handle(Peer& peer, Asker asker, const v1::ClientMessage& message, Time now);
  Refused handle_lobby(Peer& peer, Asker asker, const v1::ClientMessage& message, Time now);
  Refused handle_room(Peer& peer, Asker asker, const v1::ClientMessage& message, Time now);
  void hello(Peer& peer, Asker asker, const v1::Hello& hello, Time now);
  void list_rooms(Asker asker, const v1::ListRooms& request);
  Refused create_room(Peer& peer, Asker asker, const v1::CreateRoom& request, Time now);
  Refused join_room(Peer& peer, Asker asker, const v1::JoinRoom& request, Time now);
  Refused watch_room(Peer& peer, Asker asker, const v1::WatchRoom& request);
  Refused play(Peer& peer, Asker asker, Time now);
  Refused leave_room(Peer& peer, Asker asker, Time now);
  Refused open_and_sit(Peer& peer, Asker asker, std::string name, const rules::Rules& rules,
                       std::string password, rules::Mark seat, Time now);

  Config config_;
  std::mt19937_64 random_;
  Lobby lobby_;
  Effects effects_;
  v1::ClientMessage message_;  // reused from frame to frame
  std::vector<Peer> peers_;    // by slot
  std::vector<std::uint32_t> free_slots_;
  std::size_t people_ = 0;
  std::unordered_set<std::string> names_;
  std::set<Deadline> deadlines_;
  std::unordered_map<std::uint64_t, Time> ai_deadlines_;  // by serial, as it stands in deadlines_
};

}  // namespace tictactoe::core
