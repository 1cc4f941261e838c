// The host: a whole server as a deterministic state machine, without sockets, clocks or threads.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/wire/frame.hpp"
#include "server/core/absences.hpp"
#include "server/core/attempts.hpp"
#include "server/core/bans.hpp"
#include "server/core/config.hpp"
#include "server/core/connections.hpp"
#include "server/core/deadlines.hpp"
#include "server/core/directory.hpp"
#include "server/core/effects.hpp"
#include "server/core/host_parts.hpp"
#include "server/core/invitations.hpp"
#include "server/core/key_queue.hpp"
#include "server/core/ledger.hpp"
#include "server/core/lobby_feed.hpp"
#include "server/core/lobby_news.hpp"
#include "server/core/logins.hpp"
#include "server/core/look_up_answer.hpp"
#include "server/core/look_ups.hpp"
#include "server/core/notices.hpp"
#include "server/core/origin.hpp"
#include "server/core/players.hpp"
#include "server/core/recording.hpp"
#include "server/core/request_context.hpp"
#include "server/core/restore_report.hpp"
#include "server/core/room_table.hpp"
#include "server/core/secrets.hpp"
#include "tictactoe/journal/v1/journal.pb.h"
#include "tictactoe/v1/client.pb.h"

namespace tictactoe::admin::v1 {
class Request;
class Response;
}  // namespace tictactoe::admin::v1

namespace tictactoe::core {

/// Connections, players and rooms. The caller reports each event with its time, carries out the
/// effects, and clears them before the next call. The records among the effects of one call belong
/// together: all of them are kept, or none. The same calls with the same seed and tokens give the
/// same effects, byte for byte. Not thread-safe.
class Host {
 public:
  /// Replaces the directory of this server alone, or wraps it.
  using ChooseDirectory =
      std::function<std::unique_ptr<Directory>(std::unique_ptr<Directory> local)>;

  /// All randomness comes from `seed`, except the tokens.
  Host(Config config, std::uint64_t seed, TokenSource tokens, const ChooseDirectory& choose = {});
  Host(const Host&) = delete;  // its parts refer to its config
  Host& operator=(const Host&) = delete;

  /// Restores the state that a journal holds. Call it before anything else. All players are away
  /// afterwards. Takes every player and room that is valid, and reports those that are not: a bad
  /// name, a number that occurs twice, a room whose seated player was refused, moves against the
  /// rules. Its effects record the restored rooms again, with revisions that were never used, and
  /// that the refused players and rooms are gone: keep a copy of these before you record anything.
  RestoreReport restore(const journal::v1::Saved& saved, Time now);

  /// Takes over players and rooms of another server, as restore() does, while this one runs.
  RestoreReport adopt(const journal::v1::Saved& saved, Time now);
  /// Names all servers that share their players and rooms, this one among them. For the welcome.
  void set_servers(std::vector<Directory::Server> servers) { servers_ = std::move(servers); }
  /// Takes over what other servers have changed. Who is banned now has to go.
  void follow(const LobbyNews& news, Time now);

  /// Replaces the names of accounts, which need a password. A player who is connected stays. Call
  /// it before restore(), and whenever they have changed.
  void set_logins(Logins logins) { logins_ = std::move(logins); }

  /// Takes over what of a configuration can change at run time: `server_name`, `lobby_chat`,
  /// `ai_delay` and `server_password_hash`, and of the limits `default_grace`, `name_hold`,
  /// `rooms`, `rooms_per_player`, `watchers_per_room`, `requests_per_second` and `request_burst`.
  /// Who is there stays, keeps the limits of the welcome, and pays by the new rates. O(1).
  void change_settings(const Config& wanted);

  // Events. A call with the id of a connection that is closed does nothing.

