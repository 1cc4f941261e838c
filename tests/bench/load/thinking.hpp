// AIs that think in the middle of long games, and what others notice of it.
#pragma once

#include "tests/bench/load/report.hpp"
#include "tests/bench/load/server_process.hpp"
#include "tests/bench/load/thinking_room.hpp"

namespace tictactoe::load {

struct ThinkingPlan {
  rules::Rules rules;
  std::size_t rooms = 20;
  std::size_t plies = 100'000;  ///< even
  std::string ai_level = "suggester";
  std::size_t ai_moves = 5;  ///< in each room
  std::chrono::microseconds between_pings{2000};
  std::chrono::duration<double> before{5};  ///< how long pings are measured before
  std::chrono::seconds patience{60};        ///< without any progress
  const ServerProcess* server = nullptr;
  bool progress = true;
};

/// Plays the plies in all rooms. Then, in all rooms at once: a hint, a takeback, a hint after it,
/// and an AI that takes over a seat and makes moves. A stranger's pings are measured before and
/// meanwhile.
Report thinking(const Target& target, const ThinkingPlan& plan, Protocol& protocol);

}  // namespace tictactoe::load
