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

namespace {

void draw_one_server(Plan& plan, Random& random) {
  // Some rates are drawn over three decades, so that seeds differ in their faults.
  const auto stretched = [&](std::uint32_t mean_ms) {
    static constexpr std::array<std::uint32_t, 6> tenths{3, 5, 10, 10, 30, 100};
    return mean_ms * tenths[random.below(tenths.size())] / 10;
  };
  const auto some = [&](std::uint32_t bound) {
    return static_cast<std::uint32_t>(random.below(bound));
  };
  plan.latency = Time(random.between(200, 20'000));
  plan.rate(Fault::splits) = some(300);
  plan.rate(Fault::delays) = some(10);
  plan.rate(Fault::drops) = stretched(400);
  plan.rate(Fault::stalls) = stretched(1'000);
  plan.rate(Fault::garbage) = some(6);
  plan.rate(Fault::repeats) = some(100);
  plan.rate(Fault::floods) = some(3);
  plan.rate(Fault::kills) = stretched(8'000);
  plan.rate(Fault::stops) = stretched(40'000);
  plan.rate(Fault::disk) = stretched(30'000);
  plan.commit = Time(random.between(100, 10'000));
  plan.rate(Fault::slowness) = some(50);
  plan.socket_bytes = random.between(200, 8192);

  server::Limits& limits = plan.server.limits;
  plan.server.ai_delay = milliseconds(random.between(0, random.percent(20) ? 5000 : 600));
  limits.server_frame_bytes = std::size_t{12} * 1024;
  limits.outbox_bytes = random.between(13 * 1024, 30 * 1024);
  limits.all_outboxes_bytes = random.percent(30) ? std::size_t{100} * 1024 : std::size_t{8} << 20;
  limits.max_side = 20;
  limits.connections_per_address = random.percent(10) ? 25 : 0;
  if (random.percent(10)) limits.pending_connections = 20;
  if (random.percent(20)) limits.rooms_per_player = 1;
  if (random.percent(10)) limits.players = plan.clients + 10;
  limits.default_grace = seconds(random.between(2, 60));
  limits.restart_grace = seconds(random.between(0, 20));
  limits.max_hold = std::chrono::minutes(10);
  limits.name_hold = random.percent(30) ? std::chrono::minutes(2) : std::chrono::hours(24);
  limits.kept_updates = random.percent(20) ? random.below(5) : 64;
  limits.kept_chat = random.between(1, 20);
  limits.rooms = random.percent(20) ? 40 : 5000;
  limits.watchers_per_room = random.percent(30) ? 2 : 100;
  limits.rooms_per_list = random.between(5, 50);
  limits.connections = random.percent(10) ? 150 : 10'000;
}

void draw_lobby(Plan& plan, Random& random) {
  const auto stretched = [&](std::uint32_t mean_ms) {
    static constexpr std::array<std::uint32_t, 5> tenths{5, 10, 10, 20, 50};
    return mean_ms * tenths[random.below(tenths.size())] / 10;
  };
  const auto some = [&](std::uint32_t bound) {
    return static_cast<std::uint32_t>(random.below(bound));
  };
  plan.requests = 20'000;
  plan.clients = 60;
  plan.think = milliseconds(400);
  plan.patience = seconds(4);
  plan.unheard = seconds(60);  // a takeover starts the hold again
  plan.commit = Time(random.between(200, 10'000));
  plan.rate(Fault::drops) = stretched(1'000);
  plan.rate(Fault::kills) = stretched(20'000);
  plan.rate(Fault::pauses) = stretched(20'000);
  plan.rate(Fault::stops) = stretched(60'000);
  plan.rate(Fault::cuts) = stretched(30'000);
  plan.rate(Fault::isolation) = stretched(40'000);
  plan.rate(Fault::answers) = stretched(10'000);
  plan.rate(Fault::commits) = some(30);
  plan.rate(Fault::slowness) = some(20);
  plan.rate(Fault::upgrades) = stretched(12'000);
  plan.latency = Time(random.between(200, 20'000));
  plan.rate(Fault::splits) = some(50);
  plan.rate(Fault::delays) = some(5);
  plan.socket_bytes = 65'536;

  server::Limits& limits = plan.server.limits;
  plan.server.server_id = 1;
  plan.server.ai_delay = milliseconds(random.between(0, 600));
  limits.connections_per_address = 0;
  limits.requests_per_second = 0;
  limits.default_grace = seconds(120);
  // Clients that have lost their tokens never return to their seats. All holds end while the
  // servers come to rest.
  limits.max_hold = std::chrono::minutes(5);
  limits.name_hold = seconds(180);
  limits.restart_grace = seconds(120);
  limits.kept_chat = random.between(2, 20);
  limits.kept_updates = random.percent(20) ? random.below(5) : 64;
  limits.rooms_per_list = random.between(5, 50);
}

Plan empty_plan(std::uint64_t seed, std::uint32_t servers) {
  Plan plan;
  plan.seed = seed;
  plan.servers = servers;
  plan.server.keeps_records = true;
  plan.server.key_cost.log2_n = 1;
  return plan;
}

template <class Enum, std::size_t count>
std::optional<Enum> parse(std::string_view name, const std::array<std::string_view, count>& names) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

/// Both enums have the same order from `first` on.
template <class Mistake>
Mistake mistake_of(Plant plant, Plant first, Mistake first_mistake, Mistake last_mistake) {
  const int mistake =
      static_cast<int>(plant) - static_cast<int>(first) + static_cast<int>(first_mistake);
  return plant < first || mistake > static_cast<int>(last_mistake) ? Mistake::none
                                                                   : static_cast<Mistake>(mistake);
}

}  // namespace

Plan Plan::from_seed(std::uint64_t seed, std::uint32_t servers) {
  Plan plan = empty_plan(seed, servers);
  Random random(seed ^ 0x706c616e);
  plan.is_shared() ? draw_lobby(plan, random) : draw_one_server(plan, random);
  return plan;
}

Plan Plan::siege_from_seed(std::uint64_t seed) {
  Plan plan = empty_plan(seed, 1);
  Random random(seed ^ 0x7369656765);
  plan.clients = 60;
  // At least one of each Malice.
  plan.hostiles = static_cast<std::uint32_t>(random.between(11, 22));
  plan.latency = Time(random.between(200, 20'000));
  plan.commit = Time(random.between(100, 5'000));
  plan.socket_bytes = random.between(1'000, 8'192);

  server::Limits& limits = plan.server.limits;
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
  limits.max_hold = std::chrono::minutes(10);
  return plan;
}

std::optional<Fault> parse_fault(std::string_view name) {
  return parse<Fault>(name, fault_names);
}
std::optional<Plant> parse_plant(std::string_view name) {
  return parse<Plant>(name, plant_names);
}

server::Mistake core_mistake(Plant plant) {
  return mistake_of(plant, Plant::shared_seat, server::Mistake::shared_seat,
                    server::Mistake::refilled_bucket);
}

SharedStore::Mistake store_mistake(Plant plant) {
  return mistake_of(plant, Plant::commit_without_epoch, SharedStore::Mistake::commit_without_epoch,
                    SharedStore::Mistake::read_before_epoch);
}

}  // namespace tictactoe::simulation
