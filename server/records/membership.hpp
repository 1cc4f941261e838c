// The servers that share a store, and how they take over what a lost one had.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "server/records/record_store.hpp"

namespace tictactoe::records {

/// One of the servers.
struct Member {
  StreamId stream = 0;  ///< its own; never that of another server, before or after it
  std::string address;  ///< HOST:PORT, for clients
  std::string key;      ///< the SHA-256 of its public key; empty without TLS
  std::uint64_t rooms = 0;
  std::uint64_t players = 0;  ///< connected to it
  bool is_draining = false;
  bool is_leaving = false;  ///< clients are no longer redirected to it
  /// The last lines of chat in its lobby, as an encoded tictactoe.v1.LobbyUpdate, and the number of
  /// all lines so far.
  std::string said = {};
  std::uint64_t lines_said = 0;
};

/// What others see of a listed room.
struct PublishedRoom {
  std::string name;
  std::string info;     ///< an encoded tictactoe.v1.RoomInfo
  StreamId stream = 0;  ///< of its server
};

/// All bans, in `saved`, and a version that changes with them.
struct SharedBans {
  std::string version;
  journal::v1::Saved saved;
};

/// One server's part in the lobby that it shares. Each member has a stream and a lease. A member
/// may be taken over when its lease has ended by the clock of the store. The lease does not protect
/// the records: the epoch of the stream does, which a takeover raises first. A stream without a
/// member is nobody's, and every member may adopt what it has.
///
/// Blocks until a call is done. Not thread-safe.
class Membership {
 public:
  Membership() = default;
  virtual ~Membership() = default;
  Membership(const Membership&) = delete;
  Membership& operator=(const Membership&) = delete;

  /// A number that no stream has had.
  virtual Result<StreamId> new_stream() = 0;
  /// Becomes a member. The server must own its stream already (RecordStore::own), and must not have
  /// appended anything.
  virtual std::optional<Fault> join(const Member& self, std::chrono::milliseconds lease) = 0;
  /// Prolongs the lease, and replaces all but the address. False if the server has been taken over:
  /// it can record nothing any more.
  virtual Result<bool> renew(const Member& self, std::chrono::milliseconds lease) = 0;
  /// Leaves everything to the others.
  virtual std::optional<Fault> leave(StreamId stream) = 0;
  virtual Result<std::vector<Member>> members() = 0;

  /// Fences and removes one member whose lease is over. Returns whether there was one: then there
  /// may be more. Several members may do this at once.
  virtual Result<bool> take_over() = 0;
  /// Gives at most `most` rooms that are nobody's, with the players who have seats in them, to that
  /// stream, and then as many players; returns them, without bans. Claims that no record has used
  /// are deleted. Empty if there is nothing.
  virtual Result<journal::v1::Saved> adopt(StreamId stream, std::size_t most) = 0;
  /// At most `most` of the rooms that another member has given to that stream by a RoomMoved, with
  /// the players who have seats in them. Returns each room once. If the member of that stream is
  /// lost first, the rooms are nobody's.
  virtual Result<journal::v1::Saved> take_arrived(StreamId stream, std::size_t most) = 0;
  /// The number of rooms that were given to a stream and have not been taken yet, up to `most`.
  /// O(number).
  virtual Result<std::size_t> count_arriving(std::size_t most) = 0;

  /// The bans of all members, whichever recorded them; nothing if that version is the current one.
  virtual Result<std::optional<SharedBans>> bans(const std::string& known_version) = 0;

  /// Replaces what others see of rooms of that stream. A room without `info` is no longer listed.
  /// This is durable after the next renew() without a fault of any call in between.
  virtual std::optional<Fault> publish(StreamId stream, std::span<const PublishedRoom> rooms) = 0;
  /// The listed rooms of the other members.
  virtual Result<std::vector<PublishedRoom>> rooms_of_others(StreamId stream) = 0;

  /// Replaces the list of connected players that others see, an encoded tictactoe.v1.PlayerList.
  virtual std::optional<Fault> publish_players(StreamId stream, const std::string& players) = 0;
  /// The lists of the other members.
  virtual Result<std::vector<std::string>> players_of_others(StreamId stream) = 0;
};

}  // namespace tictactoe::records
