// Limits attempts to guess a password by waits that grow.
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
    room,  ///< a listed room
    name   ///< any other name of a room, existing or not
  };
  Of of = Of::server;
  std::uint64_t id = 0;  ///< number of the account or name, or serial of the room; 0: the server
  friend auto operator<=>(const Secret&, const Secret&) = default;
};

/// With the defaults, one network can have about 30 failures at one secret before it must wait for
/// one to be forgotten; 33 if it asks for as many keys at once as Limits::derivations_per_network
/// allows. After that it has 288 attempts a day. So a stranger tries at most 321 passwords on the
/// first day and finds a four-digit one with a probability of 3.2 %; for 50 % it takes 17 days.
struct AttemptLimits {
  /// Failures without a wait, from one address and from one network, because people mistype. After
  /// the next failure the wait is `first_wait`. Each further failure doubles it, up to `max_wait`.
  std::uint32_t free_per_address = 5;
  std::uint32_t free_per_network = 20;
  /// Attempts that may run at the same time from one address and from one network, so that a party
  /// can enter together. Once this many have failed, only one may run at a time.
  std::uint32_t running_per_address = 64;
  std::uint32_t running_per_network = 256;
  std::chrono::milliseconds first_wait{1'000};
  std::chrono::milliseconds max_wait{std::chrono::minutes(5)};
  /// One failure is forgotten each time this has passed, so that people who mistype now and then
  /// never wait. At least `max_wait`, or else it would set the pace.
  std::chrono::milliseconds decay{std::chrono::minutes(5)};
  /// How many pairs of a secret and an address or network are remembered. Beyond it, the pair whose
  /// last failure is oldest is forgotten.
  std::size_t remembered = 100'000;
};

/// Counts attempts by secret and by address and network. Every attempt that begin() allows must end
/// with exactly one call of succeeded(), failed() or withdrawn(), even if its connection is closed.
/// All operations cost O(log remembered).
class Attempts {
 public:
  explicit Attempts(const AttemptLimits& limits = {}) : limits_(limits) {}

  /// Begins an attempt and returns nothing, or returns how long to wait before the next one.
  std::optional<std::chrono::milliseconds> begin(Secret secret, Origin from, Time now);
  /// The password was right. Forgets the failures before.
  void succeeded(Secret secret, Origin from);
  void failed(Secret secret, Origin from, Time now);
  /// The attempt says nothing about the password. Keeps the failures before.
  void withdrawn(Secret secret, Origin from);

  std::size_t size() const { return entries_.size(); }

 private:
  enum class Scope : std::uint8_t { address, network };
  struct Guesser {
    Secret secret;
    Scope scope;
    std::uint64_t from;
    friend auto operator<=>(const Guesser&, const Guesser&) = default;
  };
  struct Entry {
    std::uint32_t running = 0;
    std::uint32_t failures = 0;  // as of counted_at
    Time counted_at;
    Time free_at;  // of the next attempt, once there were too many failures
    std::list<Guesser>::iterator place;
  };

  static std::array<Guesser, 2> keys(Secret secret, Origin from);
  std::chrono::milliseconds wait(const Guesser& key, Time now) const;
  std::uint32_t failures(const Entry& entry, Time now) const;
  bool is_forgotten(const Entry& entry, Time now) const;
  Entry& remember(const Guesser& key, Time now);
  void forget_old(Time now);
  void erase(const Guesser& key);

  AttemptLimits limits_;
  std::map<Guesser, Entry> entries_;
  std::list<Guesser> by_last_use_;  // oldest first
};

}  // namespace tictactoe::server
