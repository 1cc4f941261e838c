// Who pays for what: the accounts of addresses, networks, players and rooms.
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

#include "server/core/config.hpp"
#include "server/core/effects.hpp"
#include "server/core/origin.hpp"
#include "server/core/token_bucket.hpp"

namespace tictactoe::core {

/// Whose account it is.
enum class Level : std::uint8_t { address, network, player, room };
inline constexpr std::size_t levels = 4;

/// What is paid with tokens, which come back with time.
enum class Charge : std::uint8_t {
  requests,    ///< all requests
  refusals,    ///< requests that were refused because there were too many
  newcomers,   ///< players whom the server has not known
  chat,        ///< receivers of chat
  inviting,    ///< invitations that are sent
  games,       ///< games that begin: each leaves a record
  handshakes,  ///< TLS handshakes that begin
};
inline constexpr std::size_t charges = 7;

/// What is occupied, and given back later.
enum class Holding : std::uint8_t {
  connections,
  pending,       ///< connections without a hello
  rooms,         ///< open rooms, charged to where their creators were then
  large_boards,  ///< of these rooms, those with a large board
  absences,      ///< seats that are held for players who are away
  look_ups,      ///< questions about records that are being answered
};
inline constexpr std::size_t holdings = 6;

/// What each level may spend and hold. A new kind of cost is one line in its constructor.
class Tariff {
 public:
  explicit Tariff(const Limits& limits, std::uint32_t generation = 0);

  /// Differs from that of earlier ones.
  std::uint32_t generation() const { return generation_; }
  const Rate& rate(Level level, Charge charge) const {
    return rates_[static_cast<std::size_t>(level)][static_cast<std::size_t>(charge)];
  }
  std::size_t most(Level level, Holding holding) const {
    return most_[static_cast<std::size_t>(level)][static_cast<std::size_t>(holding)];
  }

 private:
  void set(Level level, Charge charge, double per_second, double burst);
  void set(Level level, Holding holding, std::size_t most);

  std::uint32_t generation_;
  std::array<std::array<Rate, charges>, levels> rates_{};
  std::array<std::array<std::size_t, holdings>, levels> most_{};
};

/// One account. Changed only by Accounts.
class Account {
 public:
  /// `tariff` must outlive it. It may be replaced: its new rates hold from the next use of a
  /// bucket.
  Account(Level level, std::uint64_t id, const Tariff& tariff, Time now);
  Account(const Account&) = delete;
  Account& operator=(const Account&) = delete;

  Level level() const { return level_; }
  std::uint64_t id() const { return id_; }
  std::size_t held(Holding holding) const { return held_[static_cast<std::size_t>(holding)]; }

 private:
  friend class Accounts;

  const Rate& rate(Charge charge) const { return tariff_.rate(level_, charge); }
  TokenBucket& bucket(Charge charge) {
    if (generation_ != tariff_.generation()) follow_tariff();
    return buckets_[static_cast<std::size_t>(charge)];
  }
  void follow_tariff();
  std::uint32_t& count(Holding holding) { return held_[static_cast<std::size_t>(holding)]; }
  /// Nothing is held and nothing is missing: a new account would be the same.
  bool is_as_new(Time now) const;

  Level level_;
  std::uint32_t generation_;  // of the tariff that the buckets follow
  std::uint64_t id_;
  const Tariff& tariff_;
  std::array<TokenBucket, charges> buckets_;
  std::array<std::uint32_t, holdings> held_{};
  std::uint32_t all_held_ = 0;
  std::list<Account*>::iterator idle_place_;  // while nothing is held
};

/// The accounts that pay together for what a connection does. The player is null before the hello.
struct Payers {
  Account* address = nullptr;
  Account* network = nullptr;
  Account* player = nullptr;

  std::array<Account*, 3> all() const { return {address, network, player}; }
};

/// Owns the accounts. An account is made when it is first asked for. It stays at its address while
/// anything is held by it; those that hold nothing are forgotten when their buckets are full again,
/// or if there are more of them than Limits::idle_accounts, the one that has been idle longest. So
/// a reconnect finds what it left. of() and hold() of an origin cost O(log accounts), and
/// everything else O(1); what concerns accounts that are there already does not call the heap.
class Accounts {
 public:
  /// `limits` must outlive it.
  explicit Accounts(const Limits& limits) : limits_(limits), tariff_(limits) {}

  /// Other rates are in the limits. O(1): each account follows when it is used next.
  void follow_limits() { tariff_ = Tariff(limits_, tariff_.generation() + 1); }

  /// The account of that owner. If nothing is held by it, it is only valid until the next call.
  Account& of(Level level, std::uint64_t id, Time now);
  /// Those that hold something of this kind which comes from there, also over their limits.
  Payers hold(Origin origin, Holding holding, Time now);

  /// Spends `cost` tokens of all payers, or of none. Then it returns how long the one that is
  /// missing most has to wait.
  std::optional<std::chrono::milliseconds> spend(const Payers& payers, Charge charge, double cost,
                                                 Time now);
  std::optional<std::chrono::milliseconds> spend(Account& account, Charge charge, double cost,
                                                 Time now) {
    TokenBucket& bucket = account.bucket(charge);
    const Rate& rate = account.rate(charge);
    if (bucket.take(rate, cost, now)) return std::nullopt;
    return bucket.wait_for(rate, cost, now);
  }
  /// How long until spend() can succeed; nothing if it can now.
  static std::optional<std::chrono::milliseconds> wait_for(const Payers& payers, Charge charge,
                                                           double cost, Time now);
  /// Spends `cost` tokens of all payers even if that leaves debts, see TokenBucket::charge.
  static void charge(const Payers& payers, Charge charge, double cost);
  static void charge(const Payers& payers, Charge charge, double cost, Time now);
  /// Undoes a spend() of this cost.
  static void give_back(const Payers& payers, Charge charge, double cost);

  /// Whether that account holds as many as it may.
  bool is_full(const Account& account, Holding holding) const {
    return account.held(holding) >= tariff_.most(account.level(), holding);
  }
  /// The first payer that holds as many as it may, or more than that; null if there is none.
  const Account* full(const Payers& payers, Holding holding) const;
  const Account* over(const Payers& payers, Holding holding) const;
  /// Over its limit too: refuse before that.
  void hold(Account& account, Holding holding);
  void hold(const Payers& payers, Holding holding);
  /// It was held.
  void release(Account& account, Holding holding);
  void release(const Payers& payers, Holding holding);
  void release(Origin origin, Holding holding, Time now);

  std::size_t size() const { return accounts_.size(); }

 private:
  struct Key {
    Level level;
    std::uint64_t id;
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  void forget_idle(Time now);
  void erase(const Account& account);

  const Limits& limits_;
  Tariff tariff_;
  // No hash table: with 100,000 accounts, one would take many milliseconds to grow.
  std::map<Key, Account> accounts_;
  std::list<Account*> idle_;  // hold nothing; the longest first
};

}  // namespace tictactoe::core
