// The host: a whole server as a deterministic state machine, without sockets, clocks or threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/wire/frame.hpp"
#include "server/host/at_table.hpp"
#include "server/host/entering.hpp"
#include "server/host/front_door.hpp"
#include "server/host/restoring.hpp"
#include "server/host/social.hpp"
#include "server/lobby/lobby_news.hpp"

namespace tictactoe::admin::v1 {
class Request;
class Response;
}  // namespace tictactoe::admin::v1

namespace tictactoe::server {

/// Connections, players and rooms. The caller reports each event with its time, carries out the
/// effects, and clears them before the next call. The records among the effects of one call belong
/// together: all of them are kept, or none. The same calls with the same seed and tokens give the
/// same effects, byte for byte. Not thread-safe.
class Host {
 public:
  using ChooseDirectory = server::ChooseDirectory;

  /// All randomness comes from `seed`, except the tokens.
  Host(Config config, std::uint64_t seed, TokenSource tokens, const ChooseDirectory& choose = {});

  /// Restores the state that a journal holds. Call it before anything else. All players are away
  /// afterwards. Adds every player and room that is valid, and reports those that are not: a bad
  /// name, a number that occurs twice, a room whose seated player was refused, moves against the
  /// rules. The effects record the restored rooms again, with revisions that were never used, and
  /// record that the refused players and rooms are gone: copy those before you record anything.
  RestoreReport restore(const journal::v1::Saved& saved, Time now) {
    return restoring_.restore(saved, now);
  }
  /// Adopts players and rooms of another server, as restore() does, while this one runs.
  RestoreReport adopt(const journal::v1::Saved& saved, Time now) {
    return restoring_.adopt(saved, now);
  }
  /// Names all servers that share their players and rooms, this one among them, for the welcome.
  void set_servers(std::vector<Directory::Server> servers) {
    front_door_.set_servers(std::move(servers));
  }
  /// Applies what other servers have changed. Disconnects players who have been banned.
  void apply(const LobbyNews& news, Time now);

  /// Replaces the names of accounts, which need a password. Connected players stay. Call it before
  /// restore(), and whenever they have changed.
  void set_logins(Logins logins) { tables_.logins = std::move(logins); }

  /// Applies what can change at run time: `server_name`, `lobby_chat`, `ai_delay` and
  /// `server_password_hash`, and of the limits `default_grace`, `name_hold`, `rooms`,
  /// `rooms_per_player`, `watchers_per_room`, `requests_per_second` and `request_burst`. Connected
  /// clients stay. They keep the limits from their welcome, but the new rates apply to them. O(1).
  void change_settings(const Config& wanted);

  // Events. A call with the id of a closed connection does nothing.

