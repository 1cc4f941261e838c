// The names of players and rooms in a lobby of several servers, and where the players and rooms
// are.
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

/// A name, and its keys. Names that look alike have a key in common.
struct KeyedName {
  std::string name;
  std::array<std::string, 2> look_alike_keys;
};

/// Which server has a player or a room.
struct Whereabouts {
  enum class Place : std::uint8_t {
    unknown,  ///< there is no such player or room
    here,     ///< with the asking server
    elsewhere,
    unowned,  ///< its server is lost, and another one will take it over soon
  };
  Place place = Place::unknown;
  StreamId stream = 0;  ///< of the server that has it
};

struct FoundPlayer {
  Whereabouts where;
  std::uint64_t id = 0;
  /// The player, if another server has handed it over since the last question about it.
  std::optional<journal::v1::Player> arrived;
};

struct ClaimedRoom {
  enum class Outcome : std::uint8_t { claimed, taken, too_many };
  Outcome outcome = Outcome::claimed;
  std::uint64_t serial = 0;
  std::uint64_t revision = 0;  ///< no room of that name has had a higher one
};

/// Claims that the store may have although the server does not use them: the answer to a claim, or
/// to a call that drops one, was lost.
class LostClaims {
 public:
  /// Forgets further ones.
  static constexpr std::size_t most = 1'000;

  /// By the name of a room, or the hash of a token.
  void add(const std::string& key) {
    if (keys_.size() < most) keys_.insert(key);
  }
  void add(std::uint64_t number) {
    if (numbers_.size() < most) numbers_.insert(number);
  }
  void remove(const std::string& key) { keys_.erase(key); }

  bool empty() const { return keys_.empty() && numbers_.empty(); }
  const std::set<std::string>& keys() const { return keys_; }
  const std::set<std::uint64_t>& numbers() const { return numbers_; }

 private:
  std::set<std::string> keys_;
  std::set<std::uint64_t> numbers_;
};

/// Finds and claims names for one server, the owner of a stream. A claim belongs to that stream,
/// until the commit of a record that ends the player or room. If a claim or a drop fails, what is
/// left of it is dropped before the next claim, or with the stream. Blocks until a call is done.
/// Not thread-safe.
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
  /// Drops a claim that no record has used.
  virtual std::optional<Fault> drop_player(std::uint64_t id) = 0;

  /// The player who has all keys of that name: has the name, or one that looks very much like it.
  virtual Result<FoundPlayer> find_named(const KeyedName& name) = 0;
  /// Like claim_player(), for the name of an account. Takes its keys from the player `look_alike`,
  /// and from players who have only some of them. Nothing if another player has all.
  virtual Result<std::optional<std::uint64_t>> claim_account(const KeyedName& name,
                                                             const std::string& token_hash,
                                                             std::uint64_t look_alike) = 0;

  virtual Result<Whereabouts> find_room(const std::string& name) = 0;
  /// `most`: rooms that a player may have created, on all servers. O(log rooms + most).
  virtual Result<ClaimedRoom> claim_room(const KeyedName& name, std::uint64_t creator,
                                         std::size_t most) = 0;
  /// What the outcome of claim_room() would be if there were no room `without`. Claims nothing.
  virtual Result<ClaimedRoom::Outcome> check_room(const KeyedName& name, std::uint64_t creator,
                                                  std::size_t most, std::uint64_t without) = 0;
  /// Drops a claim that no record has used.
  virtual std::optional<Fault> drop_room(std::uint64_t serial) = 0;
};

}  // namespace tictactoe::records
