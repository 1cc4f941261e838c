#include "tests/simulation/simulation.hpp"

#include <algorithm>
#include <utility>

namespace tictactoe::simulation {

using std::chrono::milliseconds;
using std::chrono::seconds;

Simulation::Simulation(const Plan& plan)
    : plan_(plan),
      random_(plan.seed),
      trace_(agenda_),
      shared_({plan.server.limits.kept_chat, [this] { return agenda_.unix_ms(); },
               store_mistake(plan.plant)}),
      watch_(plan.server.limits.outbox_bytes, agenda_, history_, trace_),
      network_(plan_, agenda_, Random(random_.next()), digest_),
      world_{plan_,   agenda_,  network_, plan.is_shared() ? nullptr : &watch_,
             shared_, history_, trace_},
      was_up_(plan.servers),
      is_isolated_(plan.servers) {
  world_.listens.resize(plan_.servers);
  world_.down_since = Time(0);
  const Surroundings around{plan_, agenda_, digest_, network_, shared_, world_.watch};
  for (std::uint32_t server = 0; server < plan_.servers; ++server) {
    machines_.push_back(std::make_unique<Machine>(around, server, Random(random_.next())));
  }
  for (std::uint32_t number = 0; number < plan_.clients; ++number) {
    clients_.push_back(std::make_unique<Client>(world_, number, Random(random_.next())));
  }
  for (std::uint32_t number = 0; number < plan_.hostiles; ++number) {
    hostiles_.push_back(std::make_unique<Hostile>(world_, plan_.clients + number,
                                                  plan_.malice.value_or(Malice(number % malices)),
                                                  Random(random_.next())));
  }
}

// Faults ------------------------------------------------------------------------------------------

template <class Happens>
void Simulation::again_and_again(Fault fault, Happens happens) {
  if (plan_.rate(fault) == 0) return;
  agenda_.in(random_.around(milliseconds(plan_.rate(fault))), [this, fault, happens] {
    if (world_.finishing) return;
    happens();
    again_and_again(fault, happens);
  });
}

void Simulation::again_and_again(Fault fault, const char* what,
                                 void (Simulation::*happens)(Machine&)) {
  again_and_again(fault, [this, what, happens] {
    Machine& machine = some_machine();
    if (!machine.is_up()) return;
    trace_.note([&] { return "server " + std::to_string(machine.number()) + what; });
    (this->*happens)(machine);
  });
}

void Simulation::plan_faults() {
  again_and_again(Fault::drops, [this] {
    if (random_.percent(plan_.is_shared() ? 5 : 15)) {
      clients_[random_.below(clients_.size())]->restart();
    } else if (const Link link = network_.some_link(); link != 0) {
      network_.cut(link, static_cast<Cut>(random_.below(3)));
    }
  });
  again_and_again(Fault::stalls, [this] { stall(); });
  again_and_again(Fault::answers, [this] { some_machine().lose_an_answer(); });
  again_and_again(Fault::kills, " is killed", &Simulation::kill);
  again_and_again(Fault::pauses, " is paused", &Simulation::pause);
  again_and_again(Fault::stops, " is stopped", &Simulation::stop);
  again_and_again(Fault::upgrades, " is upgraded", &Simulation::upgrade);
  again_and_again(Fault::cuts, " loses the store", &Simulation::cut_off);
  again_and_again(Fault::isolation, " loses its clients", &Simulation::isolate);
  again_and_again(Fault::disk, " has a full disk", &Simulation::fill_disk);
}

void Simulation::stall() {
  const Link link = network_.some_link();
  if (link == 0) return;
  // Some only do not read for a while; some stand still for longer than they are waited for.
  const bool stands_still = random_.percent(30);
  const Time until =
      agenda_.now() + random_.between(milliseconds(10), seconds(stands_still ? 60 : 10));
  network_.stall(link, until);
  if (stands_still) clients_[network_.client_of(link)]->stop_until(until);
}

void Simulation::pause(Machine& machine) {
  machine.pause(agenda_.now() + random_.between(milliseconds(500), 2 * plan_.lease));
}

void Simulation::stop(Machine& machine) {
  plan_.is_shared() || random_.percent(50) ? machine.stop() : machine.drain();
}

void Simulation::cut_off(Machine& machine) {
  machine.cut_off_store(true);
  agenda_.in(random_.between(milliseconds(100), 2 * plan_.lease),
             [&machine] { machine.cut_off_store(false); });
}

void Simulation::isolate(Machine& machine) {
  is_isolated_[machine.number()] = true;
  network_.cut_all(machine.number(), Cut::server_deaf);
  agenda_.in(random_.between(milliseconds(500), seconds(8)),
             [this, server = machine.number()] { is_isolated_[server] = false; });
}

void Simulation::fill_disk(Machine& machine) {
  machine.set_disk(random_.percent(50) ? server::JournalHealth::low_space
                                       : server::JournalHealth::stalled);
  agenda_.in(random_.around(seconds(3)),
             [&machine] { machine.set_disk(server::JournalHealth::good); });
}

void Simulation::restart_later(std::uint32_t server, Time delay) {
  agenda_.in(delay, [this, server] {
    trace_.note([&] { return "server " + std::to_string(server) + " starts"; });
    if (!machines_[server]->start()) return restart_later(server, milliseconds(500));
    was_up_[server] = true;
    if (world_.down_since) world_.down += agenda_.now() - *std::exchange(world_.down_since, {});
  });
}

// A run -------------------------------------------------------------------------------------------

void Simulation::step() {
  require(!agenda_.empty(), Checker::rest, "nothing happens any more");
  agenda_.step();
  ++steps_;
  for (std::uint32_t server = 0; server < plan_.servers; ++server) {
    if (was_up_[server] && !machines_[server]->is_up()) {
      was_up_[server] = false;
      if (std::ranges::find(was_up_, true) == was_up_.end()) world_.down_since = agenda_.now();
      restart_later(server, random_.around(seconds(plan_.is_shared() ? 2 : 1)));
    }
    world_.listens[server] = !is_isolated_[server] && machines_[server]->listens();
  }
}

void Simulation::storm() {
  for (std::uint32_t server = 0; server < plan_.servers; ++server) restart_later(server, Time(0));
  for (const auto& client : clients_) client->start();
  for (const auto& hostile : hostiles_) hostile->start();
  plan_faults();
  // Far more than it takes: who is refused a connection for ever asks nothing.
  const std::uint64_t max_steps = (1 + plan_.hostiles) * (plan_.requests * 200 + 1'000'000);
  while (world_.requests < plan_.requests) {
    step();
    check_tables();
    require(steps_ < max_steps, Checker::rest, "hardly any request is made any more");
  }
}

void Simulation::check_tables() const {
  const server::Limits& limits = plan_.server.limits;
  for (const auto& machine : machines_) {
    if (!machine->is_up()) continue;
    const server::Host& host = machine->host();
    require(host.connections() <= limits.connections, Checker::queues, "too many connections");
    require(host.rooms() <= limits.rooms, Checker::queues, "too many rooms");
    require(host.players() <= limits.players, Checker::queues, "too many players");
  }
}

void Simulation::come_to_rest() {
  world_.finishing = true;
  network_.no_more_stalls();
  for (const auto& machine : machines_) machine->calm();
  is_isolated_.assign(plan_.servers, false);
  for (const auto& hostile : hostiles_) hostile->finish();
  for (const auto& client : clients_) client->finish();
  const Time latest = agenda_.now() + std::chrono::hours(1);
  for (;;) {
    const auto stuck = std::ranges::find_if(clients_, [](const auto& c) { return !c->is_done(); });
    if (stuck == clients_.end()) return;
    require(agenda_.now() < latest && !agenda_.empty(), Checker::rest,
            [&] { return "somebody can't finish: " + (*stuck)->describe(); });
    for (int i = 0; i < 100 && !agenda_.empty(); ++i) step();
  }
}

void Simulation::check_nothing_left() {
  if (plan_.is_shared()) {
    // Connections that servers have to miss, what is nobody's, and players whose welcome was lost.
    const Time until = agenda_.now() + 2 * plan_.server.limits.name_hold + 3 * plan_.lease;
    while (agenda_.now() < until) step();
    require(shared_.rooms() == 0, Checker::rest, "rooms are left");
    require(shared_.players() == 0, Checker::rest, "players are left");
  } else {
    const std::uint64_t max_steps = steps_ + 1'000'000;
    while (!agenda_.empty() && steps_ < max_steps) step();
    require(agenda_.empty(), Checker::rest, "the server does not come to rest");
    const server::Host& host = machines_[0]->host();
    require(host.connections() == 0, Checker::rest, "connections are left");
    require(host.rooms() == 0, Checker::rest, "rooms are left");
    require(host.players() == 0, Checker::rest, "players are left");
    const journal::v1::Saved saved = machines_[0]->saved();
    require(saved.rooms_size() == 0 && saved.players_size() == 0, Checker::rest,
            "something is left in the records");
  }
  if (!plan_.sql) check_games();
}

// Each finished game that somebody has seen is in the history, and no game is there twice. A server
// that has started again may give a serial a second time, if its room was closed.
void Simulation::check_games() const {
  std::map<std::string, std::pair<std::size_t, std::size_t>> counts;  // seen, recorded
  const auto count_of = [&](const SharedStore::GameNumber& game, const std::string& key) -> auto& {
    return counts["game " + std::to_string(game.second) + " of room " + std::to_string(game.first) +
                  ", " + key];
  };
  for (const auto& [game, key] : world_.ended) {
    const std::uint64_t room = plan_.is_shared() ? game.first : watch_.serial_of(game.first);
    ++count_of({room, game.second}, key).first;
  }
  for (const SharedStore::Game& game : shared_.games()) {
    const auto& moves = game.record.moves();
    ++count_of(game.number, key_of_game(game.record.room(), {moves.begin(), moves.end()})).second;
  }
  for (const auto& [key, count] : counts) {
    require(count.first <= count.second, Checker::permanence,
            [&] { return "a finished game is not in the history: " + key; });
    require(std::max<std::size_t>(count.first, 1) >= count.second, Checker::answers,
            [&] { return "a finished game is in the history twice: " + key; });
  }
}

Result Simulation::run() {
  Result result;
  server::planted_mistake = core_mistake(plan_.plant);
  try {
    storm();
    come_to_rest();
    check_nothing_left();
  } catch (const Violation& violation) {
    result.violation = violation;
  }
  server::planted_mistake = server::Mistake::none;
  result.digest = digest_.value();
  result.requests = world_.requests;
  result.steps = steps_;
  result.time = agenda_.now();
  for (const auto& machine : machines_) {
    result.starts += machine->starts();
    result.losses += machine->losses();
    result.commits += machine->commits();
  }
  result.takeovers = shared_.takeovers();
  result.rooms_moved = shared_.rooms_moved();
  result.fenced = shared_.fenced();
  result.redirects = world_.redirects;
  result.returns = world_.returns;
  result.repeats = world_.repeats;
  result.states = history_.states();
  result.games = history_.games();
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
    if (std::exchange(smaller.rates[fault], 0) != 0 && still_fails(smaller)) plan = smaller;
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
