// Everybody whom the server knows, with a connection or away.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "common/wire/text.hpp"
#include "server/core/config.hpp"
#include "server/core/effects.hpp"

namespace tictactoe::core {

class Room;

/// `base`, or, where `taken(base)`, the first of base-2 to base-9 that is not, or base with a
/// random number where many want to be called the same; with as much of `base` as `length` code
/// points leave room for. O(1) on average while less than half a million have that name.
template <class Taken>
std::string distinct_name(std::string_view base, std::size_t length, std::mt19937_64& random,
                          Taken taken) {
  std::string name(wire::first_code_points(base, length));
  for (std::uint64_t number = 2; taken(name); ++number) {
    const std::string suffix = "-" + std::to_string(number < 10 ? number : random() % 1'000'000);
    name = std::string(wire::first_code_points(base, length - suffix.size())) + suffix;
  }
  return name;
}

/// Names a player for as long as they are known; 0 for nobody.
using PlayerId = std::uint64_t;

/// Largest number that is accepted from a journal, so that counting up from it never overflows.
inline constexpr std::uint64_t largest_restored = std::uint64_t{1} << 62;

/// Somebody who has said hello, once.
struct Player {
  PlayerId id = 0;
  std::string name;                        ///< theirs alone, also while they are away
  std::string token_hash;                  ///< of what proves that somebody is this player
  std::optional<ConnectionId> connection;  ///< nothing while away
  Room* room = nullptr;                    ///< where they sit or watch
  Time away_since;                         ///< while away
  /// The largest id of their requests that changed anything and are done. It is told, and never
  /// used to refuse a request: a client may count from 1 on each connection.
  std::uint64_t last_request_done = 0;
};

/// Owns the players, and keeps names and tokens apart. A player who is away and has no seat is
/// idle: kept for Limits::name_hold, or until room is needed for others. A player stays where it is
/// in memory until forgotten. All calls O(1) or O(log players).
class Players {
 public:
  /// `config` must outlive it.
  explicit Players(const Config& config) : config_(&config) {}

  Player* find(PlayerId id);
  /// Null for a token that nobody has.
  Player* find_by_hash(const std::string& token_hash);
  bool is_taken(const std::string& name) const { return by_name_.contains(name); }

  bool is_full() const { return by_id_.size() >= config_->limits.players; }
  /// A new player, called `wish` or, where somebody has that name, something like it.
  Player& add(std::string_view wish, std::string token_hash, std::mt19937_64& random);
  /// One from a journal; null where its id, name or token is somebody else's already.
  Player* restore(PlayerId id, const std::string& name, const std::string& token_hash);
  /// No new player gets this id, nor a smaller one.
  void reserve(PlayerId id);
  void forget(Player& player);

  /// Must be called after anything that may have changed whether a player is idle: `connection` or
  /// `room`.
  void changed(const Player& player);
  /// The one who has been idle longest; null where nobody is.
  Player* longest_idle();
  /// When the longest idle one is to be forgotten.
  std::optional<Time> next_forgetting() const;

  std::size_t size() const { return by_id_.size(); }

 private:
  Player& insert(Player player);

  const Config* config_;
  std::unordered_map<PlayerId, Player> by_id_;
  std::unordered_map<std::string, PlayerId> by_name_;
  std::unordered_map<std::string, PlayerId> by_hash_;
  std::set<std::pair<Time, PlayerId>> idle_;
  std::unordered_map<PlayerId, Time> idle_since_;
  PlayerId next_id_ = 1;
};

}  // namespace tictactoe::core
