// What addresses, networks, players and rooms have spent, and what they hold.
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
enum class PayerKind : std::uint8_t { address, network, player, room };
inline constexpr std::size_t payer_kinds = 4;

/// What is paid for with tokens, which are regained over time.
enum class Charge : std::uint8_t {
  requests,    ///< all requests
  refusals,    ///< requests refused as too many
  newcomers,   ///< players new to the server
  chat,        ///< receivers of chat
  inviting,    ///< invitations sent
  games,       ///< games that begin, as each leaves a record
  handshakes,  ///< TLS handshakes that begin
};
inline constexpr std::size_t charges = 7;

/// What is occupied and released later.
enum class Holding : std::uint8_t {
  connections,
  pending,       ///< connections without a hello
  rooms,         ///< open rooms, charged to the origins of their creators
  large_boards,  ///< open rooms with a large board
  absences,      ///< seats held for players who are away
  look_ups,      ///< questions about records in progress
};
inline constexpr std::size_t holdings = 6;

/// What each kind of payer may spend and hold. A new kind of cost is one line in the constructor.
class Tariff {
 public:
  explicit Tariff(const Limits& limits, std::uint32_t generation = 0);

  /// Tells this tariff from earlier ones.
  std::uint32_t generation() const { return generation_; }
  const Rate& rate(PayerKind kind, Charge charge) const {
    return rates_[static_cast<std::size_t>(kind)][static_cast<std::size_t>(charge)];
  }
  std::size_t max(PayerKind kind, Holding holding) const {
    return max_[static_cast<std::size_t>(kind)][static_cast<std::size_t>(holding)];
  }

 private:
  void set(PayerKind kind, Charge charge, double per_second, double burst);
  void set(PayerKind kind, Holding holding, std::size_t max);

  std::uint32_t generation_;
  std::array<std::array<Rate, charges>, payer_kinds> rates_{};
  std::array<std::array<std::size_t, holdings>, payer_kinds> max_{};
};

/// The tokens and holdings of one address, network, player or room. Only the Ledger changes it.
class Payer {
 public:
  /// `tariff` must outlive it. After a change of the tariff, each bucket updates on its next use.
  Payer(PayerKind kind, std::uint64_t id, const Tariff& tariff, Time now);
  Payer(const Payer&) = delete;
  Payer& operator=(const Payer&) = delete;

  PayerKind kind() const { return kind_; }
  std::uint64_t id() const { return id_; }
  std::size_t held(Holding holding) const { return held_[static_cast<std::size_t>(holding)]; }

 private:
  friend class Ledger;

  const Rate& rate(Charge charge) const { return tariff_.rate(kind_, charge); }
  TokenBucket& bucket(Charge charge) {
    if (generation_ != tariff_.generation()) follow_tariff();
    return buckets_[static_cast<std::size_t>(charge)];
  }
  void follow_tariff();
  std::uint32_t& count(Holding holding) { return held_[static_cast<std::size_t>(holding)]; }
  /// It holds nothing and lacks no tokens, so that forgetting it changes nothing.
  bool is_as_new(Time now) const;

  PayerKind kind_;
  std::uint32_t generation_;  // of the tariff that the buckets use
  std::uint64_t id_;
  const Tariff& tariff_;
  std::array<TokenBucket, charges> buckets_;
  std::array<std::uint32_t, holdings> held_{};
  std::uint32_t all_held_ = 0;
  std::list<Payer*>::iterator idle_place_;  // while nothing is held
};

/// The payers for what a connection does. The player is null before the hello.
struct Payers {
  Payer* address = nullptr;
  Payer* network = nullptr;
  Payer* player = nullptr;

  /// The first payer for which `is_it(Payer&)` is true; null if there is none.
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

/// Owns the payers. Creates a payer when it is first asked for, and keeps it at its address while
/// it holds anything. A payer that holds nothing is forgotten once its buckets are full; beyond
/// Limits::idle_payers, the one idle longest is forgotten early. So a client that reconnects finds
/// what it left. of(), and hold() and release() of an origin, cost O(log payers), everything else
/// O(1).
class Ledger {
 public:
  /// `limits` must outlive it.
  explicit Ledger(const Limits& limits) : limits_(limits), tariff_(limits) {}

  /// Applies changed rates. O(1): each payer switches on its next use.
  void follow_limits() { tariff_ = Tariff(limits_, tariff_.generation() + 1); }

  /// Returns the payer. If it holds nothing, it is valid only until the next call.
  Payer& of(PayerKind kind, std::uint64_t id, Time now);
  /// Adds one holding to the address and the network of `origin`, even above their limits.
  Payers hold(Origin origin, Holding holding, Time now);

  /// Spends `cost` tokens of each payer, or spends none and returns how long until all have enough.
  std::optional<std::chrono::milliseconds> spend(const Payers& payers, Charge charge, double cost,
                                                 Time now);
  std::optional<std::chrono::milliseconds> spend(Payer& payer, Charge charge, double cost,
                                                 Time now) {
    TokenBucket& bucket = payer.bucket(charge);
    const Rate& rate = payer.rate(charge);
    if (bucket.take(rate, cost, now)) return std::nullopt;
    return bucket.wait_for(rate, cost, now);
  }
  /// How long until spend() succeeds; nothing if it would now.
  static std::optional<std::chrono::milliseconds> wait_for(const Payers& payers, Charge charge,
                                                           double cost, Time now);
  /// Spends `cost` tokens of each payer, even into debt: see TokenBucket::charge.
  static void charge(const Payers& payers, Charge charge, double cost, Time now);
  /// Undoes a spend() of this cost.
  static void give_back(const Payers& payers, Charge charge, double cost);

  bool is_full(const Payer& payer, Holding holding) const {
    return payer.held(holding) >= tariff_.max(payer.kind(), holding);
  }
  /// The first payer at its limit (full) or above it (over); null if there is none.
  const Payer* full(const Payers& payers, Holding holding) const;
  const Payer* over(const Payers& payers, Holding holding) const;
  /// Ignores the limit: check is_full() or full() first.
  void hold(Payer& payer, Holding holding);
  void hold(const Payers& payers, Holding holding);
  /// Requires that the payer holds it.
  void release(Payer& payer, Holding holding);
  void release(const Payers& payers, Holding holding);
  void release(Origin origin, Holding holding, Time now);

  std::size_t size() const { return payers_.size(); }

 private:
  struct PayerId {
    PayerKind kind;
    std::uint64_t id;
    friend auto operator<=>(const PayerId&, const PayerId&) = default;
  };

  void forget_idle(Time now);
  void erase(const Payer& payer);

  const Limits& limits_;
  Tariff tariff_;
  // Not a hash table: with 100,000 payers, growing one takes many milliseconds.
  std::map<PayerId, Payer> payers_;
  std::list<Payer*> idle_;  // hold nothing; idle longest first
};

}  // namespace tictactoe::server
