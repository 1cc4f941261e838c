// The seats that are held for players who are away, and who pays for them.
#pragma once

#include <cstdint>
#include <set>
#include <tuple>
#include <unordered_map>

#include "server/core/accounts.hpp"
#include "server/core/players.hpp"

namespace tictactoe::core {

/// A player sits in at most one room, so an absence is one seat. It is charged to the address and
/// the network where the player was connected last. All operations but one cost
/// O(log absences).
class Absences {
 public:
  /// `accounts` must outlive it.
  explicit Absences(Accounts& accounts) : accounts_(accounts) {}

  /// A player with a seat is away from now on. Not charged if the origin of the
  /// player is unknown: a journal of an older version does not contain it.
  void begin(const Player& player, Time now);
  /// The player is back or has lost the seat. Does nothing if there is no absence.
  void end(PlayerId player);
  /// If there are more absences where this absent player was than there may be, the player there
  /// who has been away longest; in a network, at the address that has the most. Otherwise 0.
  /// O(absences of the network) if it has too many.
  PlayerId one_too_many(PlayerId player) const;

 private:
  /// Of a network that has absences.
  const Account* address_with_most(const Account& network) const;

  struct Absence {
    Payers payers;
    std::uint64_t number;  // counts up
  };
  // The account, the number, the player.
  using Entry = std::tuple<const Account*, std::uint64_t, PlayerId>;

  Accounts& accounts_;
  std::unordered_map<PlayerId, Absence> absences_;
  std::set<Entry> by_payer_;
  std::uint64_t last_ = 0;
};

}  // namespace tictactoe::core