  /// A peer has connected. Returns the id of its connection. If there are too many connections, the
  /// effects say so and close this one.
  ConnectionId connected(Origin origin, Time now);
  /// The peer has sent a message; null: one that is no ClientMessage.
  void received(ConnectionId from, const v1::ClientMessage* message, Time now);
  /// An encoded ClientMessage for received(); null if `body` is none. Valid until the effects are
  /// cleared.
  const v1::ClientMessage* parse(std::string_view body);
  /// Whether a request of this connection waits for an answer from outside. Until the effect
  /// ResumeReading, received() must not be called for this connection, so that its requests are
  /// handled in order.
  bool is_waiting(ConnectionId id) const;
  /// The shell has stopped (`paused`) or resumed reading from this peer. A peer that is not read is
  /// never closed as silent; its silence counts from when reading resumes.
  void reading_paused(ConnectionId id, bool paused, Time now);
  /// The peer's bytes can't be split into frames any more. The effects say why and close it.
  void cannot_read(ConnectionId from, wire::FrameFault fault, Time now);
  /// The peer has sent something that is no frame, as an HTTP request, which costs a token. Returns
  /// false if there is none.
  bool pays(ConnectionId id, Time now);
  /// This connection has not said hello, and all that it has paid for was answered. Until it pays()
  /// again, it is closed if its address or network has too many connections, so that a new one
  /// finds a place. Does nothing if it is closed or has said hello.
  void served(ConnectionId id) { connections_.set_idle(id, true); }
  /// The peer has sent a request as a text of so many bytes, which has to be converted before
  /// received(). This costs tokens beside those of the request, see request_costs.hpp. If there are
  /// too few, the request is refused, and false is returned.
  bool pays_for_text(ConnectionId id, std::size_t bytes, std::uint64_t request_id, Time now);
  /// A TLS handshake begins. Returns false if its address or its network has begun too many.
  bool begins_handshake(ConnectionId id, Time now);
  /// Where an open connection comes from.
  Origin origin(ConnectionId id) const { return connections_.find(id)->origin; }
  /// The peer's transport has given a sign of life.
  void heard(ConnectionId id, Time now);
  /// The peer's transport has sent something that is no request but causes work, as a ping. It
  /// costs a token, and too many close the connection.
  void controlled(ConnectionId id, Time now);
  /// The connection is lost, or the shell has closed it. `reason`: for the log.
  void disconnected(ConnectionId gone, Time now, std::string_view reason = {});
  /// The time of next_deadline() has come.
  void deadline_reached(Time now);
  /// The answer to a Think.
  void thought(ThoughtId id, const ThoughtResult& result, Time now);
  /// The answer to a LookUp.
  void looked_up(ConnectionId from, std::uint64_t request_id, const LookUpAnswer& answer);
  /// The answer to a LookUp for a CreateRoom.
  void position_found(ConnectionId from, const LookUpAnswer& answer, Time now);
  /// The answer to a DeriveKey; empty if there was not enough memory.
  void key_derived(std::uint64_t id, const std::string& key, Time now);
  void recording(Recording recording, Time now);  ///< the journal's health has changed
  /// The server's owner asks something, or commands it. Fills in the response; a command that this
  /// does not know is answered by a Failure. Bounded, but finding a room costs O(rooms).
  void owner_asks(const admin::v1::Request& request, Time now, admin::v1::Response& response);
  /// The server will stop: every player gets a notice, no new game begins, and running games have
  /// until `now + within`.
  void drain(std::chrono::milliseconds within, Time now);
  /// No game runs any more, or their time is over. Only after drain().
  bool is_drained(Time now) const {
    return !is_giving(now) && (rooms_.running() == 0 || now >= drained_at_);
  }
  /// The server will stop, and that one goes on with at most `most` of its rooms: they are recorded
  /// as moved, with the players who have seats in them, and forgotten here. Everybody in them is
  /// sent there. Returns how many; fewer if many people are in them, and none while nothing can be
  /// recorded. Who asks for a new room within the next second is sent there, too.
  std::size_t give_rooms(const Directory::Server& to, std::size_t most, Time now);
  /// The server stops: peers get an error with the sentence `why`, or are sent to `others`, and are
  /// closed, some in each call. Returns whether there are more; until then only connections that
  /// end are reported.
  bool stop(Time now, const std::vector<Directory::Server>& others = {},
            const std::string& why = "The server is being stopped.");

