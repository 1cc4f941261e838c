// The server's machine: the real shell, host, frames and outboxes over a simulated network, clock
// and disk. It can be killed at any moment.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "server/net/shell.hpp"
#include "tests/simulation/agenda.hpp"
#include "tests/simulation/connection.hpp"
#include "tests/simulation/edge_watch.hpp"
#include "tests/simulation/journal.hpp"
#include "tests/simulation/network.hpp"
#include "tests/simulation/plan.hpp"
#include "tests/simulation/recorder.hpp"
#include "tests/support/thinking.hpp"

namespace tictactoe::simulation {

class Machine final : private net::ShellIo,
                      private net::ThinkingService,
                      private net::KeyService,
                      private net::ShellObserver {
 public:
  Machine(const Plan& plan, Agenda& agenda, Random random, Digest& digest, Network& network,
          EdgeWatch& watch, Journal& journal);
  /// The shell closes its connections, which are reported here.
  ~Machine() { shell_.reset(); }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  bool is_up() const { return shell_ != nullptr; }
  /// Continues what the journal holds.
  void start();
  /// As SIGKILL does it: each commit that is under way is done whole, or not at all.
  void kill();
  /// As SIGTERM does it. The machine is down a little later.
  void stop();
  /// The same, but running games have some time before.
  void drain();
  /// `low`: the disk is nearly full; `stalled`: it is full.
  void set_disk(core::Recording recording) { recorder_.set_disk(recording); }
  /// From now on commits are quick.
  void calm() { recorder_.calm(); }

  // What the network reports.
  void accept(Link link, std::uint32_t client);
  void got(Link link, std::string_view bytes);
  void heard_end(Link link);
  void can_write(Link link);
  void forget(Link link) { connections_.erase(link); }

  /// Requires that it is up.
  const core::Host& host() const { return shell_->host(); }
  std::uint64_t deaths() const { return deaths_; }
  std::uint64_t commits() const { return recorder_.commits(); }

 private:
  using Pointer = std::shared_ptr<SimulatedConnection>;

  // What the shell wants done, and shows.
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
  void on_frame(core::ConnectionId from, std::string_view body) override;
  void on_effects(core::Effects& effects) override;

  core::Origin origin_of(std::uint32_t client) const;
  Pointer find(Link link) const;
  /// The open connection with that id; 0: none.
  Link link_of(core::ConnectionId id) const;
  /// One slice of a thought, after a while.
  void think_later();
  void watch(const core::Send& send, std::string_view body);
  const v1::ServerMessage& decode(std::string_view body);
  /// Makes the planted mistake, if it is one that changes what is sent.
  void plant_in(core::Effects& effects);
  /// Changes one message. Returns how many times it is to be sent.
  int plant_in(const core::Send& send, v1::ServerMessage& message);

  const Plan& plan_;
  Agenda& agenda_;
  Random random_;
  Digest& digest_;
  Network& network_;
  EdgeWatch& watch_;
  Journal& journal_;
  SimulatedRecorder recorder_;

  // Of one life of the server; the number tells events of an earlier one apart.
  std::uint64_t life_ = 0;
  std::unique_ptr<net::Shell> shell_;
  core::Time::duration clock_offset_{};
  std::map<Link, Pointer> connections_;
  std::vector<Pointer> by_slot_;
  Pointer accepted_;         // while the shell accepts it
  std::uint64_t timer_ = 0;  // timers that were set before have other numbers
  test::Thinking thinking_;
  bool is_request_ = false;    // the next effects are those of a request
  v1::ServerMessage decoded_;  // the last body that was sent, which often goes to many
  std::string decoded_body_;
  std::uint64_t deaths_ = 0;
  std::uint64_t candidates_ = 0;  // for the planted mistake
};

}  // namespace tictactoe::simulation
