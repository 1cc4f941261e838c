// The host: a whole server as a deterministic state machine, without sockets, clocks or threads.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "common/wire/frame.hpp"
#include "server/core/config.hpp"
#include "server/core/deadlines.hpp"
#include "server/core/effects.hpp"
#include "server/core/lobby.hpp"
#include "server/core/players.hpp"
#include "server/core/request_context.hpp"
#include "server/core/request_costs.hpp"
#include "server/core/secrets.hpp"
#include "server/core/token_bucket.hpp"
#include "tictactoe/journal/v1/journal.pb.h"
#include "tictactoe/v1/client.pb.h"

namespace tictactoe::core {

/// How well what must last can be written down.
enum class Recording : std::uint8_t {
  well,
  low,      ///< little space is left: no new games, those that are played go on
  stalled,  ///< nothing can be written: nothing that would have to be is granted
};

/// What Host::restore did not take, and why. Their numbers are not used again.
struct RestoreReport {
  enum class Kind : std::uint8_t { player, room };
  struct Refused {
    Kind kind = Kind::player;
    std::uint64_t id = 0;  ///< the player's id, or the room's serial
    std::string why;       ///< a sentence for the server's owner
  };
  std::vector<Refused> refused;
};

/// A connection as the host knows it.
struct Peer {
  Peer(const TokenBucket& for_requests, const TokenBucket& for_refusals)
      : tokens(for_requests), refusals(for_refusals) {}

  Player* player = nullptr;  // once welcome
  std::uint64_t origin = 0;
  Time last_heard;              // afterwards
  bool reading_paused = false;  // by the shell: its silence is not the peer's fault
  Deadlines::Place deadline;    // of the hello, then of silence
  TokenBucket tokens;           // pays for requests
  TokenBucket refusals;         // pays for requests that were refused as too many
  std::size_t look_ups = 0;     // without an answer yet
};

/// Charges for an answer to this kind of request that has so many moves in it.
inline void charge(Peer& peer, v1::ClientMessage::RequestCase request, int moves) {
  peer.tokens.charge(cost_of_moves(request, moves));
}

/// Players, connections, lobby and rooms. Things happen to it, each with the time; it answers with
/// effects, which the caller carries out and clears before the next call. The records among the
/// effects of one call belong together: all of them are kept, or none. The same calls with the same
/// seed and tokens give the same effects, byte for byte. Not thread-safe.
class Host {
 public:
  /// `seed` is where all randomness comes from but for the tokens.
  Host(Config config, std::uint64_t seed, TokenSource tokens);
  Host(const Host&) = delete;  // its parts know where its config is
  Host& operator=(const Host&) = delete;

  /// Restores the state that a journal holds. Call it before anything else. All players are away
  /// afterwards. Takes every player and room that is valid, and reports those that are not: a bad
  /// name, a number that occurs twice, a room whose seated player was refused, moves against the
  /// rules. Its effects record the restored rooms again, with revisions that were never used, and
  /// that the refused players and rooms are gone: keep a copy of these before you record anything.
  RestoreReport restore(const journal::v1::Saved& saved, Time now);

  // What happens to it. A call with the id of a connection that is gone does nothing.

  /// Somebody has connected: the id to name them by from now on. `origin` stands for their address:
  /// the same for all of one IPv4 address or one IPv6 /64 network. One too many is told so and
  /// closed by the effects.
  ConnectionId connected(std::uint64_t origin, Time now);
  /// A whole frame has come from them: `body` should be a ClientMessage.
  void received(ConnectionId from, std::string_view body, Time now);
  /// Whether a request of this connection waits for an answer from outside. Until the effect
  /// ResumeReading, received() must not be called for this connection, so that its requests are
  /// handled in order.
  bool is_waiting(ConnectionId id) const;
  /// The shell has stopped (`paused`) or resumed reading from this peer. A peer that is not read is
  /// never closed as silent; its silence counts from when reading resumes.
  void reading_paused(ConnectionId id, bool paused, Time now);
  /// Their bytes can't be cut into frames any more. They are told why and closed.
  void cannot_read(ConnectionId from, wire::FrameFault fault, Time now);
  /// Their connection is gone, or was given up by the shell.
  void disconnected(ConnectionId gone, Time now);
  /// The time of next_deadline() has come.
  void deadline_reached(Time now);
  /// The answer to a Think.
  void thought(ThoughtId id, const ThoughtResult& result, Time now);
  /// The answer to a LookUp: a GameList, a GameFound or an Error.
  void looked_up(ConnectionId from, std::uint64_t request_id, v1::ServerMessage answer);
  /// The journal fares otherwise than before.
  void recording(Recording recording, Time now);
  /// The server will end: everybody is told, no new game begins, and those that are played have
  /// until `now + within`.
  void drain(std::chrono::milliseconds within, Time now);
  /// No game is played any more, or their time is over. Only after drain().
  bool is_drained(Time now) const { return running_.empty() || now >= drained_at_; }
  /// The server ends: everybody is told and closed.
  void stop(Time now);

