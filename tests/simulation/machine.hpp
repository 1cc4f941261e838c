// A server's machine: the real shell, host, frames and outboxes and, among several servers, the
// real directory and part in the lobby, over a simulated network, clock and store. It can be
// killed, stopped, paused and cut off.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/cluster/sharing.hpp"
#include "server/transport/shell/shell.hpp"
#include "tests/simulation/agenda.hpp"
#include "tests/simulation/edge_watch.hpp"
#include "tests/simulation/network.hpp"
#include "tests/simulation/plan.hpp"
#include "tests/simulation/recorder.hpp"
#include "tests/support/thinking.hpp"

namespace tictactoe::simulation {

/// What a machine is made in. `watch` is null with several servers.
struct Surroundings {
  const Plan& plan;
  Agenda& agenda;
  Digest& digest;
  Network& network;
  SharedStore& shared;
  EdgeWatch* watch = nullptr;
};

/// A connection of the real shell: does what transport::SocketConnection does on a socket.
class SimulatedConnection final : public transport::Connection {
 public:
  SimulatedConnection(transport::ConnectionContext& context, Link link, Surroundings& around)
      : Connection(context), link_(link), network_(around.network), watch_(around.watch) {}

  Link link() const { return link_; }
  /// The network takes bytes again.
  void can_write() { is_writing_ = false; }
  void update() override;

 private:
  void close();

