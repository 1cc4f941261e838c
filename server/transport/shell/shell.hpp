// The shell of the host without its I/O: what the real server and the simulation both run.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "server/host/host.hpp"
#include "server/limits/fair_queue.hpp"
#include "server/transport/shell/connection.hpp"
#include "server/transport/shell/limited_log.hpp"

namespace tictactoe::transport {

/// The clock, the one timer and the listeners of a Shell. No function may call the Shell.
class ShellIo {
 public:
  virtual server::Time now() = 0;
  /// Calls Shell::timer_expired() at that time. Replaces what was set before.
  virtual void set_timer(server::Time at) = 0;
  virtual void cancel_timer() = 0;
  /// Calls Shell::turn() once, after the other events that are ready.
  virtual void ask_for_turn() = 0;
  /// The server has stopped: nobody is accepted any more. It ends as soon as its connections have.
  virtual void stopped() = 0;

 protected:
  ~ShellIo() = default;
};

/// Thinks about positions beside the event loop and reports to Shell::thought. No function may call
/// the Shell.
class ThinkingService {
 public:
  virtual void think(const server::Think& think) = 0;
  /// No answer comes any more for that thought.
  virtual void cancel(server::ThoughtId id) = 0;
  /// Frees the AI players of that room.
  virtual void release(std::uint64_t room) = 0;
  virtual void cancel_all() = 0;

 protected:
  ~ThinkingService() = default;
};

/// Derives the keys of passwords beside the event loop and reports to Shell::key_derived. One at a
/// time: the host asks for the next one when it has the key. No function may call the Shell.
class KeyService {
 public:
  virtual void derive(const server::DeriveKey& derive) = 0;
  /// No answer comes any more.
  virtual void cancel_keys() = 0;

 protected:
  ~KeyService() = default;
};

/// Makes events durable, and reports that to Shell::durable and Shell::recording, never from within
/// a call of its own.
struct Recorder {
  /// Takes the encoded Records of one event, which become durable together or not at all. Returns
  /// the event's sequence number, which counts up by one with every call.
  std::function<std::uint64_t(std::span<const std::string_view> records)> append;
  /// Answers a question about records: calls `answer` later, once, unless the recorder ends before.
  std::function<void(const server::LookUp& question,
                     std::function<void(server::LookUpAnswer)> answer)>
      look_up;
};

/// Sees the events of a shell, what goes into the host and what comes out of it, before it is
/// carried out. The simulation checks it and plants mistakes in it; TurnWatch names turns after it.
class ShellObserver {
 public:
  /// The shell begins to handle what a transport or another service has reported. Events never
  /// nest. Neither the start nor stop() is one.
  virtual void on_event(const char* /*name*/) {}
  /// Not of a message in JSON.
  virtual void on_message(server::ConnectionId /*from*/, std::string_view /*body*/) {}
  /// The effects of one call of the host.
  virtual void on_effects(server::Effects& /*effects*/) {}

 protected:
  ~ShellObserver() = default;
};

/// What a shell has, and has done since the start, in numbers.
struct ShellFigures {
  std::array<std::size_t, Connection::kinds> connections{};  ///< open, by Connection::Kind
  std::size_t lingering = 0;                                 ///< closing
  std::size_t waiting_bytes = 0;  ///< for peers that are behind; see Backlogs
  /// How connections have ended that the host has not closed.
  struct Ends {
    std::uint64_t by_peer = 0;
    std::uint64_t broken = 0;    ///< or silent on the level of TCP
    std::uint64_t refused = 0;   ///< by the transport: the peer has broken the rules of HTTP or TLS
    std::uint64_t too_slow = 0;  ///< the peer did not read
    std::uint64_t most_unread = 0;  ///< it had the largest backlog when all were too large together
  } ends;
};

/// Owns the host and decides all that a server does around it: it takes messages from connections,
/// carries out effects, records, holds messages until their records are durable, pauses and cuts
/// off peers that do not read, lets closing connections linger, drains and stops. All I/O is behind
/// Connection, ShellIo, ThinkingService, KeyService and Recorder. One thread.
///
/// An event is bounded work: what one connection has sent is handled a few requests at a time, and
/// what many are sent at once, or what has waited for a record, is written to a few of them at a
/// time; to fewer if they take long. The rest is done in turns between other events, in which the
/// networks of the peers take turns.
class Shell {
 public:
  /// After so long, by ShellIo::now(), an event leaves what can wait to later turns.
  static constexpr std::chrono::microseconds longest_event{400};
  /// Requests of one connection, and writes, in one event.
  static constexpr std::size_t requests_at_once = 8;
  static constexpr std::size_t writes_at_once = 32;
  /// Connections in one event whose frames do not wait for their records any more.
  static constexpr std::size_t releases_at_once = 128;
  /// Closed connections in one event whose peers have had their time to read.
  static constexpr std::size_t ends_at_once = 32;

