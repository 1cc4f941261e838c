// Attempts to enter a password, with a wait that grows.
#pragma once

#include <array>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>

#include "server/base/effects.hpp"
#include "server/base/origin.hpp"

namespace tictactoe::server {

/// What a password protects.
struct Secret {
  enum class Of : std::uint8_t {
    server,
    account,
    room,  ///< a listed one
    name   ///< any other name of a room, whether there is such a room or not
  };
  Of of = Of::server;
  std::uint64_t id = 0;  ///< number of the account or the name, or the room's serial; 0: the server
  friend auto operator<=>(const Secret&, const Secret&) = default;
};

/// With the default values, the failures of one network at one secret grow to about 30, or to 33 if
/// as many keys as can wait are asked for at once (Limits::derivations_per_network); after that,
/// each one has to wait for another to be forgotten: 288 in a day. So a stranger tries at most 321
/// passwords in the first day, and finds one of four digits with a probability of 3.2 %; for one
/// half it takes 17 days.
struct AttemptLimits {
  /// Failures without a wait, from one address and from one network: people mistype. The next one
  /// is followed by `first_wait`, and each further one by twice the wait before, up to
  /// `longest_wait`.
  std::uint32_t free_per_address = 5;
  std::uint32_t free_per_network = 20;
  /// Attempts that run at the same time from one address and from one network, until this many have
  /// failed: a party enters together. Afterwards one at a time.
  std::uint32_t running_per_address = 64;
  std::uint32_t running_per_network = 256;
  std::chrono::milliseconds first_wait{1'000};
  std::chrono::milliseconds longest_wait{std::chrono::minutes(5)};
  /// Each time that this has passed, one failure is forgotten, so that those who mistype now and
  /// then never wait. Not less than `longest_wait`: otherwise it would set the pace.
  std::chrono::milliseconds decay{std::chrono::minutes(5)};
  /// Pairs of a secret and an address or network that are remembered. Over it, the one whose last
  /// failure is the longest ago is forgotten.
  std::size_t remembered = 100'000;
};

/// Counts attempts for each secret and each address and network. Every attempt that begin() allows
/// ends with exactly one call of succeeded(), failed() or withdrawn(), also if its connection is
/// gone. All operations cost O(log remembered).
class Attempts {
 public:
  explicit Attempts(const AttemptLimits& limits = {}) : limits_(limits) {}

  /// Nothing if the password may be tried now; otherwise how long to wait before that.
  std::optional<std::chrono::milliseconds> begin(Secret secret, Origin from, Time now);
  /// The password was right: the failures before are forgotten.
  void succeeded(Secret secret, Origin from);
  void failed(Secret secret, Origin from, Time now);
  /// The attempt says nothing about the password: the failures before stay as they are.
  void withdrawn(Secret secret, Origin from);

  std::size_t size() const { return entries_.size(); }

 private:
  enum class Level : std::uint8_t { address, network };
  struct Key {
    Secret secret;
    Level level;
    std::uint64_t from;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct Entry {
    std::uint32_t running = 0;
    std::uint32_t failures = 0;  // as of counted_at
    Time counted_at;
    Time free_at;  // the next attempt, once there were too many failures
    std::list<Key>::iterator place;
  };

  static std::array<Key, 2> keys(Secret secret, Origin from);
  std::chrono::milliseconds wait(const Key& key, Time now) const;
  std::uint32_t failures(const Entry& entry, Time now) const;
  bool is_forgotten(const Entry& entry, Time now) const;
  Entry& remember(const Key& key, Time now);
  void forget_old(Time now);
  void erase(const Key& key);

  AttemptLimits limits_;
  std::map<Key, Entry> entries_;
  std::list<Key> by_last_use_;  // the longest ago first
};

}  // namespace tictactoe::server
