// Several servers that share a store, with their clients, in one thread on a virtual clock.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/simulation/lobby_client.hpp"
#include "tests/simulation/lobby_machine.hpp"

namespace tictactoe::simulation {

/// How one run went. The same plan gives the same result.
struct LobbyResult {
  std::uint64_t digest = 0;
  std::uint64_t requests = 0;
  std::uint64_t steps = 0;
  Time time{0};
  std::uint64_t starts = 0;       // of servers
  std::uint64_t losses = 0;       // servers that ended by themselves
  std::uint64_t takeovers = 0;    // of servers whose lease was over
  std::uint64_t rooms_moved = 0;  // by servers that were upgraded
  std::uint64_t fenced = 0;       // commits of servers that had been taken over
  std::uint64_t commits = 0;
  std::uint64_t redirects = 0;
  std::uint64_t returns = 0;
  std::uint64_t repeats = 0;
  std::uint64_t games = 0;
  std::uint64_t states = 0;
  std::map<std::uint64_t, std::uint64_t> answers;  // see LobbyWorld
  std::optional<Violation> violation;
  std::vector<std::string> trace;
};

/// One run. Faults happen until the plan's number of requests was made. Then the clients leave, and
/// nothing may be left but the history.
class LobbySimulation {
 public:
  explicit LobbySimulation(const LobbyPlan& plan);
  /// Keeps the last lines about that room; 0: all rooms.
  void follow(Incarnation room, std::size_t lines) { trace_.follow(room, lines); }
  LobbyResult run();

 private:
  /// The network of one server.
  class Wire final : public NetworkEvents {
   public:
    Wire(LobbySimulation& simulation, std::uint32_t server)
        : simulation_(simulation), server_(server) {}
    void server_accepts(Link link, std::uint32_t client) override;
    void server_gets(Link link, std::string_view bytes) override;
    void server_hears_end(Link link) override;
    void server_can_write(Link link) override;
    void client_gets(Link link, std::uint32_t client, std::string_view bytes) override;
    void client_hears_end(Link link, std::uint32_t client) override;
    void link_is_gone(Link link) override;

   private:
    LobbySimulation& simulation_;
    const std::uint32_t server_;
  };

  template <class Happens>
  void again_and_again(LobbyFault fault, Time mean, Happens happens);
  void plan_faults();
  void restart_later(std::uint32_t server, Time delay);
  void step();
  void storm();
  void come_to_rest();
  void check_nothing_left();
  void check_games() const;
  std::uint32_t some_server();

  const LobbyPlan plan_;
  Random random_;
  Agenda agenda_;
  Digest digest_;
  Trace trace_;
  SharedStore shared_;
  History history_;
  LobbyWorld world_;
  std::vector<std::unique_ptr<Wire>> wires_;
  std::vector<std::unique_ptr<LobbyMachine>> machines_;
  std::vector<std::unique_ptr<LobbyClient>> clients_;
  std::vector<bool> was_up_;
  std::vector<bool> isolated_;
  std::uint64_t steps_ = 0;
};

/// Runs the plan. If it fails, runs it again to trace the room concerned.
LobbyResult simulate(const LobbyPlan& plan, std::size_t trace_lines);

}  // namespace tictactoe::simulation
