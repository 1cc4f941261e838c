#include "tests/simulation/simulation.hpp"

#include <algorithm>
#include <utility>

namespace tictactoe::simulation {

using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

std::unique_ptr<Journal> make_journal(const Plan& plan) {
  if (plan.sql) return std::make_unique<SqlJournal>(plan.server.limits);
  return std::make_unique<MemoryJournal>(plan.server.limits);
}

}  // namespace

Simulation::Simulation(const Plan& plan) : Simulation(plan, make_journal(plan)) {}

Simulation::Simulation(const Plan& plan, std::unique_ptr<Journal> journal)
    : plan_(plan),
      random_(plan.seed),
      trace_(agenda_),
      journal_(std::move(journal)),
      watch_(plan.server.limits.outbox_bytes, true, agenda_, history_, trace_),
      network_(plan_, agenda_, Random(random_.next()), digest_, *this),
      machine_(plan_, agenda_, Random(random_.next()), digest_, network_, watch_, *journal_),
      world_{plan_, agenda_, network_, watch_, history_, trace_} {
  for (std::uint32_t number = 0; number < plan_.clients; ++number) {
    clients_.push_back(std::make_unique<Client>(world_, number, Random(random_.next())));
  }
  for (std::uint32_t number = 0; number < plan_.hostiles; ++number) {
    hostiles_.push_back(std::make_unique<Hostile>(world_, plan_.clients + number,
                                                  plan_.malice.value_or(Malice(number % malices)),
                                                  Random(random_.next())));
  }
}

// The network's ends ------------------------------------------------------------------------------

void Simulation::server_accepts(Link link, std::uint32_t client) {
  machine_.accept(link, client);
}
void Simulation::server_gets(Link link, std::string_view bytes) {
  if (machine_.is_up()) machine_.got(link, bytes);
}
void Simulation::server_hears_end(Link link) {
  if (machine_.is_up()) machine_.heard_end(link);
}
void Simulation::server_can_write(Link link) {
  if (machine_.is_up()) machine_.can_write(link);
}
void Simulation::client_gets(Link link, std::uint32_t client, std::string_view bytes) {
  if (Hostile* const mob = hostile(client)) return mob->got(link, bytes);
  clients_[client]->got(link, bytes);
}
void Simulation::client_hears_end(Link link, std::uint32_t client) {
  if (Hostile* const mob = hostile(client)) return mob->heard_end(link);
  clients_[client]->heard_end(link);
}
void Simulation::link_is_gone(Link link) {
  watch_.forget(link);
  machine_.forget(link);
}

// Faults ------------------------------------------------------------------------------------------

template <class Happens>
void Simulation::again_and_again(Fault fault, Time mean, Happens happens) {
  if (!plan_.has(fault)) return;
  agenda_.in(random_.around(mean), [this, fault, mean, happens] {
    if (world_.finishing) return;
    happens();
    again_and_again(fault, mean, happens);
  });
}

void Simulation::plan_faults() {
  again_and_again(Fault::drops, plan_.drop_every, [this] {
    const Link link = network_.some_link();
    if (random_.percent(15)) {
      clients_[random_.below(clients_.size())]->restart();
    } else if (link != 0) {
      network_.cut(link, static_cast<Cut>(random_.below(3)));
    }
  });
  again_and_again(Fault::stalls, plan_.stall_every, [this] {
    const Link link = network_.some_link();
    if (link == 0) return;
    // Some only do not read for a while; some stand still for longer than they are waited for.
    const bool stands_still = random_.percent(30);
    const Time until =
        agenda_.now() + random_.between(milliseconds(10), seconds(stands_still ? 60 : 10));
    network_.stall(link, until);
    if (stands_still) clients_[network_.client_of(link)]->stop_until(until);
  });
  again_and_again(Fault::kills, plan_.kill_every, [this] {
    if (!machine_.is_up()) return;
    trace_.note([&] { return "the server is killed"; });
    machine_.kill();
  });
  again_and_again(Fault::stops, plan_.stop_every, [this] {
    if (!machine_.is_up()) return;
    trace_.note([&] { return "the server is stopped"; });
    random_.percent(50) ? machine_.stop() : machine_.drain();
  });
  again_and_again(Fault::disk, plan_.disk_full_every, [this] {
    trace_.note([&] { return "the disk is full"; });
    machine_.set_disk(random_.percent(50) ? core::Recording::low : core::Recording::stalled);
    agenda_.in(random_.around(seconds(3)), [this] { machine_.set_disk(core::Recording::good); });
  });
}

void Simulation::start_server() {
  trace_.note([&] { return "the server starts"; });
  machine_.start();
  was_up_ = true;
  world_.listening = true;
  world_.up_since = agenda_.now();
}

