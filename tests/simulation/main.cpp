// Runs simulations from the command line: one seed, or fresh seeds for some minutes.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <random>

#include "tests/simulation/lobby_simulation.hpp"
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
  const bool siege = options.siege || (!options.seed && seed % 4 == 0);
  Plan plan = siege ? Plan::siege_from_seed(seed) : Plan::from_seed(seed);
  if (options.requests) plan.requests = *options.requests;
  if (options.clients) plan.clients = *options.clients;
  plan.sql = options.sql;
  plan.plant = *parse_plant(options.plant);
  for (const std::string& fault : options.without) plan.leave_out(*parse_fault(fault));
  return plan;
}

void print_failure(const Plan& plan, const Result& result) {
  for (const std::string& line : result.trace) std::cout << "  " << line << "\n";
  std::cout << "seed " << plan.seed << (plan.hostiles > 0 ? " (--siege)" : "") << " FAILED at step "
            << result.steps << ", request " << result.requests << ": "
            << name(result.violation->checker) << ": " << result.violation->what() << "\n";
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

void print_details(const Result& result) {
  for (const auto& [reason, games] : result.ends) {
    std::cout << "  " << v1::Outcome::Reason_Name(reason) << " " << games << "\n";
  }
  print_answers(result.answers);
}

LobbyPlan lobby_plan_for(std::uint64_t seed, const Options& options) {
  LobbyPlan plan = LobbyPlan::from_seed(seed);
  plan.servers = options.servers;
  if (options.requests) plan.requests = *options.requests;
  if (options.clients) plan.clients = *options.clients;
  plan.plant = *parse_lobby_plant(options.plant);
  for (const std::string& fault : options.without) plan.leave_out(*parse_lobby_fault(fault));
  return plan;
}

bool run_lobby(std::uint64_t seed, const Options& options) {
  const auto begin = std::chrono::steady_clock::now();
  const LobbyResult result = simulate(lobby_plan_for(seed, options), options.trace);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  if (options.verbose) print_answers(result.answers);
  if (result.violation) {
    for (const std::string& line : result.trace) std::cout << "  " << line << "\n";
    std::cout << "seed " << seed << " (--servers " << options.servers << ") FAILED at step "
              << result.steps << ", request " << result.requests << ": "
              << name(result.violation->checker) << ": " << result.violation->what() << "\n";
    return false;
  }
  std::cout << "seed " << seed << ": " << result.requests << " requests, " << result.repeats
            << " of them again, " << result.redirects << " redirects, " << result.returns
            << " returns, " << result.games << " games, " << result.starts << " starts of servers, "
            << result.takeovers << " takeovers, " << result.rooms_moved << " rooms moved, "
            << result.losses << " servers ended themselves, " << result.fenced
            << " commits fenced of " << result.commits << ", "
            << std::chrono::duration_cast<std::chrono::seconds>(result.time).count()
            << " s of their time in " << took.count() << " s, digest " << std::hex << result.digest
            << std::dec << "\n";
  return true;
}

bool run_one(std::uint64_t seed, const Options& options) {
  if (options.servers > 1) return run_lobby(seed, options);
  Plan plan = plan_for(seed, options);
  const auto begin = std::chrono::steady_clock::now();
  Result result = simulate(plan, options.trace);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  if (result.violation && options.narrow) {
    plan = narrowed_down(plan, result);
    result = simulate(plan, options.trace);
    std::cout << "narrowed down to " << plan.clients << " clients and the faults";
    for (std::size_t fault = 0; fault < fault_names.size(); ++fault) {
      if (plan.has(static_cast<Fault>(fault))) std::cout << " " << fault_names[fault];
    }
    std::cout << "\n";
  }
  if (options.verbose) print_details(result);
  if (result.violation) {
    print_failure(plan, result);
    return false;
  }
  std::cout << "seed " << seed << (plan.hostiles > 0 ? " (siege)" : "") << ": " << result.requests
            << " requests, " << result.games << " games, " << result.deaths
            << " ends of the server, " << result.records << " records in " << result.commits
            << " commits, " << std::chrono::duration_cast<std::chrono::seconds>(result.time).count()
            << " s of its time in " << took.count() << " s, digest " << std::hex << result.digest
            << std::dec << "\n";
  return true;
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
  CLI::App app("Simulates a server with its clients, network and disk, and checks what they see.");
  Options options;
  app.add_option("--seed", options.seed, "What happens; by default something new each time");
  app.add_option("--requests", options.requests, "Requests of all clients until the faults stop");
  app.add_option("--clients", options.clients, "Clients")->check(CLI::Range(1, 100'000));
  app.add_option("--minutes", options.minutes, "Go on with fresh seeds for so long")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--trace", options.trace, "Lines to show of what led to a failure");
  app.add_option("--plant", options.plant, "Make a mistake on purpose, to see it found")
      ->check([](const std::string& text) {
        return parse_plant(text) || parse_lobby_plant(text) ? std::string()
                                                            : "no such mistake: " + text;
      });
  app.add_option("--without", options.without, "Leave out a kind of fault")
      ->check([](const std::string& text) {
        return parse_fault(text) || parse_lobby_fault(text) ? std::string()
                                                            : "no such fault: " + text;
      });
  app.add_option("--servers", options.servers,
                 "Servers that share a store; with more than one, only --seed, --requests,\n"
                 "--clients, --minutes, --trace, --plant, --without and --verbose apply")
      ->check(CLI::Range(1, 9));
  app.add_flag("--siege", options.siege, "Hostile clients among honest ones, and no other faults");
  app.add_flag("--sql", options.sql, "Keep the journal in a real SQLite database, in memory");
  app.add_flag("--narrow", options.narrow, "Find out which faults and clients a failure needs");
  app.add_flag("--verbose", options.verbose, "Show what was asked, and how it was answered");
  CLI11_PARSE(app, argc, argv);
  const bool is_lobby = options.servers > 1;
  if (is_lobby ? !parse_lobby_plant(options.plant) : !parse_plant(options.plant)) {
    std::cerr << "--plant " << options.plant << " needs "
              << (is_lobby ? "one server" : "several servers, as --servers 3") << "\n";
    return 1;
  }
  for (const std::string& fault : options.without) {
    if (is_lobby ? parse_lobby_fault(fault).has_value() : parse_fault(fault).has_value()) continue;
    std::cerr << "--without " << fault << " needs "
              << (is_lobby ? "one server" : "several servers, as --servers 3") << "\n";
    return 1;
  }
  return run(options);
}
