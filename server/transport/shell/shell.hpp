// The shell of the host without its I/O. Both the real server and the simulation run it.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/host/host.hpp"
#include "server/limits/fair_queue.hpp"
#include "server/transport/shell/connection_table.hpp"
#include "server/transport/shell/record_gate.hpp"
#include "server/transport/shell/surroundings.hpp"

namespace tictactoe::transport {

/// The figures of a shell: its present state, and counters since the start.
struct ShellFigures {
  std::array<std::size_t, Connection::kinds> connections{};  ///< open, by Connection::Kind
  std::size_t lingering = 0;                                 ///< closing
  std::size_t waiting_bytes = 0;  ///< for peers that are behind, see Backlogs
  /// How connections ended that the host did not close.
  struct Ends {
    std::uint64_t by_peer = 0;
    std::uint64_t broken = 0;       ///< or silent at the level of TCP
    std::uint64_t refused = 0;      ///< by the transport: the peer broke the rules of HTTP or TLS
    std::uint64_t too_slow = 0;     ///< the peer did not read
    std::uint64_t most_unread = 0;  ///< the largest backlog when all together were too large
  } ends;
};

/// Owns the host and makes all decisions around it: takes messages from connections, carries out
/// effects, records, holds messages until their records are durable, pauses and cuts off peers that
/// do not read, lets closing connections linger, drains and stops. All I/O is behind Connection,
/// ShellIo and Recorder. One thread.
///
/// An event is bounded work. A few requests of a connection are handled at a time. Messages for
/// many peers, or messages that have waited for a record, are written to a few peers at a time, and
/// to fewer if that takes long. The rest is done in slices between other events, which serve the
/// networks of the peers round robin.
class Shell {
 public:
  /// After this time, by ShellIo::now(), an event leaves the rest to later slices.
  static constexpr std::chrono::microseconds max_event_time{400};
  /// Requests of one connection, and writes, in one event.
  static constexpr std::size_t requests_at_once = 8;
  static constexpr std::size_t writes_at_once = 32;
  /// Connections whose frames are released in one event because their records are durable.
  static constexpr std::size_t releases_at_once = 128;
  /// Lingering connections that are ended in one event because their time to read is over.
  static constexpr std::size_t ends_at_once = 32;

  /// `io` must outlive it. For `choose` see server::Host.
  Shell(server::Config config, std::uint64_t seed, server::TokenSource tokens, ShellIo& io,
        const server::Host::ChooseDirectory& choose = {});
  /// Closes all connections. They may outlive it and do not refer to it any more.
  ~Shell();
  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;

  /// See Host::restore. Call it before record_with().
  server::RestoreReport restore(const journal::v1::Saved& saved);
  /// See Host::adopt.
  server::RestoreReport adopt(const journal::v1::Saved& saved);
  /// See Host::set_servers.
  void set_servers(std::vector<server::Directory::LobbyServer> servers) {
    host_.set_servers(std::move(servers));
  }
  /// See Host::apply.
  void apply(const server::LobbyNews& news);
  /// Hands all records to `recorder`, beginning with those of restore(). If the config says that
  /// records are kept, call it before the first connection. Everything the recorder refers to must
  /// outlive the last call of the shell.
  void record_with(Recorder recorder);
  /// See Host::change_settings.
  void change_settings(const server::Config& wanted) { host_.change_settings(wanted); }
  /// See Host::set_logins.
  void set_logins(server::Logins logins) { host_.set_logins(std::move(logins)); }
  void observe_with(ShellObserver& observer) { observer_ = &observer; }

  const server::Host& host() const { return host_; }
  /// O(connections).
  ShellFigures figures() const;
  /// What all connections of this shell share.
  ConnectionContext& context() { return context_; }

  // Reports of transports. None may be called for a connection that is_closed().

  /// A peer has connected. Sets the id of the connection. Call update() afterwards.
  server::ConnectionId connected(std::shared_ptr<Connection> connection, server::Origin origin);
  /// The peer has sent something, which Connection::next() returns.
  void received(Connection& connection);
  /// See Host::pay.
  bool pay(const Connection& connection) { return host_.pay(connection.id(), io_.now()); }
  /// See Host::served.
  void served(const Connection& connection) { host_.served(connection.id()); }
  /// See Host::begin_handshake.
  bool begin_handshake(const Connection& connection) {
    return host_.begin_handshake(connection.id(), io_.now());
  }
  /// A write that had to wait is over. Call Connection::written() or write_failed() first.
  void wrote(Connection& connection);
  /// The transport has refused the peer of an open connection and told it why.
  void refused(Connection& connection);
  /// The peer will send nothing more.
  void peer_finished(Connection& connection);
  /// Nothing more comes from the peer or reaches it.
  void broken(Connection& connection, std::string_view reason);

  // Other reports.

  void timer_expired();
  /// Does some of the work that was left for later.
  void run_slice();
  void thought(server::ThoughtId id, const server::ThoughtResult& result);
  /// See Host::key_derived.
  void key_derived(std::uint64_t id, const std::string& key);
  /// All records up to this sequence number are durable: frames that waited for them can leave.
  void durable(std::uint64_t record);
  void set_journal_health(server::JournalHealth health);
  /// A directory has answered the host asynchronously.
  void directory_answered();

