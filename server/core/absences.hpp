// The seats that are held for players who are away, and who pays for them.
#pragma once

#include <cstdint>
#include <set>
#include <tuple>
#include <unordered_map>

#include "server/core/accounts.hpp"
#include "server/core/players.hpp"
#include "server/core/shares.hpp"

namespace tictactoe::core {

/// Of what an address may have, the part that it keeps if its network has too many.
inline constexpr double share_of_address_that_stays = 0.25;

/// A player sits in at most one room, so an absence is one seat. It is charged to the address and
/// the network where the player was connected last. All operations but one cost
/// O(log absences).
class Absences {
 public:
  /// `accounts` must outlive it.
  Absences(const Limits& limits, Accounts& accounts)
      : accounts_(accounts),
        most_that_stay_(part_of(limits.absences_per_address, share_of_address_that_stays)) {}

  /// A player with a seat is away from now on. Not charged if the origin of the
  /// player is unknown: a journal of an older version does not contain it.
  void begin(const Player& player, Time now);
  /// The player is back or has lost the seat. Does nothing if there is no absence.
  void end(PlayerId player);
  /// The absent player whose hold must end because there are more absences than allowed where
  /// `player`, who is the latest, was; otherwise 0. At an address over its limit, that is
  /// the player who has been away longest. In a network over its limit, the address with the most
  /// absences loses the longest one, but only if it has more than `player`'s address has, and more
  /// than a quarter of what an address may have. Otherwise `player` is returned: the new hold is
  /// refused. So what others in the network do ends no hold of an address that has up to a quarter,
  /// and refuses no new hold as long as some address has more than both. O(absences of the network)
  /// if it has too many.
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
  std::size_t most_that_stay_;  // of one address
  std::unordered_map<PlayerId, Absence> absences_;
  std::set<Entry> by_payer_;
  std::uint64_t last_ = 0;
};

}  // namespace tictactoe::core
