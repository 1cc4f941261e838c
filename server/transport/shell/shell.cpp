// Events: connections, time, the journal, and the end.
#include "server/transport/shell/shell.hpp"

#include <spdlog/spdlog.h>

#include <boost/assert.hpp>
#include <utility>

#include "server/transport/shell/json_form.hpp"

namespace tictactoe::transport {

using server::Time;

namespace {

// How long a peer may take to read the last frames.
constexpr std::chrono::seconds max_linger{2};
// At the end, while everybody waits for the server's next start.
constexpr std::chrono::milliseconds max_linger_at_end{500};
// How long the last frames may wait for a record before that. A disk that takes longer has failed.
constexpr std::chrono::seconds max_hold{10};

}  // namespace

Shell::Shell(server::Config config, std::uint64_t seed, server::TokenSource tokens, ShellIo& io,
             ThinkingService& thinking, KeyService& keys,
             const server::Host::ChooseDirectory& choose)
    : io_(io),
      thinking_(thinking),
      keys_(keys),
      keeps_records_(config.keeps_records),
      max_lingering_(config.limits.lingering_connections),
      context_{config.limits.client_frame_bytes, config.limits.outbox_bytes,
               Backlogs({config.limits.all_outboxes_bytes,
                         config.limits.limits_addresses() ? config.limits.outbox_bytes_per_address
                                                          : config.limits.all_outboxes_bytes})},
      host_(std::move(config), seed, std::move(tokens), choose) {}

Shell::~Shell() {
  cut_off();
}

server::RestoreReport Shell::restore(const journal::v1::Saved& saved) {
  return host_.restore(saved, io_.now());
}

server::RestoreReport Shell::adopt(const journal::v1::Saved& saved) {
  begin_event("adopt");
  server::RestoreReport report = host_.adopt(saved, io_.now());
  finish_event(io_.now());
  return report;
}

void Shell::apply(const server::LobbyNews& news) {
  begin_event("news");
  host_.apply(news, io_.now());
  finish_event(io_.now());
}

void Shell::record_with(Recorder recorder) {
  recorder_ = std::move(recorder);
  finish_event(io_.now());
}

// Connections -------------------------------------------------------------------------------------

server::ConnectionId Shell::connected(Pointer connection, server::Origin origin) {
  begin_event("connected");
  const Time now = io_.now();
  const server::ConnectionId id = host_.connected(origin, now);
  connection->set_id(id, origin.address);
  if (id.slot >= connections_.size()) connections_.resize(id.slot + 1);
  connections_[id.slot] = std::move(connection);
  finish_event(now);
  return id;
}

void Shell::received(Connection& connection) {
  if (!connection.is_open()) return;
  begin_event("received");
  const Time now = io_.now();
  take_messages(connection, now);
  write_queued(now);
}

void Shell::take_messages(Connection& connection, Time now) {
  if (stopping_) return connection.end_input(false);
  const server::ConnectionId id = connection.id();
  // A message can close the connection, depending on how the host handles it.
  for (std::size_t messages = 0;; ++messages) {
    if (messages > 0 && connection.has_input() && (messages >= requests_at_once || is_long(now)) &&
        connection.wait_for_slice()) {
      requests_wait_.push(host_.origin(id), id);
      break;
    }
    const Received received = connection.next();
    if (received.kind == Received::Kind::nothing) break;
    handle(connection, received, now);
    carry_out_effects(now);
    if (host_.is_waiting(id)) connection.pause();
  }
  connection.end_input(true);
  if (connection.is_paused() && connection.is_open()) host_.reading_paused(id, true, now);
}

void Shell::handle(Connection& connection, const Received& received, Time now) {
  const server::ConnectionId id = connection.id();
  switch (received.kind) {
    case Received::Kind::nothing:
      return;
    case Received::Kind::message:
      if (observer_ != nullptr) observer_->on_message(id, received.body);
      return host_.received(id, host_.parse(received.body), now);
    case Received::Kind::text:
      return handle_text(id, received.body, now);
    case Received::Kind::control:
      if (received.is_alive) host_.heard(id, now);
      if (received.is_charged) host_.controlled(id, now);
      // The transport may have answered it.
      if (!connection.ready().empty() && connection.claim_flush()) unwritten_.push_back(id);
      return;
    case Received::Kind::end:
      ++ends_.by_peer;
      connection.peer_finished();
      return lost(connection, "the peer has left", now);
    case Received::Kind::fault:
      return host_.cannot_read(id, received.fault, now);
  }
}

void Shell::handle_text(server::ConnectionId from, std::string_view text, Time now) {
  if (!host_.pay_for_text(from, text.size(), request_id_in_json(text), now)) return;
  auto& request = host_.effects().draft<v1::ClientMessage>();
  host_.received(from, request_from_json(text, request) ? &request : nullptr, now);
}

void Shell::resume(Connection& connection, Time now) {
  if (!connection.is_paused() || host_.is_waiting(connection.id()) || !connection.resume()) return;
  host_.reading_paused(connection.id(), false, now);
  take_messages(connection, now);
  if (!connection.is_closed()) connection.update();
}

void Shell::wrote(Connection& connection) {
  begin_event("wrote");
  const Time now = io_.now();
  connection.update();
  if (connection.is_closed()) {
    end_linger(connection);
  } else {
    resume(connection, now);
  }
  finish_event(now);
}

void Shell::refused(Connection& connection) {
  begin_event("refused");
  ++ends_.refused;
  const Time now = io_.now();
  connection.close();
  lost(connection, "it is refused", now);
  finish_event(now);
}

void Shell::peer_finished(Connection& connection) {
  begin_event("peer finished");
  const Time now = io_.now();
  const bool was_open = connection.is_open();
  connection.peer_finished();
  if (was_open) {
    ++ends_.by_peer;
    lost(connection, "the peer has left", now);
  } else if (connection.is_closed()) {
    end_linger(connection);
    connection.update();
  }
  finish_event(now);
}

void Shell::broken(Connection& connection, std::string_view reason) {
  begin_event("broken");
  const Time now = io_.now();
  const bool was_open = connection.is_open();
  connection.abort();
  if (was_open) {
    ++ends_.broken;
    lost(connection, reason, now);
  } else {
    end_linger(connection);
    connection.update();
  }
  finish_event(now);
}

// The connection is closing or closed already, and the host does not know.
void Shell::lost(Connection& connection, std::string_view reason, Time now) {
  const server::ConnectionId id = connection.id();
  let_go(std::exchange(connections_[id.slot], nullptr), now);
  host_.disconnected(id, now, reason);
}

void Shell::let_go(const Pointer& connection, Time now) {
  if (connection->is_closing()) {
    linger(connection, now + (connection->outbox().is_held() ? max_hold : linger_time()));
  }
  connection->update();
  if (connection->is_closed()) end_linger(*connection);
  if (lingering_.size() <= max_lingering_) return;
  // The first connection has had the most time to read.
  const Pointer first = std::move(lingering_.extract(lingering_.begin()).mapped());
  first->abort();
  first->update();
}

void Shell::linger(const Pointer& connection, Time until) {
  connection->set_deadline(until);
  const server::ConnectionId id = connection->id();
  lingering_.emplace(Lingering{until, id.slot, id.generation}, connection);
}

std::chrono::milliseconds Shell::linger_time() const {
  return stopping_ && others_.empty() ? max_linger_at_end : max_linger;
}

Shell::Pointer Shell::end_linger(const Connection& connection) {
  const server::ConnectionId id = connection.id();
  auto node = lingering_.extract({connection.deadline(), id.slot, id.generation});
  return node.empty() ? nullptr : std::move(node.mapped());
}

// Time --------------------------------------------------------------------------------------------

void Shell::timer_expired() {
  begin_event("timer expired");
  timer_at_.reset();
  const Time now = io_.now();
  for (std::size_t left = ends_at_once; left > 0 && !lingering_.empty(); --left) {
    if (std::get<Time>(lingering_.begin()->first) > now || is_long(now)) break;
    const Pointer connection = std::move(lingering_.extract(lingering_.begin()).mapped());
    connection->abort();
    connection->update();
  }
  if (!stopping_) {
    if (const auto due = host_.next_deadline(); due && *due <= now) host_.deadline_reached(now);
  }
  finish_event(now);
}

void Shell::set_timer() {
  std::optional<Time> due;
  if (!stopping_) {
    due = host_.next_deadline();
    if (draining_ && (!due || drained_at_ < *due)) due = drained_at_;
  }
  if (!lingering_.empty()) {
    const Time first = std::get<Time>(lingering_.begin()->first);
    if (!due || first < *due) due = first;
  }
  if (!due) {
    // While a server runs, a timer that expires too early costs less than cancelling it.
    if (stopping_ && timer_at_) {
      timer_at_.reset();
      io_.cancel_timer();
    }
    return;
  }
  if (timer_at_ && *timer_at_ <= *due) return;
  timer_at_ = due;
  io_.set_timer(*due);
}

void Shell::finish_event(Time now) {
  carry_out_effects(now);
  write_queued(now);
}

// Beside the event loop ---------------------------------------------------------------------------

void Shell::thought(server::ThoughtId id, const server::ThoughtResult& result) {
  begin_event("thought");
  const Time now = io_.now();
  host_.thought(id, result, now);
  finish_event(now);
}

void Shell::key_derived(std::uint64_t id, const std::string& key) {
  begin_event("key derived");
  const Time now = io_.now();
  host_.key_derived(id, key, now);
  finish_event(now);
}

void Shell::set_journal_health(server::JournalHealth health) {
  begin_event("recording");
  const Time now = io_.now();
  host_.set_journal_health(health, now);
  finish_event(now);
}

void Shell::directory_answered() {
  begin_event("directory answered");
  finish_event(io_.now());
}

void Shell::durable(std::uint64_t record) {
  begin_event("durable");
  const Time now = io_.now();
  durable_ = record;
  to_release_ = held_.size();
  release_some(now);
  write_queued(now);
}

// The owner ---------------------------------------------------------------------------------------

void Shell::owner_asks(const admin::v1::Request& request, admin::v1::Response& response) {
  begin_event("owner");
  const Time now = io_.now();
  host_.owner_asks(request, now, response);
  finish_event(now);
}

ShellFigures Shell::figures() const {
  ShellFigures figures{{}, lingering_.size(), context_.backlogs.used(), ends_};
  for (const Pointer& connection : connections_) {
    if (connection != nullptr)
      ++figures.connections.at(static_cast<std::size_t>(connection->kind()));
  }
  return figures;
}

// The end -----------------------------------------------------------------------------------------

void Shell::drain(std::chrono::milliseconds within) {
  begin_event("drain");
  const Time now = io_.now();
  draining_ = true;
  drained_at_ = now + within;
  host_.drain(within, now);
  finish_event(now);
}

void Shell::stop(std::vector<server::Directory::LobbyServer> others,
                 std::function<void()> told_all) {
  if (std::exchange(stopping_, true)) return;
  others_ = std::move(others);
  told_all_ = std::move(told_all);
  go_on_stopping(io_.now());
  thinking_.cancel_all();
  keys_.cancel_keys();
  io_.stopped();
}

void Shell::fail(std::string why, std::function<void()> told_all) {
  begin_event("failed");
  const Time now = io_.now();
  has_failed_ = true;
  to_release_ = 0;
  for (const Pointer& connection : std::exchange(held_, {})) {
    if (connection->is_closed()) continue;
    connection->outbox().discard_held();
    if (!connection->is_open()) release_closing(connection, now);
  }
  if (stopping_) return finish_event(now);
  why_stopping_ = std::move(why);
  stop({}, std::move(told_all));
}

void Shell::go_on_stopping(Time now) {
  has_more_to_stop_ = host_.stop(now, others_, why_stopping_);
  finish_event(now);
  if (!has_more_to_stop_ && told_all_) std::exchange(told_all_, nullptr)();
}

}  // namespace tictactoe::transport
