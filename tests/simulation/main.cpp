// Runs simulations from the command line: one seed, or fresh seeds for some minutes.
#include <CLI/CLI.hpp>
#include <chrono>
#include <iostream>
#include <random>

#include "common/program/help.hpp"
#include "common/program/units.hpp"
#include "tests/simulation/simulation.hpp"

namespace tictactoe::simulation {
namespace {

struct Options {
  std::optional<std::uint64_t> seed;
  std::optional<std::uint64_t> requests;
  std::optional<std::uint32_t> clients;
  double minutes = 0;
  std::size_t trace = 60;
  std::string plant = "none";
  std::vector<std::string> without;
  std::uint32_t servers = 1;
  bool siege = false;
  bool sql = false;
  bool narrow = false;
  bool verbose = false;
};

Plan plan_for(std::uint64_t seed, const Options& options) {
  // Hostile clients in every fourth of the fresh seeds.
  const bool siege = options.siege || (!options.seed && options.servers == 1 && seed % 4 == 0);
  Plan plan = siege ? Plan::siege_from_seed(seed) : Plan::from_seed(seed, options.servers);
  if (options.requests) plan.requests = *options.requests;
  if (options.clients) plan.clients = *options.clients;
  plan.sql = options.sql;
  plan.plant = *parse_plant(options.plant);
  for (const std::string& fault : options.without) plan.rate(*parse_fault(fault)) = 0;
  return plan;
}

void print_answers(const std::map<std::uint64_t, std::uint64_t>& answers) {
  for (const auto& [key, count] : answers) {
    const auto* field =
        v1::ClientMessage::descriptor()->FindFieldByNumber(static_cast<int>(key / 1000));
    std::cout << "  " << (field == nullptr ? "nothing" : field->name()) << " "
              << (key % 1000 == 0 ? "granted"
                                  : v1::Error::Code_Name(static_cast<v1::Error::Code>(key % 1000)))
              << " " << count << "\n";
  }
}

void print_result(const Plan& plan, const Result& result) {
  std::cout << "seed " << plan.seed << (plan.hostiles > 0 ? " (--siege)" : "");
  if (plan.is_shared()) std::cout << " (--servers " << plan.servers << ")";
  if (result.violation) {
    std::cout << " FAILED at step " << result.steps << ", request " << result.requests << ": "
              << name(result.violation->checker) << ": " << result.violation->what() << "\n";
    return;
  }
  std::cout << ": " << result.requests << " requests, " << result.repeats << " of them again, "
            << result.returns << " returns, " << result.games << " games, " << result.states
            << " states, " << result.commits << " commits, " << result.starts
            << " starts of servers, ";
  if (plan.is_shared()) {
    std::cout << result.redirects << " redirects, " << result.takeovers << " takeovers, "
              << result.rooms_moved << " rooms moved, " << result.losses
              << " servers ended themselves, " << result.fenced << " commits fenced, ";
  }
  std::cout << std::chrono::duration_cast<std::chrono::seconds>(result.time).count()
            << " s of their time, digest " << std::hex << result.digest << std::dec << "\n";
}

bool run_one(std::uint64_t seed, const Options& options) {
  Plan plan = plan_for(seed, options);
  Result result = simulate(plan, options.trace);
  if (result.violation && options.narrow) {
    plan = narrowed_down(plan, result);
    result = simulate(plan, options.trace);
    std::cout << "narrowed down to " << plan.clients << " clients and the faults";
    for (std::size_t fault = 0; fault < fault_names.size(); ++fault) {
      if (plan.rates[fault] != 0) std::cout << " " << fault_names[fault];
    }
    std::cout << "\n";
  }
  if (options.verbose) print_answers(result.answers);
  for (const std::string& line : result.trace) std::cout << "  " << line << "\n";
  print_result(plan, result);
  return !result.violation;
}

int run(const Options& options) {
  std::random_device device;
  const auto fresh = [&] { return std::uint64_t{device()} << 16 ^ device(); };
  const auto until = std::chrono::steady_clock::now() +
                     std::chrono::duration<double, std::ratio<60>>(options.minutes);
  std::uint64_t seed = options.seed ? *options.seed : fresh();
  do {
    std::cout << "seed " << seed << std::endl;
    if (!run_one(seed, options)) return 1;
    seed = fresh();
  } while (std::chrono::steady_clock::now() < until);
  return 0;
}

}  // namespace
}  // namespace tictactoe::simulation

int main(int argc, char** argv) {
  using namespace tictactoe::simulation;
  namespace program = tictactoe::program;
  CLI::App app(
      "Simulates servers with their clients, network and stores, and checks what they see.");
  app.formatter(std::make_shared<program::HelpFormatter>());
  Options options;
  const auto known = [](auto parse) {
    return [parse](const std::string& text) { return parse(text) ? "" : "unknown: " + text; };
  };
  app.add_option("--seed", options.seed, "What happens; by default something new each time")
      ->transform(program::any_number());
  app.add_option("--requests", options.requests, "Requests of all clients until the faults stop")
      ->transform(program::any_number());
  app.add_option("--clients", options.clients, "Clients")
      ->transform(program::number_in(1, 100'000));
  app.add_option("--minutes", options.minutes, "Go on with fresh seeds for this time")
      ->transform(program::decimal_in(0, 1e6));
  app.add_option("--trace", options.trace, "Lines to show of what led to a failure")
      ->transform(program::any_number());
  app.add_option("--plant", options.plant, "Make a mistake on purpose, to see it found")
      ->check(known(parse_plant));
  app.add_option("--without", options.without, "Leave out a kind of fault")
      ->check(known(parse_fault));
  auto* const servers = app.add_option("--servers", options.servers, "Servers that share a store")
                            ->transform(program::number_in(1, 9));
  app.add_flag("--siege", options.siege, "Hostile clients among honest ones, and no other faults")
      ->excludes(servers);
  app.add_flag("--sql", options.sql, "Keep the records in a real SQLite database, in memory")
      ->excludes(servers);
  app.add_flag("--narrow", options.narrow, "Find out which faults and clients a failure needs");
  app.add_flag("--verbose", options.verbose, "Show what was asked, and how it was answered");
  CLI11_PARSE(app, argc, argv);
  if (!Plan::can_plant(*parse_plant(options.plant), options.servers)) {
    std::cerr << "--plant " << options.plant << " needs "
              << (options.servers > 1 ? "one server" : "several servers, as --servers 3") << "\n";
    return 1;
  }
  return run(options);
}