void Simulation::server_went_down() {
  was_up_ = false;
  world_.up_before = world_.up_before + (agenda_.now() - world_.up_since);
  agenda_.in(random_.around(seconds(1)), [this] { start_server(); });
}

// A run -------------------------------------------------------------------------------------------

void Simulation::step() {
  require(!agenda_.empty(), Checker::rest, "nothing happens any more");
  agenda_.step();
  ++steps_;
  if (was_up_ && !machine_.is_up()) server_went_down();
  world_.listening = was_up_;
}

void Simulation::storm() {
  start_server();
  for (const auto& client : clients_) client->start();
  for (const auto& hostile : hostiles_) hostile->start();
  plan_faults();
  // Far more than it takes: who is refused a connection for ever asks nothing.
  const std::uint64_t most_steps = (1 + plan_.hostiles) * (plan_.requests * 100 + 100'000);
  while (world_.requests < plan_.requests) {
    step();
    check_tables();
    require(steps_ < most_steps, Checker::rest, "hardly any request is made any more");
  }
}

void Simulation::check_tables() const {
  if (!machine_.is_up()) return;
  const core::Limits& limits = plan_.server.limits;
  const core::Host& host = machine_.host();
  require(host.connections() <= limits.connections, Checker::queues, "too many connections");
  require(host.rooms() <= limits.rooms, Checker::queues, "too many rooms");
  require(host.players() <= limits.players, Checker::queues, "too many players");
}

void Simulation::come_to_rest() {
  world_.finishing = true;
  network_.no_more_stalls();
  machine_.calm();
  machine_.set_disk(core::Recording::good);
  for (const auto& hostile : hostiles_) hostile->finish();
  for (const auto& client : clients_) client->finish();
  const Time latest = agenda_.now() + std::chrono::hours(1);
  const auto all_done = [&] {
    return std::ranges::all_of(clients_, [](const auto& client) { return client->is_done(); });
  };
  while (!all_done()) {
    for (int i = 0; i < 100 && !agenda_.empty(); ++i) step();
    if (agenda_.now() < latest && !agenda_.empty()) continue;
    const auto stuck = std::ranges::find_if(clients_, [](const auto& c) { return !c->is_done(); });
    if (stuck == clients_.end()) break;
    throw Violation(Checker::rest, "somebody can't finish: " + (*stuck)->describe());
  }
}

void Simulation::check_nothing_left() {
  const std::uint64_t most_steps = steps_ + 1'000'000;
  while (!agenda_.empty() && steps_ < most_steps) step();
  require(agenda_.empty(), Checker::rest, "the server does not come to rest");
  require(machine_.host().connections() == 0, Checker::rest, "connections are left");
  require(machine_.host().rooms() == 0, Checker::rest, "rooms are left");
  require(machine_.host().players() == 0, Checker::rest, "players are left");
  const journal::v1::Saved saved = journal_->load();
  require(saved.rooms_size() == 0 && saved.players_size() == 0, Checker::rest,
          "something is left in the journal");
}

Result Simulation::run() {
  Result result;
  core::planted_mistake = mistake_of(plan_.plant);
  try {
    storm();
    come_to_rest();
    check_nothing_left();
  } catch (const Violation& violation) {
    result.violation = violation;
  }
  result.digest = digest_.value();
  result.requests = world_.requests;
  result.steps = steps_;
  result.time = agenda_.now();
  result.deaths = machine_.deaths();
  result.commits = machine_.commits();
  result.records = watch_.records();
  result.states = history_.states();
  result.games = history_.games();
  result.ends = history_.ends();
  result.answers = world_.answers;
  result.trace.assign(trace_.lines().begin(), trace_.lines().end());
  return result;
}

Result simulate(const Plan& plan, std::size_t trace_lines) {
  Result result = Simulation(plan).run();
  if (!result.violation || trace_lines == 0) return result;
  Simulation again(plan);
  again.follow(result.violation->room, trace_lines);
  return again.run();
}

Plan narrowed_down(Plan plan, const Result& result) {
  const auto still_fails = [&](const Plan& smaller) {
    const Result other = Simulation(smaller).run();
    return other.violation && other.violation->checker == result.violation->checker;
  };
  for (std::size_t fault = 0; fault < fault_names.size(); ++fault) {
    Plan smaller = plan;
    smaller.leave_out(static_cast<Fault>(fault));
    if (smaller.faults != plan.faults && still_fails(smaller)) plan = smaller;
  }
  for (std::uint32_t clients = plan.clients / 2; clients >= 2; clients /= 2) {
    Plan smaller = plan;
    smaller.clients = clients;
    if (!still_fails(smaller)) break;
    plan = smaller;
  }
  return plan;
}

}  // namespace tictactoe::simulation
