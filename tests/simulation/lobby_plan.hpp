// The parameters of a simulation of several servers that share a store.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tests/simulation/plan.hpp"
#include "tests/simulation/shared_store.hpp"

namespace tictactoe::simulation {

/// Kinds of faults. Each can be left out to narrow a failure down.
enum class LobbyFault : std::uint8_t {
  drops,      ///< connections of clients end
  kills,      ///< a server is killed, and starts again with another stream
  pauses,     ///< a server stands still, often for longer than its lease
  stops,      ///< a server is stopped
  cuts,       ///< a server does not reach the store
  isolation,  ///< no client reaches a server
  commits,    ///< commits are lost, or done and the server does not know, or come late
  answers,    ///< other calls of the store are done, and the server does not know
  slowness,   ///< the store is slow
  upgrades,   ///< a server gives its rooms away and stops
};
inline constexpr std::array<std::string_view, 10> lobby_fault_names{
    "drops",     "kills",   "pauses",  "stops",    "cuts",
    "isolation", "commits", "answers", "slowness", "upgrades"};

/// Mistakes made on purpose, to prove that the checks find them.
enum class LobbyPlant : std::uint8_t {
  none,
  commit_without_epoch,    ///< see SharedStore::Mistake
  announce_before_commit,  ///< what a commit tells is announced when it is sent
  blind_retry,             ///< see SharedStore::Mistake
  read_before_epoch,       ///< see SharedStore::Mistake
};
inline constexpr std::array<std::string_view, 5> lobby_plant_names{
    "none", "commit-without-epoch", "announce-before-commit", "blind-retry", "read-before-epoch"};

struct LobbyPlan {
  std::uint64_t seed = 1;
  std::uint64_t requests = 20'000;  ///< by all clients together; then the faults stop
  std::uint32_t servers = 3;
  std::uint32_t clients = 60;
  LobbyPlant plant = LobbyPlant::none;
  Plan network;  ///< of it, what concerns the network and the servers' configuration

  Time lease{6'000'000};
  Time commit{2'000};  ///< mean duration of a call of the store
  Time think{400'000};
  Time drop_every{1'000'000};
  Time kill_every{20'000'000};
  Time pause_every{20'000'000};
  Time stop_every{60'000'000};
  Time cut_every{30'000'000};
  Time isolate_every{40'000'000};
  Time lose_answer_every{10'000'000};
  Time upgrade_every{12'000'000};
  std::uint32_t bad_commits = 10;  ///< per mille of commits
  std::uint32_t slow_calls = 5;    ///< per mille of calls that take up to a second

  std::uint32_t faults = 0x3ff;  ///< bits by LobbyFault
  bool has(LobbyFault fault) const { return (faults >> static_cast<unsigned>(fault) & 1U) != 0; }
  void leave_out(LobbyFault fault) { faults &= ~(1U << static_cast<unsigned>(fault)); }

  static LobbyPlan from_seed(std::uint64_t seed);
};

std::optional<LobbyFault> parse_lobby_fault(std::string_view name);
std::optional<LobbyPlant> parse_lobby_plant(std::string_view name);
/// The mistake that the store makes.
SharedStore::Mistake store_mistake_of(LobbyPlant plant);

}  // namespace tictactoe::simulation