  /// See Host::owner_asks.
  void owner_asks(const admin::v1::Request& request, admin::v1::Response& response);
  /// Announces that the server will end, and stops it when no game runs or the time is over.
  void drain(std::chrono::milliseconds within);
  /// See Host::give_rooms.
  std::size_t give_rooms(const server::Directory::LobbyServer& to, std::size_t max);
  /// Takes no more requests and calls ShellIo::stopped(). Then sends each peer an error, or
  /// redirects it to one of the other servers, and closes its connection, a few in each slice.
  /// Calls `told_all` when nothing more will be recorded.
  void stop(std::vector<server::Directory::LobbyServer> others = {},
            std::function<void()> told_all = {});
  /// Nothing can be recorded any more. Discards all frames that wait for a record, and stops. Sends
  /// each open connection the sentence `why`. If the shell is stopping already, only closes the
  /// rest sooner, and does not call `told_all`. O(connections).
  void fail(std::string why, std::function<void()> told_all);
  bool is_stopping() const { return stopping_.has_value(); }
  /// Closes all connections at once, without a message: nothing that they wait for will be
  /// recorded. O(connections). No slice need follow.
  void cut_off() { connections_.cut_off(); }

 private:
  using Pointer = ConnectionTable::Pointer;
  /// The server is stopping.
  struct Stopping {
    std::vector<server::Directory::LobbyServer> others;  ///< to which clients are redirected
    std::string why;
    std::function<void()> told_all;
    bool has_more = false;  ///< connections that have not been told
  };

  void begin_event(const char* name) const {
    if (observer_ != nullptr) observer_->on_event(name);
  }
  /// Handles an event: calls `handle(now)`, and does what that has caused.
  template <class Handle>
  void handle_event(const char* name, Handle handle) {
    begin_event(name);
    const server::Time now = io_.now();
    handle(now);
    finish_event(now);
  }
  /// Ends an event: carries out its effects, then write_queued().
  void finish_event(server::Time now);
  /// Whether the event that began at `began` has taken long enough.
  bool is_long(server::Time began) { return io_.now() - began >= max_event_time; }
  void ask_for_slice();
  void set_timer();

  // Requests and lost connections.
  void take_messages(Connection& connection, server::Time now);
  void handle(Connection& connection, const Received& received, server::Time now);
  void handle_text(server::ConnectionId from, std::string_view text, server::Time now);
  void go_on_with_requests(server::Time now);
  void resume(Connection& connection, server::Time now);
  void resume_waiting(server::Time now);
  void lost(Connection& connection, std::string_view reason, server::Time now);
  /// A closing connection lingers. It may have a new deadline.
  void let_go(const Pointer& connection, server::Time now);
  /// How long a peer has to read its last messages.
  std::chrono::milliseconds linger_time() const;

  // Effects.
  static void write_log(server::EventLog& log);
  /// Carries out effects until there are none: cutting off a slow peer causes more.
  void carry_out_effects(server::Time now);
  /// Carries out any effect except Send, which has its own function.
  void carry_out(const server::Effect& effect, server::Time now);
  void queue(const server::Send& send);
  void look_up(const server::LookUp& question);

  // Writing.
  /// Writes once to each connection with queued frames, or to the first of them, and sets the
  /// timer.
  void write_queued(server::Time now);
  void write(server::ConnectionId id, server::Time now);
  void write_later(std::span<const server::ConnectionId> ids);
  /// Releases the frames of the next connections whose records may be durable.
  void release_some(server::Time now);
  /// Writes what was released to a closing connection. Its time to read begins with the last frame.
  void release_closing(const Pointer& connection, server::Time now);
  /// Cuts off the connections with the largest backlogs until the rest is within the limits.
  /// Returns whether there were any.
  bool cut_largest_backlogs(server::Time now);
  void cut(const Connection& connection, server::Time now);

  void begin_stopping(Stopping stopping);
  void go_on_stopping(server::Time now);

  ShellIo& io_;
  ShellObserver* observer_ = nullptr;
  ShellFigures::Ends ends_;
  bool keeps_records_;
  ConnectionContext context_;
  ConnectionTable connections_;
  server::Host host_;
  RecordGate records_;
  std::vector<server::ConnectionId> unwritten_;  // have frames queued since the last write
  server::FairQueue<server::ConnectionId> unwritten_later_;  // from earlier events
  server::FairQueue<server::ConnectionId> requests_wait_;    // more requests to handle
  std::vector<server::ConnectionId> too_slow_;  // cut off, not yet reported to the host
  std::vector<server::ConnectionId> resumed_;   // the host no longer waits for the directory
  bool slice_is_due_ = false;
  std::optional<server::Time> timer_at_;    // while it runs
  std::optional<server::Time> drained_at_;  // while draining
  std::optional<Stopping> stopping_;
};

}  // namespace tictactoe::transport
