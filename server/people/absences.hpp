// The seats that are held for players who are away, and who pays for them.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "server/limits/fair_queue.hpp"
#include "server/limits/ledger.hpp"
#include "server/limits/shares.hpp"
#include "server/people/players.hpp"

namespace tictactoe::server {

/// The part of its limit that an address keeps if its network has too many.
inline constexpr double share_of_address_that_stays = 0.25;

/// A player sits in at most one room, so an absence is one seat. It is charged to the address and
/// the network where the player was connected last. All operations cost O(log absences).
class Absences {
 public:
  /// `ledger` must outlive it.
  Absences(const Limits& limits, Ledger& ledger)
      : ledger_(ledger),
        most_that_stay_(part_of(limits.absences_per_address, share_of_address_that_stays)) {}

  /// A player with a seat is away from now on. Not charged if the player's origin is unknown.
  void begin(const Player& player, Time now);
  /// The player is back or has lost the seat. Does nothing unless the player was away.
  void end(PlayerId player);
  /// The player whose hold must end because there are too many where `player`, the latest, was; 0
  /// if there are not. At an address over its limit that is the player away longest. In a network
  /// over its limit it is the player away longest at the address with the most absences, if that
  /// has more than `player`'s address and more than share_of_address_that_stays; otherwise it is
  /// `player`. So an address keeps that share whatever others in its network do.
  PlayerId one_too_many(PlayerId player) const;

 private:
  struct Absence {
    Payers payers;
    std::uint64_t number;  // in by_origin_
  };

  Ledger& ledger_;
  std::size_t most_that_stay_;  // of one address
  std::unordered_map<PlayerId, Absence> absences_;
  FairQueue<PlayerId> by_origin_;
};

}  // namespace tictactoe::server
