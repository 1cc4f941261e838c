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
/// effects, and clears them before the next call. The records among the effects of one call are
/// kept together or not at all. The same calls with the same seed and tokens give the same effects,
/// byte for byte. Not thread-safe.
class Host {
 public:
  using ChooseDirectory = server::ChooseDirectory;

  /// All randomness comes from `seed`, except the tokens.
  Host(Config config, std::uint64_t seed, TokenSource tokens, const ChooseDirectory& choose = {});

  /// Restores the players, rooms and bans of a journal. Call it before anything else. All players
  /// are away afterwards. Reports the players and rooms that are invalid: a bad name, a duplicate
  /// number, a room whose seated player was refused, illegal moves. The effects record the restored
  /// rooms again, with revisions that were never used, and record that the refused players and
  /// rooms are gone: copy those before you record anything.
  RestoreReport restore(const journal::v1::Saved& saved, Time now) {
    return restoring_.restore(saved, now);
  }
  /// Adopts players and rooms of another server while this one runs. Otherwise like restore().
  RestoreReport adopt(const journal::v1::Saved& saved, Time now) {
    return restoring_.adopt(saved, now);
  }
  /// Sets the servers of the lobby, this one included, for the welcome.
  void set_servers(std::vector<Directory::LobbyServer> servers) {
    front_door_.set_servers(std::move(servers));
  }
  /// Applies changes by other servers. Disconnects players who have been banned.
  void apply(const LobbyNews& news, Time now);

  /// Replaces the logins. Connected players stay. Call it before restore(), and after every change.
  void set_logins(Logins logins) { tables_.logins = std::move(logins); }

  /// Applies the settings that can change at run time: `server_name`, `lobby_chat`, `ai_delay`,
  /// `ai_pace` and `server_password_hash`, and of the limits `default_grace`, `name_hold`, `rooms`,
  /// `rooms_per_player`, `watchers_per_room`, `requests_per_second` and `request_burst`. Connected
  /// clients stay. They keep the limits from their welcome, but the new rates apply to them. O(1).
  void change_settings(const Config& wanted);

  // Events. A call with the id of a closed connection has no effect.

  /// A peer has connected. Returns the id of its connection. If there are too many connections, the
  /// effects close one and say why.
  ConnectionId connected(Origin origin, Time now);
  /// The peer has sent a message. `message` is null if it could not be parsed.
  void received(ConnectionId from, const v1::ClientMessage* message, Time now);
  /// Parses an encoded ClientMessage. Null if it is malformed. Valid until the effects are cleared.
  const v1::ClientMessage* parse(std::string_view body);
  /// Whether a request of this connection waits for an answer from outside. Then received() must
  /// not be called for it until the effect ResumeReading, so that requests are handled in order.
  bool is_waiting(ConnectionId id) const;
  /// The shell has stopped (`paused`) or resumed reading from this peer. A paused peer is never
  /// closed as silent; its silence counts from when reading resumes.
  void reading_paused(ConnectionId id, bool paused, Time now) {
    tables_.connections.reading_paused(id, paused, now);
  }
  /// The peer's bytes can't be split into frames any more. Closes the connection and says why.
  void cannot_read(ConnectionId from, wire::FrameFault fault, Time now);
  /// The peer has sent something other than a frame, such as an HTTP request. Charges a token for
  /// it. Returns false if the peer has none.
  bool pay(ConnectionId id, Time now);
  /// Everything that this connection has paid for is answered, and it has not said hello. Until its
  /// next pay(), it gives way to a new connection if its address or network has too many.
  void served(ConnectionId id) { tables_.connections.set_idle(id, true); }
  /// The peer has sent a request as a text of this many bytes, to be converted before received().
  /// Charges tokens in addition to those of the request, see request_costs.hpp. If there are too
  /// few, refuses the request and returns false.
  bool pay_for_text(ConnectionId id, std::size_t bytes, std::uint64_t request_id, Time now);
  /// A TLS handshake begins. Returns false if its address or network has begun too many.
  bool begin_handshake(ConnectionId id, Time now);
  /// The origin of an open connection.
  Origin origin(ConnectionId id) const { return tables_.connections.find(id)->origin; }
  /// The peer's transport has given a sign of life.
  void heard(ConnectionId id, Time now);
  /// The peer's transport has sent something that is not a request but causes work, such as a ping.
  /// It costs a token, and too many close the connection.
  void controlled(ConnectionId id, Time now);
  /// The connection is lost, or the shell has closed it. `reason` is for the log.
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
  void set_journal_health(JournalHealth health, Time now);  ///< the journal's health has changed
  /// The server's owner asks or commands something. Fills in the response; an unknown command gets
  /// a Failure. Bounded work, but finding a room costs O(rooms).
  void owner_asks(const admin::v1::Request& request, Time now, admin::v1::Response& response);
  /// The server will stop. Notifies all players, begins no new game, and gives running ones until
  /// `now + within`.
  void drain(std::chrono::milliseconds within, Time now);
  /// Whether drain() is over: no game runs, or their time is up.
  bool is_drained(Time now) const {
    return !handover_.is_giving(now) && (tables_.rooms.running() == 0 || now >= drained_at_);
  }
  /// Hands at most `max` rooms over to another server, because this one will stop. Records them as
  /// moved with the players on their seats, forgets them, and redirects everybody in them. Returns
  /// how many: fewer if many people are in them, and none while nothing can be recorded. A request
  /// for a new room within the next second is redirected there as well.
  std::size_t give_rooms(const Directory::LobbyServer& to, std::size_t max, Time now) {
    return handover_.give_rooms(to, max, now);
  }
  /// The server stops. Sends each peer an error with the sentence `why`, or redirects it to one of
  /// `others`, and closes its connection; some of them in each call. Returns whether any are left.
  /// Until then, report only connections that end.
  bool stop(Time now, const std::vector<Directory::LobbyServer>& others = {},
            const std::string& why = stopping_sentence);

  /// When to call deadline_reached(); nothing if nothing is due. Any call can change it.
  std::optional<Time> next_deadline() const;
  Effects& effects() { return tables_.effects; }

  /// Fills in the answer to a discovery query, with at most `max` rooms. It may contain changes
  /// that are not recorded yet. RoomTable::describe_to has the cost.
  void describe_to(v1::ServerInfo& info, int max) const;

  Population population() const { return tables_.population(); }  ///< O(rooms)
  const Counts& counts() const { return tables_.effects.counts; }
  std::size_t connections() const { return tables_.connections.size(); }
  std::size_t rooms() const { return tables_.rooms.size(); }
  std::size_t players() const { return tables_.players.size(); }
  std::size_t connected_players() const { return tables_.players.connected(); }
  /// For the other servers of the lobby.
  const SaidInLobby& said_in_lobby() const { return tables_.feed.said(); }

 private:
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
