// The server's machine: the real host, frames and outboxes, in a simulated shell that does what
// server/net does, with a journal that commits in its own time. It can be killed at any moment.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "server/core/host.hpp"
#include "server/net/outbox.hpp"
#include "tests/simulation/agenda.hpp"
#include "tests/simulation/edge_watch.hpp"
#include "tests/simulation/journal.hpp"
#include "tests/simulation/network.hpp"
#include "tests/simulation/plan.hpp"
#include "tests/support/thinking.hpp"

namespace tictactoe::simulation {

class Machine {
 public:
  Machine(const Plan& plan, Agenda& agenda, Random random, Digest& digest, Network& network,
          EdgeWatch& watch, Journal& journal);

  bool is_up() const { return host_ != nullptr; }
  /// With what the journal holds.
  void start();
  /// As SIGKILL does it: records under way are lost or not, a commit at a time.
  void kill();
  /// As SIGTERM does it. The machine is down once everything is recorded and said.
  void stop();
  bool is_stopping() const { return stopping_; }
  /// The same, but running games have some time before.
  void drain();
  /// `low`: the disk is nearly full; `stalled`: it is.
  void set_disk(core::Recording recording);
  /// From now on commits are quick.
  void calm() { calm_ = true; }

  // What the network reports.
  void accept(Link link, std::uint32_t client);
  void got(Link link, std::string_view bytes);
  void heard_end(Link link);
  void can_write(Link link);

  /// Requires that it is up.
  const core::Host& host() const { return *host_; }
  bool has_unwritten() const { return !gathered_.empty() || committing_; }
  std::uint64_t deaths() const { return deaths_; }
  std::uint64_t commits() const { return commits_; }

 private:
  struct Session {
    Session(Link the_link, core::ConnectionId the_id, std::size_t frame_bytes,
            std::size_t outbox_bytes, net::OutboxBudget& budget)
        : link(the_link), id(the_id), reader(frame_bytes), outbox(outbox_bytes, budget) {}
    Link link;
    core::ConnectionId id;
    wire::FrameReader reader;
    net::Outbox outbox;
    std::string unread;  // while paused
    bool closing = false;
    bool waits_to_write = false;
    bool paused = false;
  };
  using SessionPointer = std::shared_ptr<Session>;

  core::Time host_time() const;
  SessionPointer find(core::ConnectionId id) const;
  SessionPointer find(Link link) const;
  void take_frames(const SessionPointer& session);
  void flush(Session& session);
  void resume(const SessionPointer& session);
  void abort(const SessionPointer& session);

  void carry_out_effects();
  void queue(const core::Send& send, std::vector<core::ConnectionId>& too_slow);
  void close(core::ConnectionId id);
  /// Puts the planted mistake into this frame, where it belongs there. False: it is left out.
  bool plant(const core::Send& send, v1::ServerMessage& message, std::string& body);
  bool push(Session& session, const core::Send& send, std::string_view body,
            const v1::ServerMessage& message);
  void settle();
  void set_timer();
  /// What the journal says of itself, where it has changed.
  void record_as(core::Recording recording);

  void think();
  void append(std::string_view record);
  void look_up(const core::LookUp& look_up);
  void commit();
  void apply_in_flight();

  const Plan& plan_;
  Agenda& agenda_;
  Random random_;
  Digest& digest_;
  Network& network_;
  EdgeWatch& watch_;
  Journal& journal_;

  // Of one life of the server; events of an earlier one are told by the number.
  std::uint64_t life_ = 0;
  std::unique_ptr<core::Host> host_;
  std::unique_ptr<net::OutboxBudget> budget_;
  core::Time::duration clock_offset_{};
  std::map<Link, SessionPointer> sessions_;
  std::vector<SessionPointer> by_slot_;
  std::vector<SessionPointer> unwritten_;
  std::optional<core::Time> timer_at_;
  test::Thinking thinking_;
  std::string prefix_;
  v1::ServerMessage decoded_;  // the last body that was queued, which often goes to many
  std::string decoded_body_;
  bool stopping_ = false;

  // The journal's queue. Records are numbered from 1 over all lives; those that are lost leave
  // their numbers to others.
  std::vector<std::string> gathered_;
  std::vector<std::string> in_flight_;
  bool committing_ = false;
  std::uint64_t appended_ = 0;
  std::uint64_t durable_ = 0;
  core::Recording disk_ = core::Recording::well;
  core::Recording condition_ = core::Recording::well;  // as the host was told
  bool calm_ = false;
  std::uint64_t deaths_ = 0;
  std::uint64_t commits_ = 0;
  std::uint64_t candidates_ = 0;  // for the planted mistake
  bool lies_ = false;             // the disk says that it writes
};

}  // namespace tictactoe::simulation
