#include "tests/simulation/plan.hpp"

#include <algorithm>
#include <cstring>

namespace tictactoe::simulation {

using std::chrono::milliseconds;
using std::chrono::seconds;

void Digest::add(std::string_view bytes) {
  add(bytes.size());
  for (; bytes.size() >= sizeof(std::uint64_t); bytes.remove_prefix(sizeof(std::uint64_t))) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof(word));
    add(word);
  }
  std::uint64_t rest = 0;
  if (!bytes.empty()) std::memcpy(&rest, bytes.data(), bytes.size());
  add(rest);
}

Plan Plan::from_seed(std::uint64_t seed) {
  Random random(seed ^ 0x706c616e);
  Plan plan;
  plan.seed = seed;
  // Half of the rates are drawn over three decades, so that seeds differ in their faults.
  const auto stretched = [&](Time mean) {
    static constexpr std::array<int, 6> tenths{3, 5, 10, 10, 30, 100};
    return mean * tenths[random.below(tenths.size())] / 10;
  };
  plan.latency = Time(random.between(200, 20'000));
  plan.split = static_cast<std::uint32_t>(random.below(300));
  plan.late = static_cast<std::uint32_t>(random.below(10));
  plan.drop_every = stretched(plan.drop_every);
  plan.stall_every = stretched(plan.stall_every);
  plan.garbage = static_cast<std::uint32_t>(random.below(6));
  plan.repeat = static_cast<std::uint32_t>(random.below(100));
  plan.flood = static_cast<std::uint32_t>(random.below(3));
  plan.kill_every = stretched(plan.kill_every);
  plan.stop_every = stretched(plan.stop_every);
  plan.disk_full_every = stretched(plan.disk_full_every);
  plan.commit = Time(random.between(100, 10'000));
  plan.slow_commit = static_cast<std::uint32_t>(random.below(50));
  plan.socket_bytes = random.between(200, 8192);

  core::Limits& limits = plan.server.limits;
  plan.server.ai_delay = milliseconds(random.between(0, random.percent(20) ? 5000 : 600));
  limits.server_frame_bytes = std::size_t{12} * 1024;
  limits.outbox_bytes = random.between(13 * 1024, 30 * 1024);
  limits.all_outboxes_bytes = random.percent(30) ? std::size_t{100} * 1024 : std::size_t{8} << 20;
  limits.max_side = 20;
  plan.server.key_cost.log2_n = 1;
  limits.connections_per_address = random.percent(10) ? 25 : 0;
  if (random.percent(10)) limits.pending_connections = 20;
  if (random.percent(20)) limits.rooms_per_player = 1;
  if (random.percent(10)) limits.players = plan.clients + 10;
  limits.default_grace = seconds(random.between(2, 60));
  limits.restart_grace = seconds(random.between(0, 20));
  limits.longest_hold = std::chrono::minutes(10);
  limits.name_hold = random.percent(30) ? std::chrono::minutes(2) : std::chrono::hours(24);
  limits.kept_updates = random.percent(20) ? random.below(5) : 64;
  limits.kept_chat = random.between(1, 20);
  limits.rooms = random.percent(20) ? 40 : 5000;
  limits.watchers_per_room = random.percent(30) ? 2 : 100;
  limits.rooms_per_list = random.between(5, 50);
  limits.connections = random.percent(10) ? 150 : 10'000;
  return plan;
}

Plan Plan::siege_from_seed(std::uint64_t seed) {
  Random random(seed ^ 0x7369656765);
  Plan plan;
  plan.seed = seed;
  plan.clients = 60;
  // At least one of each Malice.
  plan.hostiles = static_cast<std::uint32_t>(random.between(11, 22));
  plan.faults = 0;
  plan.latency = Time(random.between(200, 20'000));
  plan.commit = Time(random.between(100, 5'000));
  plan.socket_bytes = random.between(1'000, 8'192);

  core::Limits& limits = plan.server.limits;
  plan.server.ai_delay = milliseconds(random.between(0, 600));
  limits.server_frame_bytes = std::size_t{12} * 1024;
  limits.outbox_bytes = std::size_t{30} * 1024;
  // Less than what all hostile clients may leave unread.
  limits.all_outboxes_bytes = std::size_t{1} << 20;
  limits.max_side = 20;
  // Each is more than the honest clients need, and less than the hostile ones try.
  limits.connections = 200;
  limits.connections_per_address = 24;
  limits.pending_connections = 60;
  limits.pending_per_address = 20;
  limits.newcomer_burst = 20;
  limits.players = 300;
  limits.rooms = 250;
  limits.rooms_per_address = 40;
  limits.absences_per_address = 20;
  // Honest clients join rooms at random that are not there any more.
  limits.room_attempts.free_per_address = 1'000'000;
  limits.room_attempts.free_per_network = 1'000'000;
  limits.name_attempts.free_per_address = 1'000'000;
  limits.name_attempts.free_per_network = 1'000'000;
  // Honest clients do not wait for these answers.
  limits.look_ups_per_connection = 20;
  limits.look_ups_per_address = 100;
  limits.look_ups_per_network = 1'000;
  limits.look_ups = 1'000;
  limits.hints_per_connection = 20;
  // Honest clients invite a few players again and again.
  limits.invitation_burst = 1'000;
  limits.invitations_per_minute = 1'000;
  limits.default_grace = seconds(random.between(20, 60));
  limits.longest_hold = std::chrono::minutes(10);
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

std::optional<Fault> parse_fault(std::string_view name) {
  return parse<Fault>(name, fault_names);
}

std::optional<Plant> parse_plant(std::string_view name) {
  return parse<Plant>(name, plant_names);
}

core::Mistake mistake_of(Plant plant) {
  if (plant < Plant::shared_seat) return core::Mistake::none;
  const int order = static_cast<int>(plant) - static_cast<int>(Plant::shared_seat);
  return static_cast<core::Mistake>(static_cast<int>(core::Mistake::shared_seat) + order);
}

std::string_view name(Fault fault) {
  return fault_names[static_cast<std::size_t>(fault)];
}

std::string_view name(Plant plant) {
  return plant_names[static_cast<std::size_t>(plant)];
}

}  // namespace tictactoe::simulation
