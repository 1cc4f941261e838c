#include "tests/simulation/lobby_simulation.hpp"

#include <algorithm>

namespace tictactoe::simulation {

using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr std::uint64_t unix_ms_of_zero = 1'700'000'000'000;

}  // namespace

LobbySimulation::LobbySimulation(const LobbyPlan& plan)
    : plan_(plan),
      random_(plan.seed),
      trace_(agenda_),
      shared_({plan.network.server.limits.kept_chat,
               [this] {
                 return unix_ms_of_zero +
                        static_cast<std::uint64_t>(agenda_.now() / milliseconds(1));
               },
               store_mistake_of(plan.plant)}),
      world_{plan_, agenda_, shared_, history_, trace_},
      was_up_(plan.servers),
      isolated_(plan.servers) {
  world_.listens.resize(plan_.servers);
  for (std::uint32_t server = 0; server < plan_.servers; ++server) {
    wires_.push_back(std::make_unique<Wire>(*this, server));
    world_.networks.push_back(std::make_unique<Network>(
        plan_.network, agenda_, Random(random_.next()), digest_, *wires_.back()));
    machines_.push_back(std::make_unique<LobbyMachine>(
        plan_, server, agenda_, Random(random_.next()), *world_.networks.back(), shared_));
  }
  for (std::uint32_t number = 0; number < plan_.clients; ++number) {
    clients_.push_back(std::make_unique<LobbyClient>(world_, number, Random(random_.next())));
  }
}

// The networks' ends ------------------------------------------------------------------------------

void LobbySimulation::Wire::server_accepts(Link link, std::uint32_t /*client*/) {
  simulation_.machines_[server_]->accept(link);
}
void LobbySimulation::Wire::server_gets(Link link, std::string_view bytes) {
  simulation_.machines_[server_]->got(link, bytes);
}
void LobbySimulation::Wire::server_hears_end(Link link) {
  simulation_.machines_[server_]->heard_end(link);
}
void LobbySimulation::Wire::server_can_write(Link link) {
  simulation_.machines_[server_]->can_write(link);
}
void LobbySimulation::Wire::client_gets(Link link, std::uint32_t client, std::string_view bytes) {
  simulation_.clients_[client]->got(server_, link, bytes);
}
void LobbySimulation::Wire::client_hears_end(Link link, std::uint32_t client) {
  simulation_.clients_[client]->heard_end(server_, link);
}
void LobbySimulation::Wire::link_is_gone(Link link) {
  simulation_.machines_[server_]->forget(link);
}

// Faults ------------------------------------------------------------------------------------------

template <class Happens>
void LobbySimulation::again_and_again(LobbyFault fault, Time mean, Happens happens) {
  if (!plan_.has(fault)) return;
  agenda_.in(random_.around(mean), [this, fault, mean, happens] {
    if (world_.finishing) return;
    happens();
    again_and_again(fault, mean, happens);
  });
}

std::uint32_t LobbySimulation::some_server() {
  return static_cast<std::uint32_t>(random_.below(plan_.servers));
}

