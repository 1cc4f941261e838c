// The events of a session, for the front ends. Data only: sentences are in client/words.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

#include "client/model/lists.hpp"
#include "client/model/room.hpp"
#include "client/model/time.hpp"
#include "client/session/credentials.hpp"
#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::client {

/// Why there is no connection, or why a session has ended.
struct Cause {
  enum class Kind : std::uint8_t {
    none,           ///< as asked for
    unreachable,    ///< `detail`: the system's reason
    untrusted,      ///< `detail`: sentences about the server's key
    no_welcome,     ///< no answer to the hello
    not_let_in,     ///< the server has received the hello, and has not answered
    lost,           ///< `detail`: the system's reason
    no_answer,      ///< while coming back
    silent,         ///< no sign of life
    closed,         ///< by the server, see `error`
    refused,        ///< the hello was, see `error`
    replaced,       ///< another program has come back as this player
    other_version,  ///< `detail`: the version of the server
    nonsense,       ///< `detail`: what the server sent
    passed_on,      ///< from server to server, too often in a row
  };
  Kind kind = Kind::none;
  std::string detail;
  v1::Error error;
};

/// How a session ended.
struct Ending {
  int status = 0;  ///< for the operating system: 0 as asked for, 1 server lost, 2 bad name
  Cause cause;
  /// How long the server was looked for in vain; 0 if it was not.
  std::chrono::seconds patience{0};
  Asks asks = Asks::nothing;  ///< trying again with this password may succeed
  bool keeps_seat = false;    ///< the server holds the player's seat
};

// Events refer to data that lives only during the call of on_event().

/// The server has received the hello. Its answer takes long.
struct AdmissionDelayed {};
/// The first welcome.
struct Welcomed {
  const v1::Welcome& welcome;
  bool had_token = false;  ///< from an earlier session
};
/// The welcome after a lost connection.
struct WelcomedBack {
  bool resumed = false;
  std::string lost_room;  ///< the room in which the player's seat is lost; empty if none
};
/// The welcome at another server of the lobby, to which the client was redirected.
struct Moved {
  std::string address;  ///< sanitized
};
/// Everything that was missed has arrived.
struct CaughtUp {
  bool changed = false;  ///< the board, or whose turn it is
};
/// A snapshot has come: Session::room() is new.
struct RoomShown {
  bool known = false;          ///< it is the same room as before
  bool repeated_move = false;  ///< the answer to a move that was played already
  std::size_t first_new_chat = 0;
};
/// An update was applied to Session::room().
struct RoomChanged {
  const v1::RoomUpdate& update;
  Mark seat_before = Mark::none;
  Phase phase_before = Phase::waiting;
  bool catching_up = false;  ///< CaughtUp follows
};
struct RoomLeft {
  std::string name;
};
/// After coming back: the room can't be watched any more.
struct WatchingEnded {
  std::string name;
  const v1::Error& error;
};
struct Refused {
  const v1::Error& error;
  const v1::ClientMessage* request = nullptr;  ///< null if it is not known
};
/// A request was not sent.
struct NotSent {
  enum class Reason : std::uint8_t { no_room, no_connection, too_long, not_your_turn };
  Reason reason;
};
/// Session::rooms() is new; `complete` is false if the server has more.
struct RoomsListed {
  bool complete = true;
};
/// While the lobby is watched: Session::rooms() has changed, or the number of players has.
struct LobbyChanged {};
/// Session::players() is new; `complete` is false if the server has more.
struct PlayersListed {
  bool complete = true;
};
/// Session::members() is new.
struct MembersListed {};
/// Somebody invites the player to a room.
struct InvitationCame {
  std::string from;
  ListedRoom room;
};
/// The server has delivered an invitation; `player` is sanitized.
struct InvitationSent {
  std::string player;
};
/// A line of chat in the lobby.
struct LobbySaid {
  const ChatLine& line;
};
/// Session::games() has a new page; `page` is as the server sent it.
struct GamesListed {
  const v1::GameList& page;
};
struct GameFound {
  const v1::GameRecord& game;
};
struct HintGiven {
  Cell cell;
  Mark mark = Mark::none;
  bool current = true;       ///< false if the position has changed since
  bool cannot_lose = false;  ///< proven; otherwise a suggestion
};
struct Noticed {
  const v1::Notice& notice;
};
/// The connection is lost; the session tries to come back for `patience`.
struct ConnectionLost {
  const Cause& cause;
  std::chrono::seconds patience;
};
/// The next try is in `wait`. `cause` is empty if ConnectionLost has reported it.
struct RetryScheduled {
  const Cause& cause;
  milliseconds wait;
  /// If not empty, the next try is at once, at this other server of the lobby (sanitized).
  std::string another = {};  // NOLINT(readability-redundant-member-init)
};
/// The connection was lost while a line for the lobby or an invitation was in flight. Whether it
/// arrived is unknown.
struct PerhapsLost {};
using SessionEvent = std::variant<AdmissionDelayed, Welcomed, WelcomedBack, Moved, CaughtUp,
                                  RoomShown, RoomChanged, RoomLeft, WatchingEnded, Refused, NotSent,
                                  RoomsListed, LobbyChanged, PlayersListed, MembersListed,
                                  InvitationCame, InvitationSent, LobbySaid, GamesListed, GameFound,
                                  HintGiven, Noticed, ConnectionLost, RetryScheduled, PerhapsLost>;

/// Receives every event as it happens; the session already has the state after it.
class Subscriber {
 public:
  virtual void on_event(const SessionEvent& event) = 0;

 protected:
  ~Subscriber() = default;
};

}  // namespace tictactoe::client
