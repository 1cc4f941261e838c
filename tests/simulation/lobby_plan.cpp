#include "tests/simulation/lobby_plan.hpp"

#include <algorithm>

namespace tictactoe::simulation {

using std::chrono::seconds;

LobbyPlan LobbyPlan::from_seed(std::uint64_t seed) {
  Random random(seed ^ 0x6c6f626279);
  LobbyPlan plan;
  plan.seed = seed;
  const auto stretched = [&](Time mean) {
    static constexpr std::array<int, 5> tenths{5, 10, 10, 20, 50};
    return mean * tenths[random.below(tenths.size())] / 10;
  };
  plan.commit = Time(random.between(200, 10'000));
  plan.drop_every = stretched(plan.drop_every);
  plan.kill_every = stretched(plan.kill_every);
  plan.pause_every = stretched(plan.pause_every);
  plan.stop_every = stretched(plan.stop_every);
  plan.cut_every = stretched(plan.cut_every);
  plan.isolate_every = stretched(plan.isolate_every);
  plan.lose_answer_every = stretched(plan.lose_answer_every);
  plan.bad_commits = static_cast<std::uint32_t>(random.below(30));
  plan.slow_calls = static_cast<std::uint32_t>(random.below(20));

  Plan& network = plan.network;
  network.seed = seed;
  network.latency = Time(random.between(200, 20'000));
  network.split = static_cast<std::uint32_t>(random.below(50));
  network.late = static_cast<std::uint32_t>(random.below(5));
  network.socket_bytes = 65'536;
  core::Config& server = network.server;
  server.keeps_records = true;
  server.server_id = 1;
  server.key_cost.log2_n = 1;
  server.ai_delay = std::chrono::milliseconds(random.between(0, 600));
  core::Limits& limits = server.limits;
  limits.connections_per_address = 0;
  limits.requests_per_second = 0;
  limits.default_grace = seconds(120);
  limits.name_hold = seconds(180);
  limits.restart_grace = seconds(120);
  limits.kept_chat = random.between(2, 20);
  limits.kept_updates = random.percent(20) ? random.below(5) : 64;
  limits.rooms_per_list = random.between(5, 50);
  plan.upgrade_every = stretched(plan.upgrade_every);
  return plan;
}

namespace {

template <class Enum, std::size_t count>
std::optional<Enum> parse(std::string_view name, const std::array<std::string_view, count>& names) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

}  // namespace

std::optional<LobbyFault> parse_lobby_fault(std::string_view name) {
  return parse<LobbyFault>(name, lobby_fault_names);
}

std::optional<LobbyPlant> parse_lobby_plant(std::string_view name) {
  return parse<LobbyPlant>(name, lobby_plant_names);
}

SharedStore::Mistake store_mistake_of(LobbyPlant plant) {
  switch (plant) {
    case LobbyPlant::commit_without_epoch:
      return SharedStore::Mistake::commit_without_epoch;
    case LobbyPlant::blind_retry:
      return SharedStore::Mistake::blind_retry;
    case LobbyPlant::read_before_epoch:
      return SharedStore::Mistake::read_before_epoch;
    default:
      return SharedStore::Mistake::none;
  }
}

}  // namespace tictactoe::simulation
