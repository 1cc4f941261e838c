// Mistakes that the simulation plants in the host, to prove that its checkers find them.
#pragma once

#include <cstdint>

namespace tictactoe::server {

enum class Mistake : std::uint8_t {
  none,
  shared_seat,      ///< a player gets a seat that is taken
  double_charge,    ///< time is deducted twice from a clock
  lasting_offer,    ///< an offer survives a move
  double_score,     ///< a finished game counts twice in the score
  silent_watcher,   ///< one watcher misses an update
  refilled_bucket,  ///< a refused request fills the token bucket
};

/// The mistake of this process. Only the simulation sets it.
inline Mistake planted_mistake = Mistake::none;

inline bool planted(Mistake mistake) {
  return planted_mistake == mistake;
}

}  // namespace tictactoe::server
