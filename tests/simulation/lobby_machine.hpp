// One of several servers that share a store: the real shell, host, directory and part in the lobby,
// over a simulated network, clock and store. It can be killed, stopped, paused and cut off.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/cluster/sharing.hpp"
#include "server/net/shell.hpp"
#include "tests/simulation/agenda.hpp"
#include "tests/simulation/connection.hpp"
#include "tests/simulation/lobby_plan.hpp"
#include "tests/simulation/lobby_recorder.hpp"
#include "tests/simulation/network.hpp"
#include "tests/support/thinking.hpp"

namespace tictactoe::simulation {

class LobbyMachine final : private net::ShellIo,
                           private net::ThinkingService,
                           private net::KeyService {
 public:
  /// `number` names it for clients, as the address "server:NUMBER".
  LobbyMachine(const LobbyPlan& plan, std::uint32_t number, Agenda& agenda, Random random,
               Network& network, SharedStore& shared);
  ~LobbyMachine() { shell_.reset(); }
  LobbyMachine(const LobbyMachine&) = delete;
  LobbyMachine& operator=(const LobbyMachine&) = delete;

  bool is_up() const { return shell_ != nullptr; }
  bool listens() const { return is_up() && !ends_ && !shell_->is_stopping(); }
  /// Under a new stream. False if the store can't be reached.
  bool start();
  /// As SIGKILL does it.
  void kill();
  /// As SIGTERM does it. The machine is down a little later.
  void stop();
  /// As SIGTERM does it to a server that was started with --drain.
  void upgrade();
  /// As SIGSTOP and SIGCONT do it: what it gets and what it waited for happens afterwards, in any
  /// order.
  void pause(Time until);
  void cut_off_store(bool is_cut);
  void lose_an_answer();
  /// From now on the store does what it should.
  void calm() { calm_ = true; }

  // What the network reports.
  void accept(Link link);
  void got(Link link, std::string_view bytes);
  void heard_end(Link link);
  void can_write(Link link);
  void forget(Link link) { connections_.erase(link); }

  std::uint64_t starts() const { return starts_; }
  /// It has ended by itself, because it was taken over or feared so.
  std::uint64_t losses() const { return losses_; }

 private:
  using Pointer = std::shared_ptr<SimulatedConnection>;
  /// What waits while the server is paused. Each lane keeps its order.
  enum class Lane : std::uint8_t { network, timers, threads };

  /// The connections of the thread that looks, and of the one that asks.
  struct Sessions {
    Sessions(SharedStore& shared, std::shared_ptr<StoreLine> to, store::StreamId stream,
             std::uint64_t epoch, const cluster::SharingSettings& settings)
        : line(std::move(to)),
          membership(shared, *line),
          names(shared, *line, stream, epoch),
          lookout(membership, settings) {}
    std::shared_ptr<StoreLine> line;
    SharedMembership membership;
    SharedNamesOfServer names;
    cluster::Lookout lookout;
  };

  // What the shell wants done.
  core::Time now() override { return core::Time(clock_offset_ + agenda_.now()); }
  void set_timer(core::Time at) override;
  void cancel_timer() override { ++timer_; }
  void ask_for_turn() override;
  void stopped() override;
  void think(const core::Think& think) override;
  void cancel(core::ThoughtId id) override;
  void release(std::uint64_t room) override;
  void cancel_all() override { thinking_.pool().stop(); }
  void derive(const core::DeriveKey& derive) override;
  void cancel_keys() override {}

  std::unique_ptr<core::Directory> share(std::unique_ptr<core::Directory> local,
                                         const core::Config& config, std::uint64_t seed);
  bool ask(cluster::ClusterDirectory::Question question);
  void look();
  void look_in(Time delay);
  void sweep();
  void lose();
  void leave_when_idle(Time latest);
  void end();

  /// Does it now or, while the server is paused, later. Nothing if it has ended.
  void happen(Lane lane, std::function<void()> event);
  void later(Lane lane, Time delay, std::function<void()> event);
  void wake_up();
  Pointer find(Link link) const;
  void think_later();
  Time call_time();

  const LobbyPlan& plan_;
  const std::uint32_t number_;
  Agenda& agenda_;
  Random random_;
  Network& network_;
  SharedStore& shared_;
  const std::shared_ptr<StoreLine> line_ = std::make_shared<StoreLine>();
  bool calm_ = false;

  // Of one life of the server; the number tells events of an earlier one apart.
  std::uint64_t life_ = 0;
  bool ends_ = false;
  bool drains_ = false;
  bool paused_ = false;
  std::uint64_t look_ = 0;  // number of the next one
  std::array<std::deque<std::function<void()>>, 3> backlog_;
  std::shared_ptr<Sessions> sessions_;
  store::StreamId stream_ = 0;
  std::optional<cluster::Sharing> sharing_;
  std::unique_ptr<LobbyRecorder> recorder_;
  std::unique_ptr<core::Config> config_;
  std::unique_ptr<net::Shell> shell_;
  std::size_t waiting_questions_ = 0;
  core::Time::duration clock_offset_{};
  std::map<Link, Pointer> connections_;
  std::uint64_t timer_ = 0;
  test::Thinking thinking_;

  std::uint64_t starts_ = 0;
  std::uint64_t losses_ = 0;
};

}  // namespace tictactoe::simulation