  /// When deadline_reached() has to be called; nothing if nothing is due. Any call can change it.
  std::optional<Time> next_deadline() const;
  Effects& effects() { return effects_; }

  /// What the answer to a discovery query says, with at most `most` rooms. It may contain changes
  /// that are not recorded yet. See RoomTable::describe_to for the cost.
  void describe_to(v1::ServerInfo& info, int most) const;

  Population population() const;  ///< O(rooms)
  const Counts& counts() const { return effects_.counts; }
  std::size_t connections() const { return connections_.size(); }
  std::size_t rooms() const { return rooms_.size(); }
  std::size_t players() const { return players_.size(); }
  std::size_t connected_players() const { return players_.connected(); }

 private:
  void went_away(const Player& player, Time now);
  void forget_connection(ConnectionId id, Time now);
  /// For the log.
  static LogEvent& describe_connection(ConnectionId id, const Peer& peer, LogEvent& event);

  // Answers.
  void refuse(const RequestContext& context, const Problem& problem);
  void answer(const RequestContext& context, const v1::ServerMessage& message,
              Durability durability = Durability::after_records);
  /// Sends the reason, closes the connection and forgets it.
  void expel(ConnectionId id, v1::Error error, Time now, std::uint64_t request_id = 0);
  /// A request that changes something was refused, or is done.
  void finish(const RequestContext& context, const Refused& refused);

  // The directory. A request that asks it continues in a function that is called with the answer.
  /// Makes the connection of this request wait, and returns the taker of the answer. This ends the
  /// waiting and calls `next(Peer*, const RequestContext&, T)`. The peer is null if its connection
  /// is gone: what was claimed for it has to be released then.
  template <class T, class Next>
  Directory::Answer<T> when_answered(const RequestContext& context, Next next);
  /// The call with this connection's frame ends: it may still be waiting.
  void note_waiting(ConnectionId id);

  // Passwords.
  /// Calls `next(const Peer*, const RequestContext&, const std::optional<std::string>& key)`, as
  /// when_answered() does. There is no key if there was no place or no memory for it.
  template <class Next>
  Refused ask_key(const RequestContext& context, const std::string& password, PasswordKey with,
                  Next next);
  /// Calls `next(const RequestContext&, bool is_right)`. Counts as an attempt, and is refused if
  /// there were too many that failed. Takes as long whether it is right or wrong.
  template <class Next>
  Refused try_password(const RequestContext& context, Secret secret, const std::string& password,
                       const PasswordKey& with, Next next);
  Refused begin_attempt(Secret secret, Origin from, Time now);
  /// Begins an attempt at a password whose key would have to be derived.
  Refused begin_key_attempt(Secret secret, Origin from, Time now);
  /// `right`: nothing if the password was not tried.
  void end_attempt(Secret secret, Origin from, std::optional<bool> right, Time now);
  /// The attempts at all secrets of the same kind together; null if they are not counted.
  Attempts* attempts_at_all(Secret::Of of);
  /// A client has named a room that is in no list. Counts as an attempt if it can't enter it.
  Refused count_name(bool is_right, Origin from, Time now);
  /// Without a key: with a salt that was never used, or one that nothing opens with.
  PasswordKey fresh_key();
  PasswordKey unused_key() const;

  // Time.
  void room_deadline(std::uint64_t serial, Time now);
  bool handle_due(const Deadline& deadline, Time now);
  void expel_overdue(ConnectionId id, Deadline::Kind kind, Time now);
  void forget_idle(Time now);

  // Other servers that share the players and rooms.
  /// True, and answered, if a player or a room is not here. Sends the client there, and its player.
  bool is_elsewhere(const RequestContext& context, const std::optional<Directory::Server>& server,
                    bool is_unknown_now);
  bool is_elsewhere(const RequestContext& context, const Directory::FoundRoom& found);
  void redirect(const RequestContext& context, const Directory::Server& server);
  void hand_over(const RequestContext& context, const Directory::Server& server);
  void refuse_for_now(const RequestContext& context);
  std::size_t give_room(const Room& room, const Directory::Server& to, const Farewell& farewell,
                        Time now);
  void record_moved(const Player& player, const Directory::Server& to);
  bool is_giving(Time now) const { return giving_ && now < giving_->until; }
  void arrive(const journal::v1::Player& player, Time now);  ///< from another server

