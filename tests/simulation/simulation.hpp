// Whole servers with their clients, network and stores in one thread, on a virtual clock.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/simulation/client.hpp"
#include "tests/simulation/hostile.hpp"
#include "tests/simulation/machine.hpp"
#include "tests/simulation/trace.hpp"

namespace tictactoe::simulation {

/// How one run went. The same plan gives the same result.
struct Result {
  std::uint64_t digest = 0;
  std::uint64_t requests = 0;
  std::uint64_t steps = 0;        // events on the agenda
  Time time{0};                   // virtual
  std::uint64_t starts = 0;       // of servers
  std::uint64_t losses = 0;       // servers that ended by themselves
  std::uint64_t takeovers = 0;    // of servers whose lease was over
  std::uint64_t rooms_moved = 0;  // by servers that were upgraded
  std::uint64_t fenced = 0;       // commits of servers that had been taken over
  std::uint64_t commits = 0;
  std::uint64_t redirects = 0;
  std::uint64_t returns = 0;
  std::uint64_t repeats = 0;
  std::uint64_t states = 0;                        // announced states of rooms, each counted once
  std::uint64_t games = 0;                         // seen to end
  std::map<std::uint64_t, std::uint64_t> answers;  // see World

  /// Nothing if all checks passed.
  std::optional<Violation> violation;
  std::vector<std::string> trace;
};

/// One run. Faults happen until the plan's number of requests was made. Then the clients finish
/// their games and leave, and nothing may be left but the history.
class Simulation {
 public:
  explicit Simulation(const Plan& plan);
  /// Keeps the last lines about that room; 0 for all rooms.
  void follow(Incarnation room, std::size_t lines) { trace_.follow(room, lines); }
  Result run();

 private:
  /// Makes `fault` happen repeatedly, at random times, until the faults stop.
  template <class Happens>
  void again_and_again(Fault fault, Happens happens);
  /// The same to some server that is up.
  void again_and_again(Fault fault, const char* what, void (Simulation::*happens)(Machine&));
  void plan_faults();
  void stall();
  void kill(Machine& machine) { machine.kill(); }
  void pause(Machine& machine);
  void stop(Machine& machine);
  void upgrade(Machine& machine) { machine.upgrade(); }
  void cut_off(Machine& machine);
  void isolate(Machine& machine);
  void fill_disk(Machine& machine);
  Machine& some_machine() { return *machines_[random_.below(machines_.size())]; }
  void restart_later(std::uint32_t server, Time delay);
  void check_tables() const;
  void step();
  void storm();
  void come_to_rest();
  void check_nothing_left();
  void check_games() const;

  const Plan plan_;
  Random random_;
  Agenda agenda_;
  Digest digest_;
  Trace trace_;
  SharedStore shared_;
  History history_;
  EdgeWatch watch_;  // of the only server
  Network network_;
  World world_;
  std::vector<std::unique_ptr<Machine>> machines_;
  std::vector<std::unique_ptr<Client>> clients_;
  std::vector<std::unique_ptr<Hostile>> hostiles_;  // their numbers follow those of the clients
  std::vector<bool> was_up_;
  std::vector<bool> is_isolated_;
  std::uint64_t steps_ = 0;
};

/// Runs the plan. If it fails, runs it again to trace the room concerned.
Result simulate(const Plan& plan, std::size_t trace_lines);

/// Reduces the plan to few kinds of faults and few clients with which it still fails as `result`
/// says. Runs it many times.
Plan narrowed_down(Plan plan, const Result& result);

}  // namespace tictactoe::simulation
