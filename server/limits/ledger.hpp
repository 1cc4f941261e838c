// What addresses, networks, players and rooms have spent and what they hold.
#pragma once

#include <array>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <map>
#include <optional>

#include "server/base/effects.hpp"
#include "server/base/origin.hpp"
#include "server/base/token_bucket.hpp"
#include "server/limits/config.hpp"

namespace tictactoe::server {

/// Who pays.
enum class Level : std::uint8_t { address, network, player, room };
inline constexpr std::size_t levels = 4;

/// What is paid for with tokens, which come back with time.
enum class Charge : std::uint8_t {
  requests,    ///< all requests
  refusals,    ///< requests refused because there were too many
  newcomers,   ///< players new to the server
  chat,        ///< receivers of chat
  inviting,    ///< invitations sent
  games,       ///< games that begin: each leaves a record
  handshakes,  ///< TLS handshakes that begin
};
inline constexpr std::size_t charges = 7;

/// What is occupied and given back later.
enum class Holding : std::uint8_t {
  connections,
  pending,       ///< connections without a hello
  rooms,         ///< open rooms, charged to where their creators were then
  large_boards,  ///< of these rooms, those with a large board
  absences,      ///< seats held for players who are away
  look_ups,      ///< questions about records in progress
};
inline constexpr std::size_t holdings = 6;

/// What each level may spend and hold. A new kind of cost is one line in the constructor.
class Tariff {
 public:
  explicit Tariff(const Limits& limits, std::uint32_t generation = 0);

  /// Tells this tariff from earlier ones.
  std::uint32_t generation() const { return generation_; }
  const Rate& rate(Level level, Charge charge) const {
    return rates_[static_cast<std::size_t>(level)][static_cast<std::size_t>(charge)];
  }
  std::size_t max(Level level, Holding holding) const {
    return max_[static_cast<std::size_t>(level)][static_cast<std::size_t>(holding)];
  }

 private:
  void set(Level level, Charge charge, double per_second, double burst);
  void set(Level level, Holding holding, std::size_t max);

  std::uint32_t generation_;
  std::array<std::array<Rate, charges>, levels> rates_{};
  std::array<std::array<std::size_t, holdings>, levels> max_{};
};

/// The tokens and holdings of one address, network, player or room. Only the Ledger changes it.
class Payer {
 public:
  /// `tariff` must outlive it. If it is replaced, each bucket adopts the new rate with its next
  /// use.
  Payer(Level level, std::uint64_t id, const Tariff& tariff, Time now);
  Payer(const Payer&) = delete;
  Payer& operator=(const Payer&) = delete;

  Level level() const { return level_; }
  std::uint64_t id() const { return id_; }
  std::size_t held(Holding holding) const { return held_[static_cast<std::size_t>(holding)]; }

 private:
  friend class Ledger;

  const Rate& rate(Charge charge) const { return tariff_.rate(level_, charge); }
  TokenBucket& bucket(Charge charge) {
    if (generation_ != tariff_.generation()) follow_tariff();
    return buckets_[static_cast<std::size_t>(charge)];
  }
  void follow_tariff();
  std::uint32_t& count(Holding holding) { return held_[static_cast<std::size_t>(holding)]; }
  /// Holds nothing and lacks no tokens, so forgetting it changes nothing.
  bool is_as_new(Time now) const;

  Level level_;
  std::uint32_t generation_;  // of the tariff that the buckets follow
  std::uint64_t id_;
  const Tariff& tariff_;
  std::array<TokenBucket, charges> buckets_;
  std::array<std::uint32_t, holdings> held_{};
  std::uint32_t all_held_ = 0;
  std::list<Payer*>::iterator idle_place_;  // while nothing is held
};

/// The payers that share the cost of what a connection does. The player is null before the hello.
struct Payers {
  Payer* address = nullptr;
  Payer* network = nullptr;
  Payer* player = nullptr;

  /// The first for which `is_it(Payer&)` is true; null if there is none.
  template <class IsIt>
  Payer* find(IsIt is_it) const {
    for (Payer* payer : {address, network, player}) {
      if (payer != nullptr && is_it(*payer)) return payer;
    }
    return nullptr;
  }
  template <class Visit>
  void for_each(Visit visit) const {
    find([&](Payer& payer) {
      visit(payer);
      return false;
    });
  }
};

/// Owns the payers. Makes a payer when it is first asked for, and keeps it at its address while it
/// holds anything. A payer that holds nothing is forgotten once its buckets are full again; above
/// Limits::idle_payers, the one idle longest is forgotten early. So a client that reconnects finds
/// what it left. of(), and hold() and release() of an origin, cost O(log payers), everything else
/// O(1).
class Ledger {
 public:
  /// `limits` must outlive it.
  explicit Ledger(const Limits& limits) : limits_(limits), tariff_(limits) {}

  /// Adopts changed rates in the limits. O(1): each payer follows with its next use.
  void follow_limits() { tariff_ = Tariff(limits_, tariff_.generation() + 1); }

  /// A payer that holds nothing is only valid until the next call.
  Payer& of(Level level, std::uint64_t id, Time now);
  /// Adds one holding to the address and the network of `origin`, even above their limits.
  Payers hold(Origin origin, Holding holding, Time now);

  /// Spends `cost` tokens of all payers and returns nothing; or spends none and returns how long
  /// until all have enough.
  std::optional<std::chrono::milliseconds> spend(const Payers& payers, Charge charge, double cost,
                                                 Time now);
  std::optional<std::chrono::milliseconds> spend(Payer& payer, Charge charge, double cost,
                                                 Time now) {
    TokenBucket& bucket = payer.bucket(charge);
    const Rate& rate = payer.rate(charge);
    if (bucket.take(rate, cost, now)) return std::nullopt;
    return bucket.wait_for(rate, cost, now);
  }
  /// How long until spend() can succeed; nothing if it can now.
  static std::optional<std::chrono::milliseconds> wait_for(const Payers& payers, Charge charge,
                                                           double cost, Time now);
  /// Spends `cost` tokens of all payers, even into debt; see TokenBucket::charge.
  static void charge(const Payers& payers, Charge charge, double cost, Time now);
  /// Undoes a spend() of this cost.
  static void give_back(const Payers& payers, Charge charge, double cost);

  bool is_full(const Payer& payer, Holding holding) const {
    return payer.held(holding) >= tariff_.max(payer.level(), holding);
  }
  /// The first payer at its limit, or above it; null if there is none.
  const Payer* full(const Payers& payers, Holding holding) const;
  const Payer* over(const Payers& payers, Holding holding) const;
  /// Does not look at the limit: check is_full() or full() first.
  void hold(Payer& payer, Holding holding);
  void hold(const Payers& payers, Holding holding);
  /// Requires that it is held.
  void release(Payer& payer, Holding holding);
  void release(const Payers& payers, Holding holding);
  void release(Origin origin, Holding holding, Time now);

  std::size_t size() const { return payers_.size(); }

 private:
  struct Key {
    Level level;
    std::uint64_t id;
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  void forget_idle(Time now);
  void erase(const Payer& payer);

  const Limits& limits_;
  Tariff tariff_;
  // Not a hash table: with 100,000 payers, one takes many milliseconds to grow.
  std::map<Key, Payer> payers_;
  std::list<Payer*> idle_;  // hold nothing; longest idle first
};

}  // namespace tictactoe::server