  /// `io`, `thinking` and `keys` must outlive it. For `choose` see server::Host.
  Shell(server::Config config, std::uint64_t seed, server::TokenSource tokens, ShellIo& io,
        ThinkingService& thinking, KeyService& keys,
        const server::Host::ChooseDirectory& choose = {});
  /// Closes all connections. They may live on, and do not refer to the shell any more.
  ~Shell();
  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;

  /// See Host::restore. Called before record_with().
  server::RestoreReport restore(const journal::v1::Saved& saved);
  /// See Host::adopt.
  server::RestoreReport adopt(const journal::v1::Saved& saved);
  /// See Host::set_servers.
  void set_servers(std::vector<server::Directory::Server> servers) {
    host_.set_servers(std::move(servers));
  }
  /// See Host::apply.
  void follow(const server::LobbyNews& news);
  /// Hands over all records, beginning with those of restore(). Must be called before the first
  /// connection if the config says that records are kept. What the recorder refers to must outlive
  /// the last call of the shell.
  void record_with(Recorder recorder);
  /// See Host::change_settings.
  void change_settings(const server::Config& wanted) { host_.change_settings(wanted); }
  /// See Host::set_logins.
  void set_logins(server::Logins logins) { host_.set_logins(std::move(logins)); }
  void observe_with(ShellObserver& observer) { observer_ = &observer; }

  const server::Host& host() const { return host_; }
  /// O(connections).
  ShellFigures figures() const;
  /// What every connection of this shell is made with.
  ConnectionContext& context() { return context_; }

  // What transports report. None of these may be called for a connection that is_closed().

  /// A peer has connected. The id of the connection is set when this returns. The transport calls
  /// update() afterwards.
  server::ConnectionId connected(std::shared_ptr<Connection> connection, server::Origin origin);
  /// The peer has sent something, which Connection::next() returns.
  void received(Connection& connection);
  /// See Host::pay.
  bool pays(const Connection& connection) { return host_.pay(connection.id(), io_.now()); }
  /// See Host::served.
  void served(const Connection& connection) { host_.served(connection.id()); }
  /// See Host::begin_handshake.
  bool begins_handshake(const Connection& connection) {
    return host_.begin_handshake(connection.id(), io_.now());
  }
  /// A write that had to wait is over. The transport has called Connection::written or
  /// write_failed before.
  void wrote(Connection& connection);
  /// The peer of an open connection has been told by the transport why it is refused.
  void refused(Connection& connection);
  /// The peer will send nothing more.
  void peer_finished(Connection& connection);
  /// Nothing comes from the peer any more and nothing reaches it.
  void broken(Connection& connection, std::string_view reason);

  // What everything else reports.

  void timer_expired();
  /// Does some of the work that was left for later.
  void turn();
  void thought(server::ThoughtId id, const server::ThoughtResult& result);
  /// See Host::key_derived.
  void key_derived(std::uint64_t id, const std::string& key);
  /// Every record up to this sequence number is durable: frames that waited for it can leave.
  void durable(std::uint64_t record);
  void recording(server::Recording recording);
  /// A directory has given the host an answer that was not there at once.
  void directory_answered();

  /// See Host::owner_asks.
  void owner_asks(const admin::v1::Request& request, admin::v1::Response& response);
  /// Announces that the server will end, and stops it as soon as no game is running or the time is
  /// over.
  void drain(std::chrono::milliseconds within);
  /// See Host::give_rooms.
  std::size_t give_rooms(const server::Directory::Server& to, std::size_t most);
  /// Takes no more requests, and calls ShellIo::stopped. Then sends every peer an error, or to one
  /// of the other servers, and closes its connection, a few in each turn. Calls `told_all` when
  /// nothing more will be recorded.
  void stop(std::vector<server::Directory::Server> others = {},
            std::function<void()> told_all = {});
  /// Nothing will be recorded any more: discards all frames that wait for a record, and stops.
  /// Every peer with an open connection is sent `why`, a sentence. Only closes the rest sooner if
  /// the shell is stopping already; then `told_all` is not called. O(connections).
  void fail(std::string why, std::function<void()> told_all);
  bool is_stopping() const { return stopping_; }
  /// Closes every connection at once, without a word: nothing that they wait for will be recorded.
  /// O(connections). There may be no turn after it.
  void cut_off();

