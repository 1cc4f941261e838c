// Counts what one connection is granted, against the limits that it was told.
#pragma once

#include <unordered_map>

#include "tests/simulation/random.hpp"
#include "tests/simulation/violation.hpp"
#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::simulation {

/// Checks that the granted requests of a connection never cost more than its tokens. Knows only the
/// least that a request costs: what depends on the length of a game is left out.
class RateWatch {
 public:
  /// From the welcome. Nothing is checked before.
  void set_limits(const v1::Limits& limits);
  /// A request was answered, and not refused as one too many, in the call that brought it.
  void granted(v1::ClientMessage::RequestCase request, Time now);

 private:
  double rate_ = 0;  // tokens a second; 0 for no limit
  double burst_ = 0;
  std::unordered_map<std::uint32_t, double> costs_;  // by request; 1 for all others
  double tokens_ = 0;
  Time at_{0};
};

}  // namespace tictactoe::simulation