  // Restoring.
  RestoreReport take(const journal::v1::Saved& saved, Time now);
  std::string restore_player(const journal::v1::Player& player, Time now);
  std::string restore_room(const journal::v1::SavedRoom& saved, Time now);
  void record_refused(const RestoreReport::Refused& refused, std::uint64_t revision);

  // Bans.
  /// Whether nobody from there, or of that name, may play here. Then the connection is closed.
  bool is_banned(const RequestContext& context, const auto& subject);
  std::size_t enforce(const journal::v1::Ban& ban, const RequestContext& context);
  void expel_banned(ConnectionId id, const journal::v1::Ban& ban, const RequestContext& context);
  void restore_bans(const journal::v1::Saved& saved, Time now);
  void follow(const journal::v1::Saved& bans, const RequestContext& context);
  void remove_old_bans(Time now);
  void record_unbanned(const journal::v1::BanSubject& subject);

  // Players.
  void find_token(const RequestContext& context, const v1::Hello& hello);
  void find_plain_token(const RequestContext& context, const v1::Hello& hello);
  void greet(const RequestContext& context, const v1::Hello& hello);
  Refused check_server_password(const RequestContext& context, const v1::Hello& hello);
  Refused check_account(const RequestContext& context, const Login& login, const v1::Hello& hello);
  void log_in(const RequestContext& context, const v1::Hello& hello);
  Origin origin_of(const RequestContext& context) const {
    return connections_.find(context.connection)->origin;
  }
  void record_player(const Player& player, bool has_new_token = false);
  bool refuse_hello(const RequestContext& context);
  void hello(Peer& peer, const RequestContext& context, const v1::Hello& hello);
  Refused too_many_newcomers(const RequestContext& context);
  void register_player(const RequestContext& context, const std::string& name);
  void welcome_newcomer(const Peer* asking, const RequestContext& context,
                        const Directory::Identity& identity, const std::string& token_hash,
                        const Welcoming& how);
  const Player* add_player(const Directory::Identity& identity, const std::string& token_hash,
                           Time now);
  void welcome(const RequestContext& context, const Player& player, const Welcoming& how);
  void resume(const RequestContext& context, const Player& player, const v1::Hello& hello,
              const Token* token);
  void goodbye(const RequestContext& context);
  bool evict_player(Time now);
  void release_evicted(Time now);
  bool release_if_evicted(PlayerId id);
  void record_forgotten(PlayerId player);
  void forget_player(const Player& player);
  void vacate(const Player& player, const RequestContext& context);
  /// The player is in no room any more. The room knows.
  void leave(const Player& player);
  /// If too many seats are held for players from there, the longest hold ends.
  void limit_absences(PlayerId latest, Time now);
  void closing(Room& room, const RequestContext& context);

  class Owner;  // answers owner_asks(), in host_owner.cpp

  // Requests.
  /// Charges for a request. Refuses it if one of those who pay has too few tokens.
  Refused over_rate(const Peer& peer, double cost, Time now);
  /// Charges for the announcements since the last call of this.
  void charge_receivers(const Peer& peer, Time now);
  /// Refuses a request as one too many, or closes a connection that has had too many of these.
  void refuse_excess(const Peer& peer, const RequestContext& context, const Problem& problem);
  /// Why nothing can be changed, or no game can begin, now.
  Refused cannot_record() const;
  Refused no_new_games() const;
  /// Why the client of this request can't begin a game now: there were too many.
  Refused too_many_games(const RequestContext& context) const;
  /// Makes a change by which a game may begin in this room, and charges for that game.
  template <class Change>
  Refused begin_game(const RequestContext& context, const Room& room, Change change);
  void handle(Peer& peer, const RequestContext& context, const v1::ClientMessage& message);
  void get_snapshot(const RequestContext& context);
  void handle_in_room(const Peer& peer, const RequestContext& context,
                      const v1::ClientMessage& message);
  void refuse_hint(const Peer& peer, const RequestContext& context);
  /// Charges the room, or the lobby with 0, for a line that so many people get.
  Refused over_chat_rate(const RequestContext& context, std::uint64_t room, std::size_t receivers);
  Refused say(Room& room, const std::string& text, const RequestContext& context);
  Refused say_in_lobby(const RequestContext& context, const std::string& said);
  /// Counts an invitation.
  Refused over_invitations(const Player& guest, const RequestContext& context);
  Refused invite(const Room& room, const RequestContext& context, const std::string& player);
  Refused change_room(Room& room, const v1::ClientMessage& message, const RequestContext& context);
  void move(const Room& room, const RequestContext& context, const v1::Move& move);
  void look_up(const RequestContext& context, const v1::ClientMessage& message);