  const Link link_;
  Network& network_;
  EdgeWatch* const watch_;
  bool is_writing_ = false;  // bytes have to wait until the network takes more
  bool reads_ = true;
  bool has_closed_ = false;
};

class Machine final : public ServerEnd,
                      private transport::ShellIo,
                      private transport::ShellObserver {
 public:
  /// Among several servers clients know it as "server:NUMBER".
  Machine(Surroundings around, std::uint32_t number, Random random);
  /// The shell closes its connections, which are reported here.
  ~Machine() { shell_.reset(); }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  std::uint32_t number() const { return number_; }
  bool is_up() const { return shell_ != nullptr; }
  bool listens() const { return is_up() && !ends_ && !shell_->is_stopping(); }
  /// Continues what the store holds or, among others, begins a new stream. False if the store can't
  /// be reached.
  bool start();
  /// As SIGKILL does it.
  void kill();
  /// As SIGTERM does it. The machine is down a little later.
  void stop();
  /// The same, but running games have some time before.
  void drain();
  /// As SIGTERM does it to a server among others that was started with --drain.
  void upgrade();
  /// As SIGSTOP and SIGCONT do it: what it gets and what it waited for happens afterwards, in any
  /// order.
  void pause(Time until);
  void cut_off_store(bool is_cut) { line_->is_cut = is_cut; }
  void lose_an_answer() { line_->lose_answer_in = static_cast<int>(random_.between(1, 8)); }
  void set_disk(server::JournalHealth state);
  /// From now on the disk and the store do what they should.
  void calm();

  // What the network reports.
  void accept(Link link, std::uint32_t client) override;
  void got(Link link, std::string_view bytes) override;
  void heard_end(Link link) override;
  void can_write(Link link) override;
  void forget(Link link) override;

  /// Requires that it is up.
  const server::Host& host() const { return shell_->host(); }
  /// What its stream holds.
  journal::v1::Saved saved();
  std::uint64_t starts() const { return starts_; }
  std::uint64_t commits() const { return disk_.commits; }
  /// It has ended by itself, because it was taken over or feared so.
  std::uint64_t losses() const { return losses_; }

 private:
  using Pointer = std::shared_ptr<SimulatedConnection>;
  /// What waits while the server is paused. Each lane keeps its order.
  enum class Lane : std::uint8_t { network, timers, threads };

  /// The connections of the thread that syncs, and of the one that asks.
  struct Sessions {
    Sessions(SharedStore& shared, std::shared_ptr<StoreLine> to, records::StreamId stream,
             std::uint64_t epoch, const cluster::SharingSettings& settings)
        : line(std::move(to)),
          membership(shared, *line),
          names(shared, *line, stream, epoch),
          sync(membership, settings) {}
    std::shared_ptr<StoreLine> line;
    SharedMembership membership;
    SharedNamesOfServer names;
    cluster::LobbySync sync;
  };

  // What the shell wants done, and shows.
  server::Time now() override { return server::Time(clock_offset_ + around_.agenda.now()); }
  void set_timer(server::Time at) override;
  void cancel_timer() override { ++timer_; }
  void ask_for_slice() override;
  void stopped() override;
  void think(const server::Think& think) override;
  void cancel(server::ThoughtId id) override;
  void release(std::uint64_t room) override;
  void cancel_all() override { thinking_.pool().stop(); }
  void derive(const server::DeriveKey& derive) override;
  void on_message(server::ConnectionId from, std::string_view body) override;
  void on_effects(server::Effects& effects) override;

  void make_recorder(records::StreamPosition position);
  void make_shell();
  void health_changed(records::Health health);
  /// Does it now or, while the server is paused, later. Nothing if it has ended.
  void happen(Lane lane, std::function<void()> event);
  void later(Lane lane, Time delay, std::function<void()> event);
  void wake_up();
  void leave_when_idle(Time latest);
  void end();
  Pointer find(Link link) const;
  server::Origin origin_of(std::uint32_t client) const;
  /// One slice of a thought, after a while.
  void think_later();

  // In the lobby.
  void join(std::uint64_t epoch);
  cluster::Sharing::Handlers lobby_handlers();
  bool ask(std::optional<server::Origin> from, cluster::ClusterDirectory::Question question);
  void sync();
  void sync_in(Time delay);
  void sweep();
  void lose();
  Time call_time();

  // For the watch, in machine_watch.cpp.
  /// The open connection with that id; 0: none.
  Link link_of(server::ConnectionId id) const;
  void watch(const server::Send& send, std::string_view body);
  const v1::ServerMessage& decode(std::string_view body);
  /// Makes the planted mistake, if it is one that changes what is sent.
  void plant_in(server::Effects& effects);
  /// Changes one message. Returns how many times it is to be sent.
  int plant_in(const server::Send& send, v1::ServerMessage& message);

  Surroundings around_;
  const Plan& plan_;
  const std::uint32_t number_;
  Random random_;
  const std::shared_ptr<StoreLine> line_ = std::make_shared<StoreLine>();
  std::shared_ptr<Records> records_;
  Disk disk_;

  // Of one life of the server; the number tells events of an earlier one apart.
  std::uint64_t life_ = 0;
  bool ends_ = false;
  bool drains_ = false;
  bool paused_ = false;
  std::array<std::deque<std::function<void()>>, 3> backlog_;
  records::StreamId stream_ = records::local_stream;
  std::unique_ptr<SimulatedRecorder> recorder_;
  server::Config config_;
  std::unique_ptr<transport::Shell> shell_;
  server::Time::duration clock_offset_{};
  std::map<Link, Pointer> connections_;
  std::uint64_t timer_ = 0;  // timers that were set before have other numbers
  test::Thinking thinking_;

  // Of its part in the lobby.
  std::uint64_t sync_ = 0;  // number of the next one
  std::shared_ptr<Sessions> sessions_;
  std::optional<cluster::Sharing> sharing_;
  std::size_t waiting_questions_ = 0;

  // For the watch.
  std::vector<Pointer> by_slot_;
  Pointer accepted_;           // while the shell accepts it
  bool is_request_ = false;    // the next effects are those of a request
  v1::ServerMessage decoded_;  // the last body that was sent, which often goes to many
  std::string decoded_body_;
  std::uint64_t candidates_ = 0;  // for the planted mistake

  std::uint64_t starts_ = 0;
  std::uint64_t losses_ = 0;
};

}  // namespace tictactoe::simulation