 private:
  using Pointer = std::shared_ptr<Connection>;

  void begin_event(const char* name) const {
    if (observer_ != nullptr) observer_->on_event(name);
  }

  /// Whether the event that began then has taken long enough.
  bool is_long(server::Time began) { return io_.now() - began >= longest_event; }
  Connection* find(server::ConnectionId id);
  void take_messages(Connection& connection, server::Time now);
  void handle(Connection& connection, const Received& received, server::Time now);
  void handle_text(server::ConnectionId from, std::string_view text, server::Time now);
  void resume(Connection& connection, server::Time now);
  void lost(Connection& connection, std::string_view reason, server::Time now);

  static void write_log(server::EventLog& log);
  /// Carries out effects until there are none: cutting off a slow peer causes more.
  void carry_out_effects(server::Time now);
  /// All effects but Send, which has its own function.
  void carry_out(const server::Effect& effect, server::Time now);
  void queue(const server::Send& send);
  /// Hands over the records among the effects; those of one call stay together.
  void record();
  void look_up(const server::LookUp& question);
  /// Ends an event: carries out its effects, then write_queued().
  void finish_event(server::Time now);
  /// One write for each connection that has frames queued, or for the first of them; then the timer
  /// is set.
  void write_queued(server::Time now);
  void write(server::ConnectionId id, server::Time now);
  void write_later(std::span<const server::ConnectionId> ids);
  /// Cuts off those with the largest backlogs until the rest is not too much. Returns whether there
  /// was any.
  bool cut_largest_backlogs(server::Time now);
  void cut(const Connection& connection, server::Time now);
  void go_on_with_requests(server::Time now);
  void go_on_stopping(server::Time now);
  /// Of the next connections whose frames may be durable.
  void release_some(server::Time now);
  /// Writes what was released to a closing connection. Its time to read begins with the last frame.
  void release_closing(const Pointer& connection, server::Time now);
  void ask_for_turn();
  void set_timer();

  void linger(const Pointer& connection, server::Time until);
  /// How long a peer has to read its last messages.
  std::chrono::milliseconds linger_time() const;
  /// Null if it does not linger.
  Pointer end_linger(const Connection& connection);
  /// Moves a connection that is closing, from the table to those that linger, and updates it.
  void let_go(const Pointer& connection, server::Time now);

  ShellIo& io_;
  ThinkingService& thinking_;
  KeyService& keys_;
  ShellObserver* observer_ = nullptr;
  Recorder recorder_;
  ShellFigures::Ends ends_;
  bool keeps_records_;
  std::size_t most_lingering_;
  bool draining_ = false;
  bool stopping_ = false;
  bool has_more_to_stop_ = false;                  // connections that have not been told
  std::vector<server::Directory::Server> others_;  // that they are sent to
  std::function<void()> told_all_;
  std::string why_stopping_ = server::stopping_sentence;
  bool has_failed_ = false;  // nothing is recorded any more
  ConnectionContext context_;
  server::Host host_;
  std::vector<Pointer> connections_;             // by slot; those that the host knows
  std::vector<server::ConnectionId> unwritten_;  // have frames queued since the last write
  server::FairQueue<server::ConnectionId> unwritten_later_;  // the same, from earlier events
  // More requests of theirs are to be handled.
  server::FairQueue<server::ConnectionId> requests_wait_;
  bool turn_is_due_ = false;
  std::vector<server::ConnectionId> too_slow_;  // cut off, not yet reported to the host
  std::vector<server::ConnectionId> resumed_;   // the host does not wait for the directory any more
  std::deque<Pointer> held_;                    // have frames that wait for a record
  std::size_t to_release_ = 0;  // of them, the first, since the last record became durable
  using Lingering = std::tuple<server::Time, std::uint32_t, std::uint32_t>;  // deadline and id
  std::map<Lingering, Pointer> lingering_;  // those that are closing
  std::vector<std::string_view> records_;   // reused
  std::uint64_t recorded_ = 0;  // sequence number of the last record that was handed over
  std::uint64_t durable_ = 0;
  std::optional<server::Time> timer_at_;  // while it runs
  server::Time drained_at_;               // while draining
};

}  // namespace tictactoe::transport