  // Entering and leaving rooms, and lists. What these functions do not refuse, they answer, or the
  // functions that continue them do.
  Refused handle_lobby(const RequestContext& context, const v1::ClientMessage& message);
  static Problem in_another_room(const Room& room);
  static Problem no_records();
  Refused create_room(const RequestContext& context, const v1::ClientMessage& message);
  Refused create_room(const RequestContext& context, const v1::CreateRoom& request,
                      const rules::Rules& rules, std::shared_ptr<const StartPosition> position);
  Refused find_position(const RequestContext& context, const v1::ClientMessage& message);
  Refused create_from(const RequestContext& context, const v1::CreateRoom& request,
                      const LookUpAnswer& answer);
  void claim_room(const RequestContext& context, NewRoom room, Directory::Naming naming);
  Refused cannot_change_now() const;
  Refused too_many_rooms(const Peer& creator, const rules::Rules& rules) const;
  void hold_room(const Room& room, Time now);
  void release_room(const Room& room, Time now);
  Refused open_and_sit(const RequestContext& context, const NewRoom& wanted,
                       const Directory::RoomClaim& claim);
  Refused sit(const RequestContext& context, const Room& room, rules::Mark seat);
  void join_room(const RequestContext& context, const v1::JoinRoom& request);
  void join_found_room(const RequestContext& context, std::uint64_t serial,
                       const v1::JoinRoom& request);
  Refused join(const RequestContext& context, const Room& room, rules::Mark seat);
  Refused watch_room(const RequestContext& context, const v1::WatchRoom& request);
  Refused watch(const RequestContext& context, const Room& room);
  template <class Enter>
  void enter_with_password(const RequestContext& context, std::uint64_t serial,
                           const RoomCredentials& credentials, Enter enter);
  Refused play(const RequestContext& context);
  void open_for_play(const RequestContext& context);
  Refused leave_room(const RequestContext& context);
  void list_rooms(const RequestContext& context, const v1::ListRooms& request);
  void list_players(const RequestContext& context, const v1::ListPlayers& request);
  void list_members(const Room& room, const RequestContext& context,
                    const v1::ListMembers& request);
  void watch_lobby(const RequestContext& context, const v1::WatchLobby& request);

  Config config_;
  std::mt19937_64 random_;
  TokenSource tokens_;
  Effects effects_;
  Deadlines deadlines_;
  Ledger ledger_;
  Absences absences_;
  Invitations invitations_;
  Connections connections_;
  Players players_;
  Logins logins_;
  Bans bans_;
  SharedBans shared_bans_;
  std::vector<Directory::Server> servers_;
  LobbyFeed feed_;
  Notices notices_;
  RoomTable rooms_;
  LookUps look_ups_;
  std::deque<std::pair<Time, PlayerId>> evicted_;  // their names are taken until then
  std::unique_ptr<Directory> directory_;
  KeyQueue keys_;
  Attempts attempts_;       // at each room, and so on
  Attempts room_attempts_;  // at all listed rooms together
  Attempts name_attempts_;  // at all names that are in no list
  Recording recording_ = Recording::good;
  bool draining_ = false;
  Time drained_at_;
  std::optional<Giving> giving_;
  std::uint64_t stopped_room_ = 0;  // the last one whose clocks are recorded
  std::uint32_t stopped_slot_ = 0;  // connections before it are closed
};

}  // namespace tictactoe::core
