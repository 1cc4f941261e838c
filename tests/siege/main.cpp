// Attacks a running server and measures what honest players notice. See CONTRIBUTING.md.
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "common/program/help.hpp"
#include "common/program/units.hpp"
#include "tests/bench/load/failure.hpp"
#include "tests/siege/siege.hpp"

namespace tictactoe::siege {
namespace {

constexpr int held = 0;
constexpr int did_not_hold = 1;
constexpr int bad_options = 2;
constexpr int too_slow = 3;

struct Options {
  Plan plan;
  std::string attack;
  double before = 2;
  double seconds = 4;
  std::string json;
};

void declare(CLI::App& app, Options& options) {
  std::vector<std::string> names;
  for (const AttackKind& kind : attack_kinds()) names.emplace_back(kind.name);
  app.add_option("attack", options.attack, "The attack")->required()->check(CLI::IsMember(names));
  app.add_option("--host", options.plan.host, "IPv4 address of the server")->capture_default_str();
  app.add_option("--port", options.plan.port, "Its TCP port")
      ->transform(program::number_in(1, 65'535))
      ->capture_default_str();
  app.add_option(
         "--other-port", options.plan.other_port,
         "Port of a second server of its lobby, which is attacked as well; 0: there is none")
      ->transform(program::number_in(0, 65'535))
      ->capture_default_str();
  app.add_option("--server-pid", options.plan.server, "Its process, to report its memory")
      ->transform(program::any_number());
  app.add_option("--before", options.before, "Seconds before the attack")
      ->transform(program::decimal_in(0.1, 1e6))
      ->capture_default_str();
  app.add_option("--seconds", options.seconds, "Seconds of the attack")
      ->transform(program::decimal_in(0.1, 1e6))
      ->capture_default_str();
  app.add_option("--addresses", options.plan.addresses,
                 "Addresses of the attackers, 127.0.1.1 and those after it; 0: as many as the "
                 "attack needs")
      ->transform(program::number_in(0, 200))
      ->capture_default_str();
  app.add_option("--seed", options.plan.seed, "Of everything random")
      ->transform(program::any_number())
      ->capture_default_str();
  app.add_option("--patience", options.plan.patience,
                 "The bounds of times are so many times as long: for a machine that is not quiet")
      ->transform(program::number_in(1, 100))
      ->capture_default_str();
  app.add_option("--json", options.json, "File for the figures as JSON");
  std::string footer = "Attacks:\n";
  for (const AttackKind& kind : attack_kinds()) {
    footer += "  " + std::string(kind.name) + std::string(18 - std::string(kind.name).size(), ' ') +
              kind.text + "\n";
  }
  app.footer(footer +
             "\nExit status: 0 if honest players were served as promised, 1 if not, 2 for bad\n"
             "options, 3 if only their answers took too long: this machine may be the reason.");
}

void allow_many_sockets() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

int run(const Options& options) {
  allow_many_sockets();
  Plan plan = options.plan;
  plan.before = std::chrono::duration<double>(options.before);
  plan.seconds = std::chrono::duration<double>(options.seconds);
  const Verdict verdict = besiege(*find_attack(options.attack), plan);
  std::cout << verdict.report.table();
  for (const std::string& fault : verdict.faults) std::cout << "FAULT: " << fault << "\n";
  if (!options.json.empty()) {
    std::ofstream file(options.json);
    file << verdict.report.json();
    if (!file.flush()) throw load::Failure("Can't write " + options.json + ".");
  }
  for (const std::string& delay : verdict.delays) std::cout << "DELAY: " << delay << "\n";
  if (!verdict.faults.empty()) return did_not_hold;
  return verdict.delays.empty() ? held : too_slow;
}

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Attacks a tictactoe-server and measures what honest players notice.");
  app.formatter(std::make_shared<program::HelpFormatter>());
  declare(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : bad_options;
  }
  return run(options);
}

}  // namespace
}  // namespace tictactoe::siege

int main(int argc, char** argv) {
  try {
    return tictactoe::siege::main(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tictactoe-siege: %s\n", error.what());
    return 1;
  }
}
