// Names: of players, by token and name, and of rooms. Everything that several servers would have to
// agree on.
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

/// Every operation with an answer may answer at once, before it returns, or later. Answers arrive
/// on the thread of the host, each exactly once, in any order. The host does not handle further
/// requests of a connection until the operations for it are answered. `from` is the peer that they
/// are for: peers take turns.
///
/// What an operation claims stays claimed until it is released or dropped. The caller must do that,
/// even if the answer is not needed any more: it releases what it has recorded to be gone, and
/// drops a claim of which it has recorded nothing. What is released stays taken at the other
/// servers until that record is durable.
class Directory {
 public:
  template <class T>
  using Answer = std::function<void(T answer, Time now)>;

  /// A player as others know it.
  struct Identity {
    PlayerId id = 0;
    std::string name;
  };
  /// One of several servers that share their players and rooms.
  struct Server {
    std::uint64_t stream = 0;  ///< of its events: names the server
    std::string address;       ///< HOST:PORT, for clients
    std::string key;           ///< see v1::ServerAddress
  };
  struct FoundPlayer {
    PlayerId id = 0;  ///< 0: there is none, or it is elsewhere
    std::optional<Server> elsewhere = std::nullopt;
    /// The player, who has come from another server and is not known to the host yet. Told once.
    std::optional<journal::v1::Player> arrived = std::nullopt;
    bool is_unknown_now = false;  ///< nobody can say now: ask again later
  };
  struct FoundRoom {
    std::uint64_t serial = 0;  ///< 0: there is none, or it is elsewhere
    std::optional<Server> elsewhere = std::nullopt;
    bool is_listed_elsewhere = false;
    bool is_unknown_now = false;  ///< nobody can say now: ask again later
  };
  /// A name that a new room may have, and where its counters begin.
  struct RoomClaim {
    std::uint64_t serial = 0;  ///< never used before
    std::uint64_t revision = 0;
    std::string name;
  };
  /// Which names may be claimed. A name is taken if one that looks like it is in use: see
  /// name_rules.hpp.
  enum class Naming : std::uint8_t {
    exact,   ///< the given one; refused if it is taken
    similar  ///< one made from it if it is taken
  };

  virtual ~Directory() = default;

  // Players.
  /// The player who has this token.
  virtual void find_player(const std::string& token_hash, Origin from, Time now,
                           Answer<FoundPlayer> answer) = 0;
  /// A new player, named `requested_name` or similar. Never has the name of a login. Without an id
  /// if nobody can say now which names are taken.
  virtual void claim_player(const std::string& requested_name, const std::string& token_hash,
                            Origin from, Time now, Answer<Identity> answer) = 0;
  /// The player of that very name: the one that there is, or a new one with that token. For a
  /// client that has shown that the name is its own. Somebody whose name only looks like it keeps
  /// that.
  virtual void log_in(const std::string& name, const std::string& token_hash, Origin from, Time now,
                      Answer<FoundPlayer> answer) = 0;
  /// A player of this server has that token from now on, in place of the one before. The record
  /// that the host makes of it tells the other servers.
  virtual void renew_token(PlayerId id, const std::string& token_hash) = 0;
  /// Whether it is the name of a login, or looks like one.
  virtual bool is_login(const std::string& name) const = 0;
  /// The name of a player of this server; empty if it is none.
  virtual std::string name_of(PlayerId id) const = 0;
  /// The player of this server with that very name; 0 if there is none.
  virtual PlayerId id_of(const std::string& name) const = 0;
  virtual void release_player(PlayerId id) = 0;
  virtual void drop_player(PlayerId id) = 0;
  /// The player belongs to another server from now on, with all that is claimed for it.
  virtual void hand_over_player(PlayerId id) = 0;
  /// The connected players whose names come after `after`: one page.
  virtual void list_players(const std::string& after, Time now, Answer<v1::PlayerList> answer) = 0;

  // Rooms.
  /// A name for a new room of that player, or why there is none.
  virtual void claim_room(const std::string& name, Naming naming, PlayerId creator, Origin from,
                          Time now, Answer<Parsed<RoomClaim>> answer) = 0;
  /// The room is closed. No room begins below `revision` from now on.
  virtual void release_room(std::uint64_t serial, std::uint64_t revision) = 0;
  /// The room was never opened.
  virtual void drop_room(std::uint64_t serial) = 0;
  /// The room belongs to another server from now on, with its name.
  virtual void hand_over_room(std::uint64_t serial) = 0;
  /// The room of that name.
  virtual void find_room(const std::string& name, Origin from, Time now,
                         Answer<FoundRoom> answer) = 0;
  /// The room that Play enters: listed, without a password, with an open seat and somebody in it
  /// who is not away, the one that has waited longest.
  virtual void find_open_room(Time now, Answer<FoundRoom> answer) = 0;
  /// The listed rooms whose names come after `after`: one page. `open_only`: only rooms without a
  /// password that have an open seat.
  virtual void list_rooms(const std::string& after, bool open_only, Time now,
                          Answer<v1::RoomList> answer) = 0;

  // Before anything else, from a journal. These answer at once: false if the number, the name or
  // the token is in use. A number is not given again even if it was refused.
  virtual bool restore_player(const Identity& player, const std::string& token_hash) = 0;
  virtual bool restore_room(const RoomClaim& room, PlayerId creator) = 0;
  /// No room begins below that revision from now on.
  virtual void restore_revision(std::uint64_t revision) = 0;
};

}  // namespace tictactoe::server
