// The directory: which players and rooms have which names, and where they are. It contains all that
// the servers of a lobby have to agree on.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "server/base/effects.hpp"
#include "server/base/origin.hpp"
#include "server/limits/parse.hpp"
#include "server/people/players.hpp"
#include "tictactoe/journal/v1/journal.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::server {

/// Asynchronous operations may answer before they return or later. Answers arrive on the thread of
/// the host, each exactly once, in any order. The host handles no further request of a connection
/// until the operations for it are answered. `from` is the peer that an operation is for; peers are
/// served round robin.
///
/// A claim lasts until it is released or dropped, even if the answer is no longer needed. The
/// caller releases a claim once it has recorded the end of the player or room, and drops a claim
/// that it has not recorded. A released name stays taken on the other servers until that record is
/// durable.
///
/// Players and rooms come to a server in two ways: it restores its own from its journal at the
/// start, and while it runs it adopts those of other servers. "Restore" and "adopt" mean this
/// everywhere.
class Directory {
 public:
  template <class T>
  using Answer = std::function<void(T answer, Time now)>;

  /// A player as others know them.
  struct Identity {
    PlayerId id = 0;
    std::string name;
  };
  /// One of the servers that share a lobby: its players and rooms. This server is one, too.
  struct LobbyServer {
    std::uint64_t stream = 0;  ///< identifies the server: the stream of its events
    std::string address;       ///< HOST:PORT, for clients
    std::string key;           ///< see v1::ServerAddress
  };
  struct LocatedPlayer {
    PlayerId id = 0;  ///< 0: none, or elsewhere
    std::optional<LobbyServer> elsewhere = std::nullopt;
    /// A player of another server that this one must adopt now. Reported once.
    std::optional<journal::v1::Player> adopted = std::nullopt;
    bool is_unknown_now = false;  ///< not known at present: ask again later
  };
  struct LocatedRoom {
    std::uint64_t serial = 0;  ///< 0: none, or elsewhere
    std::optional<LobbyServer> elsewhere = std::nullopt;
    bool is_listed_elsewhere = false;
    bool is_unknown_now = false;  ///< not known at present: ask again later
  };
  /// A name for a new room, and where its counters begin.
  struct RoomClaim {
    std::uint64_t serial = 0;  ///< never used before
    std::uint64_t revision = 0;
    std::string name;
  };
  /// Which names may be claimed. A name is taken if a look-alike is in use: see name_rules.hpp.
  enum class Naming : std::uint8_t {
    exact,   ///< exactly the given one; refused if taken
    similar  ///< a variant of it if it is taken
  };

  virtual ~Directory() = default;

  // Players.
  /// Finds the player with this token.
  virtual void find_player(const std::string& token_hash, Origin from, Time now,
                           Answer<LocatedPlayer> answer) = 0;
  /// Claims a new player, named `requested_name` or similar. Never assigns the name of a login.
  /// Answers without an id if it is currently unknown which names are taken.
  virtual void claim_player(const std::string& requested_name, const std::string& token_hash,
                            Origin from, Time now, Answer<Identity> answer) = 0;
  /// Finds the player with exactly this name, or claims a new one with this token. For a client
  /// that has proved that it owns the name. A player with a look-alike name keeps it.
  virtual void log_in(const std::string& name, const std::string& token_hash, Origin from, Time now,
                      Answer<LocatedPlayer> answer) = 0;
  /// Replaces the token of a player of this server. The host records it, which informs the others.
  virtual void renew_token(PlayerId id, const std::string& token_hash) = 0;
  /// Whether this is, or looks like, the name of a login.
  virtual bool is_login(const std::string& name) const = 0;
  /// The name of a player of this server; empty if unknown.
  virtual std::string name_of(PlayerId id) const = 0;
  /// The player of this server with exactly this name; 0 if there is none.
  virtual PlayerId id_of(const std::string& name) const = 0;
  virtual void release_player(PlayerId id) = 0;
  virtual void drop_player(PlayerId id) = 0;
  /// The player now belongs to another server, with everything claimed for them.
  virtual void hand_over_player(PlayerId id) = 0;
  /// One page of the connected players, from the first name after `after`.
  virtual void list_players(const std::string& after, Time now, Answer<v1::PlayerList> answer) = 0;

  // Rooms.
  /// Claims a name for a new room of this player, or says why it can't.
  virtual void claim_room(const std::string& name, Naming naming, PlayerId creator, Origin from,
                          Time now, Answer<Parsed<RoomClaim>> answer) = 0;
  /// Why claim_room() would refuse this. Claims nothing. As if the room `without` of this server
  /// were closed; 0: none.
  virtual void check_claim(const std::string& name, Naming naming, PlayerId creator,
                           std::uint64_t without, Origin from, Time now,
                           Answer<Refused> answer) = 0;
  /// The room is closed. From now on no room begins below `revision`.
  virtual void release_room(std::uint64_t serial, std::uint64_t revision) = 0;
  /// The room was never opened.
  virtual void drop_room(std::uint64_t serial) = 0;
  /// The room now belongs to another server, with its name.
  virtual void hand_over_room(std::uint64_t serial) = 0;
  /// Whether find_room() would ask a database, which costs more than a look-up on this server.
  virtual bool asks_for_room(const std::string& /*name*/) { return false; }
  /// Finds the room with this name.
  virtual void find_room(const std::string& name, Origin from, Time now,
                         Answer<LocatedRoom> answer) = 0;
  /// Finds the room that Play enters: listed, without a password, with an open seat and somebody
  /// present. Among these, except the room `except` of this server, the one that has waited
  /// longest.
  virtual void find_open_room(std::uint64_t except, Time now, Answer<LocatedRoom> answer) = 0;
  /// One page of the listed rooms, from the first name after `after`. `open_only`: only rooms
  /// without a password and with an open seat.
  virtual void list_rooms(const std::string& after, bool open_only, Time now,
                          Answer<v1::RoomList> answer) = 0;

  // Names and numbers of restored and adopted players and rooms. These answer at once: false if the
  // number, the name or the token is in use. Even a refused number is not assigned again.
  virtual bool register_player(const Identity& player, const std::string& token_hash) = 0;
  virtual bool register_room(const RoomClaim& room, PlayerId creator) = 0;
  /// From now on no room begins below this revision.
  virtual void raise_revision(std::uint64_t revision) = 0;
};

}  // namespace tictactoe::server