void LobbySimulation::plan_faults() {
  const auto note = [this](const char* what, std::uint32_t server) {
    trace_.note([&] { return "server " + std::to_string(server) + what; });
  };
  again_and_again(LobbyFault::drops, plan_.drop_every, [this] {
    Network& network = *world_.networks[some_server()];
    if (const Link link = network.some_link(); link != 0) {
      network.cut(link, static_cast<Cut>(random_.below(3)));
    }
  });
  again_and_again(LobbyFault::kills, plan_.kill_every, [this, note] {
    const std::uint32_t server = some_server();
    note(" is killed", server);
    machines_[server]->kill();
  });
  again_and_again(LobbyFault::pauses, plan_.pause_every, [this, note] {
    const std::uint32_t server = some_server();
    note(" is paused", server);
    machines_[server]->pause(agenda_.now() + random_.between(milliseconds(500), 2 * plan_.lease));
  });
  again_and_again(LobbyFault::stops, plan_.stop_every, [this, note] {
    const std::uint32_t server = some_server();
    note(" is stopped", server);
    machines_[server]->stop();
  });
  again_and_again(LobbyFault::upgrades, plan_.upgrade_every, [this, note] {
    const std::uint32_t server = some_server();
    note(" is upgraded", server);
    machines_[server]->upgrade();
  });
  again_and_again(LobbyFault::cuts, plan_.cut_every, [this, note] {
    const std::uint32_t server = some_server();
    note(" loses the store", server);
    machines_[server]->cut_off_store(true);
    agenda_.in(random_.between(milliseconds(100), 2 * plan_.lease),
               [this, server] { machines_[server]->cut_off_store(false); });
  });
  again_and_again(LobbyFault::isolation, plan_.isolate_every, [this, note] {
    const std::uint32_t server = some_server();
    note(" loses its clients", server);
    isolated_[server] = true;
    Network& network = *world_.networks[server];
    for (std::size_t links = network.size() * 3; links > 0; --links) {
      if (const Link link = network.some_link(); link != 0) network.cut(link, Cut::server_deaf);
    }
    agenda_.in(random_.between(milliseconds(500), milliseconds(8'000)),
               [this, server] { isolated_[server] = false; });
  });
  again_and_again(LobbyFault::answers, plan_.lose_answer_every,
                  [this] { machines_[some_server()]->lose_an_answer(); });
}

void LobbySimulation::restart_later(std::uint32_t server, Time delay) {
  agenda_.in(delay, [this, server] {
    trace_.note([&] { return "server " + std::to_string(server) + " starts"; });
    if (!machines_[server]->start()) return restart_later(server, milliseconds(500));
    was_up_[server] = true;
  });
}

// A run -------------------------------------------------------------------------------------------

void LobbySimulation::step() {
  require(!agenda_.empty(), Checker::rest, "nothing happens any more");
  agenda_.step();
  ++steps_;
  for (std::uint32_t server = 0; server < plan_.servers; ++server) {
    if (was_up_[server] && !machines_[server]->is_up()) {
      was_up_[server] = false;
      restart_later(server, random_.around(seconds(2)));
    }
    world_.listens[server] = !isolated_[server] && machines_[server]->listens();
  }
  require(shared_.asides().empty(), Checker::permanence,
          [&] { return "what the servers have recorded makes no sense: " + shared_.asides()[0]; });
}

void LobbySimulation::storm() {
  for (std::uint32_t server = 0; server < plan_.servers; ++server) {
    restart_later(server, Time(0));
  }
  for (const auto& client : clients_) client->start();
  plan_faults();
  const std::uint64_t most_steps = plan_.requests * 200 + 1'000'000;
  while (world_.requests < plan_.requests) {
    step();
    require(steps_ < most_steps, Checker::rest, "hardly any request is made any more");
  }
}

void LobbySimulation::come_to_rest() {
  world_.finishing = true;
  for (std::uint32_t server = 0; server < plan_.servers; ++server) {
    world_.networks[server]->no_more_stalls();
    machines_[server]->cut_off_store(false);
    machines_[server]->calm();
    isolated_[server] = false;
  }
  for (const auto& client : clients_) client->finish();
  const Time latest = agenda_.now() + std::chrono::minutes(10);
  const auto stuck = [&] {
    return std::ranges::find_if(clients_, [](const auto& client) { return !client->is_done(); });
  };
  while (stuck() != clients_.end()) {
    for (int i = 0; i < 1'000; ++i) step();
    if (agenda_.now() < latest) continue;
    throw Violation(Checker::rest, "somebody can't finish: " + (*stuck())->describe());
  }
}

void LobbySimulation::check_nothing_left() {
  // Connections that servers have to miss, what is nobody's, and players whose welcome was lost.
  const Time until = agenda_.now() + 2 * plan_.network.server.limits.name_hold + 3 * plan_.lease;
  while (agenda_.now() < until) step();
  require(shared_.rooms() == 0, Checker::rest, "rooms are left");
  require(shared_.players() == 0, Checker::rest, "players are left");
  check_games();
}

// Each finished game that somebody has seen is in the history, and none of them twice.
void LobbySimulation::check_games() const {
  std::map<std::string, std::pair<std::size_t, std::size_t>> counts;  // seen, recorded
  for (const auto& [game, key] : world_.ended) ++counts[key].first;
  for (const SharedStore::Game& game : shared_.games()) {
    const auto& moves = game.record.moves();
    ++counts[key_of_game(game.record.room(), {moves.begin(), moves.end()})].second;
  }
  for (const auto& [key, count] : counts) {
    if (count.first == 0) continue;  // nobody was there
    require(count.first <= count.second, Checker::permanence,
            [&] { return "a finished game is not in the history: " + key; });
    require(count.first >= count.second, Checker::answers,
            [&] { return "a finished game is in the history twice: " + key; });
  }
}

LobbyResult LobbySimulation::run() {
  LobbyResult result;
  core::planted_mistake = core::Mistake::none;
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
  for (const auto& machine : machines_) {
    result.starts += machine->starts();
    result.losses += machine->losses();
  }
  result.takeovers = shared_.takeovers();
  result.rooms_moved = shared_.rooms_moved();
  result.fenced = shared_.fenced();
  result.commits = shared_.commits();
  result.redirects = world_.redirects;
  result.returns = world_.returns;
  result.repeats = world_.repeats;
  result.games = history_.games();
  result.states = history_.states();
  result.answers = world_.answers;
  result.trace.assign(trace_.lines().begin(), trace_.lines().end());
  return result;
}

LobbyResult simulate(const LobbyPlan& plan, std::size_t trace_lines) {
  LobbyResult result = LobbySimulation(plan).run();
  if (!result.violation || trace_lines == 0) return result;
  LobbySimulation again(plan);
  again.follow(result.violation->room, trace_lines);
  return again.run();
}

}  // namespace tictactoe::simulation
