// The names of players and rooms that several servers share, and where those live.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "server/records/record_store.hpp"
#include "tictactoe/journal/v1/journal.pb.h"

namespace tictactoe::records {

/// A name, and the keys of which another name that looks like it has at least one.
struct KeyedName {
  std::string name;
  std::array<std::string, 2> look_alike_keys;
};

/// Where a player or a room lives.
struct Whereabouts {
  enum class Place : std::uint8_t {
    unknown,  ///< there is none
    here,     ///< with the asking server
    elsewhere,
    unowned,  ///< its server is gone, and another one will take it over soon
  };
  Place place = Place::unknown;
  StreamId stream = 0;  ///< if it lives elsewhere
};

struct FoundPlayer {
  Whereabouts where;
  std::uint64_t id = 0;
  /// The player, if it lives here and has come from another server since it was asked for last.
  std::optional<journal::v1::Player> arrived;
};

struct ClaimedRoom {
  enum class Outcome : std::uint8_t { claimed, taken, too_many };
  Outcome outcome = Outcome::claimed;
  std::uint64_t serial = 0;
  std::uint64_t revision = 0;  ///< no room of that name has had a higher one
};

/// Claims that a server does not use, but that the store may have: the answer to the claim, or to
/// the call that was to drop it, was lost.
class LostClaims {
 public:
  /// More are not remembered.
  static constexpr std::size_t most = 1'000;

  /// By the name of a room, or the hash of a token.
  void add(const std::string& key) {
    if (keys_.size() < most) keys_.insert(key);
  }
  void add(std::uint64_t number) {
    if (numbers_.size() < most) numbers_.insert(number);
  }
  void remove(const std::string& key) { keys_.erase(key); }
  void remove(std::uint64_t number) { numbers_.erase(number); }

  bool empty() const { return keys_.empty() && numbers_.empty(); }
  const std::set<std::string>& keys() const { return keys_; }
  const std::set<std::uint64_t>& numbers() const { return numbers_; }

 private:
  std::set<std::string> keys_;
  std::set<std::uint64_t> numbers_;
};

/// Asks and claims for one server, which is the owner of a stream. What is claimed belongs to that
/// stream, and is released by the commit of a record that it is gone. Blocks until a call is done.
/// After a fault of a claim, and of a call that drops one, what is left of it is dropped before the
/// next claim, or with the stream. Not thread-safe.
class SharedNames {
 public:
  SharedNames() = default;
  virtual ~SharedNames() = default;
  SharedNames(const SharedNames&) = delete;
  SharedNames& operator=(const SharedNames&) = delete;

  /// The player with the token of that hash. O(log players).
  virtual Result<FoundPlayer> find_player(const std::string& token_hash) = 0;
  /// The id of a new player; nothing if the name is taken. O(log players).
  virtual Result<std::optional<std::uint64_t>> claim_player(const KeyedName& name,
                                                            const std::string& token_hash) = 0;
  /// Drops a claim of which nothing was recorded.
  virtual std::optional<Fault> drop_player(std::uint64_t id) = 0;

  /// The player who has all keys of that name: has the name, or one that looks very much like it.
  virtual Result<FoundPlayer> find_named(const KeyedName& name) = 0;
  /// As claim_player(), for a name that is an account's: players whose names look like it, because
  /// they have some of its keys, and the player `look_alike`, do not keep others from having it any
  /// more. Nothing if another player has all keys.
  virtual Result<std::optional<std::uint64_t>> claim_account(const KeyedName& name,
                                                             const std::string& token_hash,
                                                             std::uint64_t look_alike) = 0;

  virtual Result<Whereabouts> find_room(const std::string& name) = 0;
  /// `most`: rooms that a player may have created, on all servers. O(log rooms + most).
  virtual Result<ClaimedRoom> claim_room(const KeyedName& name, std::uint64_t creator,
                                         std::size_t most) = 0;
  /// Drops a claim of which nothing was recorded.
  virtual std::optional<Fault> drop_room(std::uint64_t serial) = 0;
};

}  // namespace tictactoe::records