  /// A peer has connected. Returns the id of its connection. If there are too many connections, the
  /// effects close one of them and say why.
  ConnectionId connected(Origin origin, Time now);
  /// The peer has sent a message. `message` is null if it could not be parsed.
  void received(ConnectionId from, const v1::ClientMessage* message, Time now);
  /// Parses an encoded ClientMessage for received(). Null if that fails. Valid until the effects
  /// are cleared.
  const v1::ClientMessage* parse(std::string_view body);
  /// Whether a request of this connection waits for an answer from outside. Until the effect
  /// ResumeReading, received() must not be called for this connection, so that its requests are
  /// handled in order.
  bool is_waiting(ConnectionId id) const;
  /// The shell has stopped (`paused`) or resumed reading from this peer. A paused peer is never
  /// closed as silent; its silence counts from when reading resumes.
  void reading_paused(ConnectionId id, bool paused, Time now) {
    tables_.connections.reading_paused(id, paused, now);
  }
  /// The peer's bytes can't be split into frames any more. The effects say why and close it.
  void cannot_read(ConnectionId from, wire::FrameFault fault, Time now);
  /// The peer has sent something other than a frame, such as an HTTP request. Charges a token for
  /// it. Returns false if there is none.
  bool pay(ConnectionId id, Time now);
  /// Everything this connection has paid for was answered, and it has not said hello. Until it
  /// calls pay() again, it gives way to a new connection if its address or network has too many.
  void served(ConnectionId id) { tables_.connections.set_idle(id, true); }
  /// The peer has sent a request as a text of this many bytes, which has to be converted before
  /// received(). Charges tokens besides those of the request, see request_costs.hpp. Refuses the
  /// request and returns false if there are too few.
  bool pay_for_text(ConnectionId id, std::size_t bytes, std::uint64_t request_id, Time now);
  /// A TLS handshake begins. Returns false if its address or network has begun too many.
  bool begin_handshake(ConnectionId id, Time now);
  /// Where an open connection comes from.
  Origin origin(ConnectionId id) const { return tables_.connections.find(id)->origin; }
  /// The peer's transport has given a sign of life.
  void heard(ConnectionId id, Time now);
  /// The peer's transport has sent something that is no request but causes work, such as a ping. It
  /// costs a token, and too many close the connection.
  void controlled(ConnectionId id, Time now);
  /// The connection is lost, or the shell has closed it. `reason`: for the log.
  void disconnected(ConnectionId gone, Time now, std::string_view reason = {}) {
    replies_.disconnect(gone, now, reason);
  }
  /// The time of next_deadline() has come.
  void deadline_reached(Time now);
  /// The answer to a Think.
  void thought(ThoughtId id, const ThoughtResult& result, Time now);
  /// The answer to a LookUp.
  void looked_up(ConnectionId from, std::uint64_t request_id, const LookUpAnswer& answer);
  /// The answer to a LookUp for a CreateRoom.
  void position_found(ConnectionId from, const LookUpAnswer& answer, Time now);
  /// The answer to a DeriveKey; empty if there was not enough memory.
  void key_derived(std::uint64_t id, const std::string& key, Time now) {
    passwords_.key_derived(id, key, now);
  }
  void recording(Recording recording, Time now);  ///< the journal's health has changed
  /// The server's owner asks or commands something. Fills in the response; an unknown command is
  /// answered by a Failure. Bounded, but finding a room costs O(rooms).
  void owner_asks(const admin::v1::Request& request, Time now, admin::v1::Response& response);
  /// The server will stop: every player gets a notice, no new game begins, and running games have
  /// until `now + within`.
  void drain(std::chrono::milliseconds within, Time now);
  /// Whether drain() is over: no game runs any more, or their time is up.
  bool is_drained(Time now) const {
    return !handover_.is_giving(now) && (tables_.rooms.running() == 0 || now >= drained_at_);
  }
  /// Hands at most `max` rooms over to another server, because this one will stop. Records them as
  /// moved, with the players who have seats in them, forgets them, and sends everybody in them
  /// there. Returns how many; fewer if many people are in them, and none while nothing can be
  /// recorded. A request for a new room within the next second is redirected there as well.
  std::size_t give_rooms(const Directory::Server& to, std::size_t max, Time now) {
    return handover_.give_rooms(to, max, now);
  }
  /// The server stops: peers get an error with the sentence `why`, or are sent to `others`, and are
  /// closed, some in each call. Returns whether there are more; until then only connections that
  /// end are reported.
  bool stop(Time now, const std::vector<Directory::Server>& others = {},
            const std::string& why = stopping_sentence);

  /// When deadline_reached() has to be called; nothing if nothing is due. Any call can change it.
  std::optional<Time> next_deadline() const;
  Effects& effects() { return tables_.effects; }

  /// Fills in the answer to a discovery query, with at most `max` rooms. It may contain changes
  /// that are not recorded yet. See RoomTable::describe_to for the cost.
  void describe_to(v1::ServerInfo& info, int max) const;

  Population population() const;  ///< O(rooms)
  const Counts& counts() const { return tables_.effects.counts; }
  std::size_t connections() const { return tables_.connections.size(); }
  std::size_t rooms() const { return tables_.rooms.size(); }
  std::size_t players() const { return tables_.players.size(); }
  std::size_t connected_players() const { return tables_.players.connected(); }

 private:
  class Owner;  // answers owner_asks(), in owner.cpp

  void handle(const RequestContext& context, const v1::ClientMessage& message);
  /// Handles a request that may enter or leave a room.
  Refused handle_move_between_rooms(const RequestContext& context,
                                    const v1::ClientMessage& message);
  bool handle_due(const Deadline& deadline, Time now);
  void expel_overdue(ConnectionId id, Deadline::Kind kind, Time now);
  void room_deadline(std::uint64_t serial, Time now);

  Tables tables_;
  People people_{tables_};
  Replies replies_{tables_, people_};
  Passwords passwords_{tables_, replies_};
  Banning banning_{tables_, people_, replies_};
  Restoring restoring_{tables_, people_, banning_};
  Handover handover_{tables_, people_, replies_, passwords_};
  FrontDoor front_door_{tables_, people_, replies_, passwords_, banning_, handover_, restoring_};
  Entering entering_{tables_, people_, replies_, passwords_, handover_};
  Social social_{tables_, replies_};
  AtTable at_table_{tables_, people_, replies_, social_};
  Time drained_at_;
};

}  // namespace tictactoe::server
