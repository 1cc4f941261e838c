// The seats held for absent players, and who is charged for them.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "server/limits/fair_queue.hpp"
#include "server/limits/ledger.hpp"
#include "server/limits/shares.hpp"
#include "server/people/players.hpp"

namespace tictactoe::server {

/// The part of its limit that an address keeps even if its network has too many.
inline constexpr double share_of_address_that_stays = 0.25;

/// An absence is one held seat, as a player sits in at most one room. It is charged to the address
/// and the network of the player's last connection. All operations cost O(log absences).
class Absences {
 public:
  /// `ledger` must outlive it.
  Absences(const Limits& limits, Ledger& ledger)
      : ledger_(ledger),
        guaranteed_(part_of(limits.absences_per_address, share_of_address_that_stays)) {}

  /// A player with a seat has gone away. Not charged if the player's origin is unknown.
  void begin(const Player& player, Time now);
  /// The player is back or has lost the seat. No effect unless the player was away.
  void end(PlayerId player);
  /// The player whose hold must end because there are too many at the origin of `player`, the
  /// latest absence; 0 if there is none. At an address over its limit, it is the player away
  /// longest. In a network over its limit, it is the player away longest at the address with the
  /// most absences, if that address has more than `player`'s and more than
  /// share_of_address_that_stays; otherwise it is `player`. So an address keeps that share whatever
  /// others in its network do.
  PlayerId one_too_many(PlayerId player) const;

 private:
  struct Absence {
    Payers payers;
    std::uint64_t number;  // in by_origin_
  };

  Ledger& ledger_;
  std::size_t guaranteed_;  // of one address
  std::unordered_map<PlayerId, Absence> absences_;
  FairQueue<PlayerId> by_origin_;
};

}  // namespace tictactoe::server