  /// When deadline_reached() is wanted; nothing while nothing is due. Changes with every call.
  std::optional<Time> next_deadline() const;
  Effects& effects() { return effects_; }

  /// What those are told who look for a server, with `most` rooms at the most. It does not wait for
  /// records, as what is said in a room does. See Lobby::describe_to for what it costs.
  void describe_to(v1::ServerInfo& info, int most) const;

  std::size_t connections() const { return people_; }
  std::size_t rooms() const { return lobby_.size(); }
  std::size_t players() const { return players_.size(); }

 private:
  struct Slot {
    std::uint32_t generation = 0;
    std::optional<Peer> peer;  // while there is a connection
  };

  // Connections.
  Peer* find(ConnectionId id);
  void forget(std::uint32_t slot);
  void refuse(const RequestContext& context, const Problem& problem);
  void answer(const RequestContext& context, const v1::ServerMessage& message,
              Durability durability = Durability::after_records);
  /// Tells why, closes, and forgets the connection.
  void expel(ConnectionId id, v1::Error error, Time now, std::uint64_t request_id = 0);
  std::optional<Problem> too_many(const Peer& peer) const;

  // Time.
  void watch_for_silence(Peer& peer, std::uint32_t slot);
  void check_silence(std::uint32_t slot, Time now);
  void room_deadline(std::uint64_t serial, Time now);
  void forget_idle(Time now);
  void set_room_deadline(Room& room, std::optional<Time> due);
  /// After anything that happened to a room: brings the lobby and the deadlines up to date, and
  /// closes the room where it is empty.
  void settle(Room& room);

  // Restoring.
  std::string restore_player(const journal::v1::Player& player, Time now);
  void record_refused(const RestoreReport::Refused& refused);

  // Players.
  void hello(Peer& peer, const RequestContext& context, const v1::Hello& hello);
  void welcome(Peer& peer, const RequestContext& context, Player& player, const Token* token);
  void resume(Peer& peer, const RequestContext& context, Player& player, const v1::Hello& hello);
  Player* new_player(const std::string& name, const std::string& token_hash);
  void forget_player(Player& player);
  void goodbye(Peer& peer, const RequestContext& context);
  void enter(Player& player, Room& room);
  void vacate(Player& player, const RequestContext& context);

  // Requests.
  /// Why this request is one too many just now; nothing, and paid for, if it is not.
  Refused over_rate(Peer& peer, double cost, Time now) const;
  /// Why nothing can be changed, or no game begun, just now.
  Refused cannot_record() const;
  Refused no_new_games() const;
  void handle(Peer& peer, const RequestContext& context, const v1::ClientMessage& message);
  Refused handle_lobby(Peer& peer, const RequestContext& context, const v1::ClientMessage& message);
  Refused handle_room(Room& room, const v1::ClientMessage& message, const RequestContext& context);
  Refused move(Peer& peer, Room& room, const RequestContext& context, const v1::Move& move);
  void list_rooms(const RequestContext& context, const v1::ListRooms& request);
  Refused look_up(Peer& peer, const RequestContext& context, const v1::ClientMessage& message);
  Refused create_room(Player& player, const RequestContext& context, const v1::CreateRoom& request);
  Refused join_room(Player& player, const RequestContext& context, const v1::JoinRoom& request);
  Refused watch_room(Player& player, const RequestContext& context, const v1::WatchRoom& request);
  Refused play(Player& player, const RequestContext& context);
  Refused leave_room(Player& player, const RequestContext& context);
  Refused sit(Player& player, Room& room, rules::Mark seat, const RequestContext& context);
  Refused open_and_sit(Player& player, const RequestContext& context, RoomSettings settings,
                       rules::Mark seat);

  Config config_;
  std::mt19937_64 random_;
  TokenSource tokens_;
  Players players_;
  Lobby lobby_;
  Effects effects_;
  std::deque<Slot> slots_;  // what is in them stays where it is in memory
  std::vector<std::uint32_t> free_slots_;
  std::size_t people_ = 0;
  std::size_t pending_ = 0;                                   // of them, without a hello
  std::unordered_map<std::uint64_t, std::size_t> by_origin_;  // connections
  Deadlines deadlines_;
  std::vector<Deadline> due_;  // reused
  std::size_t look_ups_ = 0;   // without an answer yet
  Recording recording_ = Recording::well;
  bool draining_ = false;
  Time drained_at_;
  std::unordered_set<std::uint64_t> running_;  // rooms that draining waits for, by serial
};

}  // namespace tictactoe::core
