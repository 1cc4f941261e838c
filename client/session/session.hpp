// The protocol of one player with one server, without I/O and without text for people: bytes and
// requests go in, bytes and events come out. It outlives its connections: if one is lost, it asks
// for another and resumes. Its owner (Driver, or a test) moves the bytes, has the clock, and calls
// deadline_reached() at next_deadline(). A front end makes requests and subscribes to the events.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "client/model/lists.hpp"
#include "client/model/room.hpp"
#include "client/model/time.hpp"
#include "client/session/credentials.hpp"
#include "client/session/events.hpp"
#include "client/session/heartbeat.hpp"
#include "client/session/listings.hpp"
#include "client/session/lobby.hpp"
#include "client/session/own_room.hpp"
#include "client/session/pending.hpp"
#include "client/session/retry_plan.hpp"
#include "client/session/server_choice.hpp"
#include "common/wire/frame.hpp"
#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::client {

/// The supported version of the protocol.
inline constexpr std::uint32_t protocol_version = 1;
/// Maximum size of a frame from a server, whatever limit it announces.
inline constexpr std::size_t max_server_frame_bytes = std::size_t{64} << 10;
/// Maximum number of consecutive snapshots requested because updates are inconsistent.
inline constexpr int max_resyncs = 5;

/// Time limit for a server's welcome and, after a lost connection, for what was missed.
inline constexpr milliseconds welcome_timeout{10'000};
/// Likewise once the server has confirmed the hello and waits for its disk or its database.
inline constexpr milliseconds received_timeout{60'000};
/// Time limit for connecting while other servers of the lobby can be tried.
inline constexpr milliseconds lobby_connect_timeout{3'000};
/// How long a leaving client waits for the server's confirmation.
inline constexpr milliseconds leave_timeout{2'000};
/// The longest retry_after_ms that is respected, and the wait if a server gives none.
inline constexpr milliseconds max_retry_delay{60'000};
inline constexpr milliseconds default_retry_delay{1'000};

class Session {
 public:
  struct Options {
    std::string name;      ///< the name that the player wants
    std::string server;    ///< HOST:PORT of the server that the person has named; empty if unknown
    std::string software;  ///< program and version, for the server's log
    /// Repeats requests that the server refuses because of a rate limit or because it can't record
    /// at the moment (CODE_RATE_LIMITED, CODE_CANNOT_RECORD). Lists are always repeated.
    bool retry_refused = false;
    /// Says goodbye at the end: the server keeps neither seat nor name.
    bool guest = false;
    /// The host is in this process: see LocalGame in client/player.
    bool local = false;
    Passwords passwords;
    /// Token from an earlier session; empty if none.
    std::string token;
    /// How long the client tries to reach a lost server; 0: not at all.
    std::chrono::seconds patience{0};
    std::uint64_t seed = 1;  ///< of the jitter of the waits
    /// Follows the lobby while the player is in no room.
    bool follow_lobby = false;
  };

  /// The state of the link to the server.
  enum class Link : std::uint8_t {
    connecting,   ///< a connection is being made
    greeting,     ///< hello was said
    catching_up,  ///< welcomed again; what was missed is arriving
    up,
    waiting,  ///< until it is time to try again
  };

  explicit Session(Options options);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// `subscriber` must outlive the session; null for none.
  void subscribe(Subscriber* subscriber) { subscriber_ = subscriber; }

  /// The token from an earlier session, as Options::token. Call before the first connected().
  void use_token(std::string token) {
    options_.token = token;
    token_.set(std::move(token));
  }

  /// `second` is the session of a second person at this terminal. While both have seats in one
  /// room, a request about the game is made by the session whose seat it is for: a move and a
  /// resignation by the side to move, a takeback by the side that has moved. `second` must outlive
  /// this, and its owner carries its bytes.
  void share_with(Session& second) { second_ = &second; }
  /// Reports an event of the second session to the subscriber.
  void report(const SessionEvent& event) { emit(event); }

  // Connection events. `now` never runs backwards.

  /// No connection could be made; `why` is a cause in a few words.
  void cannot_connect(std::string_view why, Time now);
  /// The server is not the intended one. Ends the session, unless other servers can be tried. `why`
  /// consists of sentences.
  void refuse_server(std::string_view why, Time now);
  /// The connection is established: sends the hello.
  void connected(Time now);
  /// Space for the server's next bytes; at least one.
  std::span<char> prepare() { return channel_.in.prepare(); }
  /// The first `count` bytes of prepare()'s space have been filled.
  void received(std::size_t count, Time now);
  /// The connection ended or broke; `why` is a cause in a few words.
  void connection_lost(std::string_view why, Time now);
  void deadline_reached(Time now);

  // Requests. Each is answered by events, or by NotSent if it can't be sent.

  void play(Time now) { ask<&v1::ClientMessage::mutable_play>(now); }
  /// Places the player's mark in the known position. Not sent while it is another player's turn.
  void place(Cell cell, Time now);
  /// Chats in the room or, outside of rooms, in the lobby, and follows the lobby from then on.
  void chat(const std::string& text, Time now);
  /// Requests all pages of the connected players, and of the people in the room. Has no effect
  /// while the same list is being loaded.
  void list_players(Time now) { ask<&v1::ClientMessage::mutable_list_players>(now); }
  void get_game(std::uint64_t id, Time now);
  /// Requests all pages of the list of rooms. Has no effect while it is being loaded.
  void list_rooms(Time now);
  /// Requests finished games, latest first (of `player`, or of everybody if empty), and more of
  /// them.
  void list_games(const std::string& player, Time now);
  void more_games(Time now);
  /// A request without fields, as ask<&v1::ClientMessage::mutable_hint>(now).
  template <auto mutable_request>
  void ask(Time now) {
    v1::ClientMessage message;
    (message.*mutable_request)();
    request(std::move(message), now);
  }
  /// Sends any other request, which has no id yet. Adds the number of the running game. A room is
  /// left for another one once the server has said that it will let the player enter that one, but
  /// never during a game of one's own, and never locally.
  void request(v1::ClientMessage message, Time now);
  /// Like request(), but never by the second session.
  void request_for_own_seat(v1::ClientMessage message, Time now);
  /// Leaves the room, says goodbye if a guest, and ends.
  void leave(Time now);
  /// Hides this player's chat and invitations. False if too many are muted.
  bool mute(const std::string& player);
  /// False if the player was not muted.
  bool unmute(const std::string& player) { return lobby_.unmute(player); }
  /// Ends without telling the server, which holds the seat as after a lost connection. A guest
  /// leaves instead, because the server keeps nothing for guests.
  void drop(Time now);

  // For the owner.

  /// Whether there should be a connection; false between two tries. When this becomes false, close
  /// the connection; when it becomes true, open a new one.
  bool wants_connection() const { return link_ != Link::waiting && !ending_; }
  /// The server of the lobby that this connection is for, as another server named it. Null: the one
  /// that the person named.
  const v1::ServerAddress* elsewhere() const { return servers_.elsewhere(); }
  /// Bytes for the server since the last call.
  std::string take_bytes() { return std::exchange(channel_.out, {}); }
  /// A token received since the last call, to be stored for the next session.
  std::optional<std::string> take_token() { return token_.take_new(); }
  /// When to call deadline_reached(), unless something happens earlier.
  std::optional<Time> next_deadline() const;
  /// Set at the end. Nothing happens after that.
  const std::optional<Ending>& ending() const { return ending_; }

  // State.

  /// The time of the last event.
  Time now() const { return now_; }
  Link link() const { return link_; }
  /// While catching up: whether the server has kept a seat for the player.
  bool takes_up_seat() const { return return_.takes_up_seat; }
  /// Whether the client is being redirected. People need not notice.
  bool is_moving() const { return return_.is_redirected; }
  bool is_guest() const { return options_.guest; }
  bool is_local() const { return options_.local; }
  /// Whether the server has received the hello and has not answered yet.
  bool is_being_let_in() const { return link_ == Link::greeting && received_until_; }
  /// When a lost server is tried again; set only while waiting.
  std::optional<Time> next_try() const { return link_ == Link::waiting ? until_ : std::nullopt; }
  /// Whether the server has ever welcomed us.
  bool is_welcomed() const { return self_.is_welcomed; }
  bool is_leaving() const { return is_leaving_; }
  /// The number of unanswered requests, and whether the player made any of them.
  std::size_t pending() const { return pending_.under_way().size(); }
  bool is_busy() const;
  /// Only once welcomed.
  const v1::Limits& limits() const { return self_.limits; }
  /// The name that was asked for.
  const std::string& wanted_name() const { return options_.name; }
  const Passwords& passwords() const { return options_.passwords; }
  /// Whether a password of that kind was sent. If the server still asks for it, it was wrong.
  bool gave_password(Asks asks) const {
    if (asks == Asks::nothing) return false;
    return !(asks == Asks::server_password ? passwords().server : passwords().account).empty();
  }
  /// Whether the player has another name because the wanted one belongs to an account whose
  /// password was not given.
  bool needs_account_password(const v1::Welcome& welcome) const {
    return !welcome.name_note().empty() && passwords().account.empty() && !is_local();
  }
  /// The player's name, and the server's (empty if it has none), sanitized.
  const std::string& me() const { return self_.name; }
  const std::string& server_name() const { return self_.server_name; }
  /// The room, null outside of rooms; and when the server sent its clocks.
  const Room* room() const { return own_.room ? &*own_.room : nullptr; }
  Time clocks_from() const { return own_.clocks_from; }
  /// The last complete list of rooms; nothing before the first.
  const std::optional<std::vector<ListedRoom>>& rooms() const { return lists_.rooms.whole(); }
  /// The last complete lists of people; nothing before the first.
  const std::optional<std::vector<ListedPlayer>>& players() const { return lists_.players.whole(); }
  const std::optional<Members>& members() const { return lists_.members.whole(); }
  /// See Muted::names.
  const std::map<std::string, std::string>& muted() const { return lobby_.muted().names(); }
  bool is_muted(const std::string& player) const { return lobby_.muted().contains(player); }
  /// The sender of the latest invitation; empty before the first.
  const std::string& last_inviter() const { return lobby_.last_inviter(); }
  /// The latest lines of the lobby's chat.
  const std::deque<ChatLine>& lobby_chat() const { return lobby_.chat(); }
  /// Finished games, latest first, nothing before the first list; and whether the server has more.
  const std::optional<std::vector<ListedGame>>& games() const { return lists_.games.games(); }
  bool has_more_games() const { return lists_.games.has_more(); }
  /// Whether a page of the games is being loaded.
  bool is_asking_for_games() const { return lists_.games.is_asking(); }
  /// See OwnRoom::hint.
  const HintedCell* hint() const { return own_.hint(); }
  /// The cell of an unanswered move in the current position.
  std::optional<Cell> sent_move() const;

 private:
  void end(int status, Cause cause, Asks asks = Asks::nothing);
  void end_with_nonsense(std::string what);
  void emit(const SessionEvent& event) {
    if (subscriber_) subscriber_->on_event(event);
  }

  // Requests (session.cpp).
  bool send(v1::ClientMessage message);
  Session& session_for(const v1::ClientMessage& message);
  void note_second_seat();
  bool must_retry(const v1::ClientMessage& asked) const;
  bool may_leave_for(const v1::ClientMessage& asked) const;
  void leave_for(const v1::ClientMessage& asked);
  void enter_next_room();
  void ask_games();
  void follow_lobby();

  // The link (session_link.cpp).
  void say_hello();
  void on_hello_answer(const v1::ServerMessage& message);
  void on_refused_hello(const v1::Error& error);
  void on_welcome(const v1::Welcome& welcome);
  void on_welcome_back(const v1::Welcome& welcome);
  void on_redirect(const v1::Redirect& redirect, const std::optional<v1::ClientMessage>& asked);
  void redirect_answered(std::uint64_t request_id);
  bool may_return() const { return is_welcomed() || servers_.was_redirected(); }
  /// The other side's open requests and the position they were made in; all zero if there are none.
  struct Wishes {
    bool draw = false;
    bool takeback = false;
    std::uint32_t game = 0;
    std::uint32_t ply = 0;
    std::uint32_t takebacks = 0;
    bool operator==(const Wishes&) const = default;
  };
  Wishes others_wishes() const;
  void close_link();
  void settle_if_caught_up();
  void settle();
  void lose(Cause cause);
  void wait_after_loss(Cause cause, bool was_connected);
  void wait_for_next_try(Cause cause);
  void wait_until(Time time);
  void no_answer();
  void try_another(Cause cause);
  void ping();

  // Messages (session.cpp).
  void on_frame(std::string_view body);
  void on_message(const v1::ServerMessage& message);
  void on_error(const v1::Error& error, const std::optional<v1::ClientMessage>& asked);
  void on_closing_error(const v1::Error& error);
  void on_snapshot(const v1::RoomSnapshot& snapshot, const std::optional<v1::ClientMessage>& asked);
  void on_update(const v1::RoomUpdate& update);
  void on_left();
  void on_hinted(const v1::Hinted& hinted);
  template <class List, class Page>
  void add_page(List& list, const Page& page, const SessionEvent& complete);
  void on_game_list(const v1::GameList& page);
  void on_lobby_update(const v1::LobbyUpdate& update);
  void on_invited(const v1::Invited& invited);
  void resync();
  void forget_room();

  Options options_;
  Subscriber* subscriber_ = nullptr;
  Session* second_ = nullptr;  // of a second person at this terminal
  Time now_;
  std::optional<Ending> ending_;

  // The connection, and the way back after it is lost.
  Link link_ = Link::connecting;
  /// While waiting, the time of the next try. Otherwise the limit for an answer, if one is awaited:
  /// to the hello and for what follows it, or to the goodbye.
  std::optional<Time> until_;
  /// The limit for the answer to a hello that the server has confirmed.
  std::optional<Time> received_until_;
  bool is_leaving_ = false;
  struct Channel {
    wire::FrameReader in{max_server_frame_bytes};
    std::string out;
    Heartbeat heartbeat;
  };
  Channel channel_;
  OwnToken token_;
  RetryPlan retry_plan_;
  ServerChoice servers_;
  Pending pending_;
  struct Return {
    bool is_redirected = false;  // until everything has arrived
    // Since the last welcome, while catching up.
    bool takes_up_seat = false;  // the player has one
    bool has_board_news = false;
    bool has_no_news = true;
    bool leaves_watched_room = false;  // which is at a server that the client has left
    Wishes answered;  // by lost requests: as they were when the connection was lost
  };
  Return return_;

  // As told by the server.
  struct Self {
    bool is_welcomed = false;
    v1::Limits limits;
    std::string name;
    std::string server_name;
  };
  Self self_;
  OwnRoom own_;
  /// The request to enter another room, while the present one is being left for it.
  std::optional<v1::ClientMessage> next_room_;
  Listings lists_;
  Lobby lobby_;
};

}  // namespace tictactoe::client
