// One siege: honest players before and during an attack, and what that did to them.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/bench/load/report.hpp"
#include "tests/siege/attack.hpp"
#include "tests/siege/honest/visitor.hpp"

namespace tictactoe::siege {

struct Plan {
  std::string host = "127.0.0.1";
  std::uint16_t port = 7654;
  std::uint16_t other_port = 0;             ///< of a second server of its lobby; 0: there is none
  std::chrono::duration<double> before{2};  ///< to learn what is usual
  std::chrono::duration<double> seconds{4};
  std::uint32_t addresses = 0;  ///< of the attackers; the attack's own choice if 0
  std::uint64_t seed = 1;
  int patience = 1;  ///< the bounds of times are so many times as long
  pid_t server = 0;  ///< its memory is reported, if given
};

/// What must hold during every attack: the 99th percentile of honest players is at most
/// `max_times_usual` times the usual, and at most `longest`. It is not held against the server
/// below `floor`.
inline constexpr double max_times_usual = 3;
struct Bound {
  std::chrono::milliseconds floor;
  std::chrono::milliseconds max;

  constexpr Bound times(int count) const { return {count * floor, count * max}; }
};
/// A move waits for a slice of the loop when it comes and for another one when it is recorded, and
/// a turn may take 5 ms.
inline constexpr Bound answer_bound{std::chrono::milliseconds(10), std::chrono::milliseconds(20)};
/// A visit waits for several answers, one after the other.
inline constexpr Bound visit_bound = answer_bound.times(waits_of_visit);
/// A tour also waits for the key that is derived from a password, about 50 ms, and for five lists
/// of games, for each of which a few records of others may be read.
inline constexpr Bound tour_bound{std::chrono::milliseconds(2'000),
                                  std::chrono::milliseconds(2'000)};

struct Verdict {
  load::Report report;
  /// What did not hold, as sentences. Empty: everything did.
  std::vector<std::string> faults;
  /// What took too long, as sentences. The machine may be the reason: a slow disk, or other
  /// programs.
  std::vector<std::string> delays;
};

/// Throws load::Failure if there is no server or the honest players can't even begin.
Verdict besiege(const AttackKind& kind, const Plan& plan);

}  // namespace tictactoe::siege
