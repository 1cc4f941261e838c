// Mistakes that the simulation plants in the host, to prove that its checkers find them.
#pragma once

#include <cstdint>

namespace tictactoe::server {

enum class Mistake : std::uint8_t {
  none,
  shared_seat,      ///< a player gets a seat that another person has
  double_charge,    ///< time is charged twice to a clock
  lasting_offer,    ///< an offer survives a move
  double_score,     ///< a finished game counts twice in the score
  silent_watcher,   ///< one watcher does not get an update
  refilled_bucket,  ///< a refused request fills the token bucket
};

/// The mistake of this process. Nothing but the simulation changes it.
inline Mistake planted_mistake = Mistake::none;

inline bool planted(Mistake mistake) {
  return planted_mistake == mistake;
}

}  // namespace tictactoe::server
