// A whole server with its clients, network and disk in one thread, on a virtual clock.
#pragma once

#include <cstdint>
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
  std::uint64_t steps = 0;   // events on the agenda
  Time time{0};              // virtual
  std::uint64_t deaths = 0;  // of the server
  std::uint64_t commits = 0;
  std::uint64_t records = 0;
  std::uint64_t states = 0;  // announced states of rooms, each counted once
  std::uint64_t games = 0;   // seen to end
  std::map<v1::Outcome::Reason, std::uint64_t> ends;
  std::map<std::uint64_t, std::uint64_t> answers;  // see World

  /// Nothing if all checks passed.
  std::optional<Violation> violation;
  std::vector<std::string> trace;
};

/// One run. Faults happen until the plan's number of requests was made. Then the clients finish
/// their games and leave, and nothing may be left.
class Simulation final : private NetworkEvents {
 public:
  explicit Simulation(const Plan& plan);
  Simulation(const Plan& plan, std::unique_ptr<Journal> journal);
  /// Keeps the last lines about that room; 0 for all rooms.
  void follow(Incarnation room, std::size_t lines) { trace_.follow(room, lines); }
  Result run();

 private:
  void server_accepts(Link link, std::uint32_t client) override;
  void server_gets(Link link, std::string_view bytes) override;
  void server_hears_end(Link link) override;
  void server_can_write(Link link) override;
  void client_gets(Link link, std::uint32_t client, std::string_view bytes) override;
  void client_hears_end(Link link, std::uint32_t client) override;
  void link_is_gone(Link link) override;

  /// Makes `fault` happen repeatedly, at random times, until the faults stop.
  template <class Happens>
  void again_and_again(Fault fault, Time mean, Happens happens);
  void plan_faults();
  void start_server();
  void server_went_down();
  /// Null if the client of that number is honest.
  Hostile* hostile(std::uint32_t number) {
    return number < clients_.size() ? nullptr : hostiles_[number - clients_.size()].get();
  }
  void check_tables() const;
  void step();
  void storm();
  void come_to_rest();
  void check_nothing_left();

  Plan plan_;
  Random random_;
  Agenda agenda_;
  Digest digest_;
  Trace trace_;
  std::unique_ptr<Journal> journal_;
  History history_;
  EdgeWatch watch_;
  Network network_;
  Machine machine_;
  World world_;
  std::vector<std::unique_ptr<Client>> clients_;
  std::vector<std::unique_ptr<Hostile>> hostiles_;  // their numbers follow those of the clients
  std::uint64_t steps_ = 0;
  bool was_up_ = false;
};

/// Runs the plan. If it fails, runs it again to trace the room concerned.
Result simulate(const Plan& plan, std::size_t trace_lines);

/// Reduces the plan to few kinds of faults and few clients with which it still fails as `result`
/// says. Runs it many times.
Plan narrowed_down(Plan plan, const Result& result);

}  // namespace tictactoe::simulation
