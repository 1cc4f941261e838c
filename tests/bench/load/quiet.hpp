// Loads without games: connections that come all at once, and connections that stay and do nothing.
#pragma once

#include "tests/bench/load/gathering.hpp"
#include "tests/bench/load/report.hpp"
#include "tests/bench/load/server_process.hpp"

namespace tictactoe::load {

struct StormPlan {
  std::size_t connections = 10'000;
  std::size_t at_once = 256;
  std::chrono::seconds patience{20};
  const ServerProcess* server = nullptr;
};

/// Connects all and waits for every welcome.
Report storm(const Target& target, const StormPlan& plan, Protocol& protocol);

struct IdlePlan {
  GatheringPlan gathering;
  std::chrono::seconds duration{60};
  /// Every connection gives a sign of life so often, and is answered.
  std::chrono::seconds between_pings{10};
  const ServerProcess* server = nullptr;
  bool progress = true;
};

/// Two players in each room, who only send pings.
Report idle(const Target& target, const IdlePlan& plan, Protocol& protocol);

}  // namespace tictactoe::load
