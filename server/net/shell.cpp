// Events: connections, time, the journal, and the end.
#include "server/net/shell.hpp"

#include <spdlog/spdlog.h>

#include <utility>

namespace tictactoe::net {

using core::Time;

namespace {

// How long a peer may take to read the last frames.
constexpr std::chrono::seconds longest_linger{2};
// How long the last frames may wait for a record before that. A disk that takes longer has failed.
constexpr std::chrono::seconds longest_hold{10};

}  // namespace

Shell::Shell(core::Config config, std::uint64_t seed, core::TokenSource tokens, ShellIo& io,
             ThinkingService& thinking, KeyService& keys, const core::Host::ChooseDirectory& choose)
    : io_(io),
      thinking_(thinking),
      keys_(keys),
      keeps_records_(config.keeps_records),
      context_{config.limits.client_frame_bytes,
               config.limits.outbox_bytes,
               {config.limits.all_outboxes_bytes}},
      host_(std::move(config), seed, std::move(tokens), choose) {}

Shell::~Shell() {
  const auto end = [](const Pointer& connection) {
    if (!connection || connection->is_closed()) return;
    connection->abort();
    connection->update();
  };
  for (const Pointer& connection : connections_) end(connection);
  for (const auto& [key, connection] : lingering_) end(connection);
}

core::RestoreReport Shell::restore(const journal::v1::Saved& saved) {
  return host_.restore(saved, io_.now());
}

void Shell::record_with(Recorder& recorder) {
  recorder_ = &recorder;
  finish_event(io_.now());
}

// Connections -------------------------------------------------------------------------------------

core::ConnectionId Shell::connected(Pointer connection, core::Origin origin) {
  const Time now = io_.now();
  const core::ConnectionId id = host_.connected(origin, now);
  connection->set_id(id);
  if (id.slot >= connections_.size()) connections_.resize(id.slot + 1);
  connections_[id.slot] = std::move(connection);
  finish_event(now);
  return id;
}

void Shell::received(Connection& connection, std::string_view bytes) {
  if (!connection.is_open()) return;
  const Time now = io_.now();
  take_frames(connection, bytes, now);
  write_queued(now);
}

void Shell::take_frames(Connection& connection, std::string_view bytes, Time now) {
  const core::ConnectionId id = connection.id();
  connection.begin_input(bytes);
  // A frame can close the connection, depending on what the host makes of it.
  for (;;) {
    const wire::NextFrame next = connection.next_frame();
    if (next.state == wire::NextFrame::State::frame) {
      if (observer_ != nullptr) observer_->on_frame(id, next.body);
      host_.received(id, next.body, now);
    } else if (next.state == wire::NextFrame::State::fault) {
      spdlog::info("connection {}.{} sent bytes that are not a frame", id.slot, id.generation);
      host_.cannot_read(id, next.fault, now);
    } else {
      break;
    }
    carry_out_effects(now);
    if (host_.is_waiting(id)) connection.pause();
  }
  connection.end_input();
  if (connection.is_paused() && connection.is_open()) host_.reading_paused(id, true, now);
}

void Shell::resume(Connection& connection, Time now) {
  if (!connection.is_paused() || host_.is_waiting(connection.id()) || !connection.resume()) return;
  host_.reading_paused(connection.id(), false, now);
  take_frames(connection, {}, now);
  if (!connection.is_closed()) connection.update();
}

void Shell::wrote(Connection& connection) {
  const Time now = io_.now();
  connection.update();
  if (connection.is_closed()) {
    end_linger(connection);
  } else {
    resume(connection, now);
  }
  finish_event(now);
}

void Shell::peer_finished(Connection& connection) {
  const Time now = io_.now();
  const bool was_open = connection.is_open();
  connection.peer_finished();
  if (was_open) {
    lost(connection, "the peer has left", now);
  } else if (connection.is_closed()) {
    end_linger(connection);
    connection.update();
  }
  finish_event(now);
}

void Shell::broken(Connection& connection, std::string_view reason) {
  const Time now = io_.now();
  const bool was_open = connection.is_open();
  connection.abort();
  if (was_open) {
    lost(connection, reason, now);
  } else {
    end_linger(connection);
    connection.update();
  }
  finish_event(now);
}

// The connection is closing or closed already, and the host does not know.
void Shell::lost(Connection& connection, std::string_view reason, Time now) {
  const core::ConnectionId id = connection.id();
  spdlog::info("connection {}.{} has ended: {}", id.slot, id.generation, reason);
  let_go(std::exchange(connections_[id.slot], nullptr), now);
  host_.disconnected(id, now);
}

void Shell::let_go(const Pointer& connection, Time now) {
  if (connection->is_closing()) {
    linger(connection, now + (connection->is_held() ? longest_hold : longest_linger));
  }
  connection->update();
  if (connection->is_closed()) end_linger(*connection);
}

void Shell::linger(const Pointer& connection, Time until) {
  connection->set_deadline(until);
  const core::ConnectionId id = connection->id();
  lingering_.emplace(Lingering{until, id.slot, id.generation}, connection);
}

void Shell::end_linger(const Connection& connection) {
  const core::ConnectionId id = connection.id();
  lingering_.erase({connection.deadline(), id.slot, id.generation});
}

// Time --------------------------------------------------------------------------------------------

void Shell::timer_expired() {
  timer_at_.reset();
  const Time now = io_.now();
  while (!lingering_.empty() && std::get<Time>(lingering_.begin()->first) <= now) {
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

void Shell::write_queued(Time now) {
  while (!resumed_.empty()) {
    const core::ConnectionId id = resumed_.back();
    resumed_.pop_back();
    if (find(id) == nullptr) continue;
    const Pointer connection = connections_[id.slot];  // what it does now may end it
    resume(*connection, now);
  }
  for (const core::ConnectionId id : unwritten_) {
    if (Connection* connection = find(id)) {
      connection->flushed();
      connection->update();
    }
  }
  unwritten_.clear();
  if (draining_ && !stopping_ && host_.is_drained(now)) return stop();
  set_timer();
}

// Beside the event loop ---------------------------------------------------------------------------

void Shell::thought(core::ThoughtId id, const core::ThoughtResult& result) {
  const Time now = io_.now();
  host_.thought(id, result, now);
  finish_event(now);
}

void Shell::key_derived(std::uint64_t id, const std::string& key) {
  const Time now = io_.now();
  host_.key_derived(id, key, now);
  finish_event(now);
}

void Shell::recording(core::Recording recording) {
  const Time now = io_.now();
  host_.recording(recording, now);
  finish_event(now);
}

void Shell::directory_answered() {
  finish_event(io_.now());
}

void Shell::durable(std::uint64_t record) {
  const Time now = io_.now();
  durable_ = record;
  // In the order in which they began to wait. What a connection does now may make others wait.
  for (Pointer& connection : std::exchange(held_, {})) {
    if (connection->is_closed()) continue;
    connection->release(record);
    if (connection->is_closing() && !connection->is_held()) {
      end_linger(*connection);
      linger(connection, now + longest_linger);
    }
    connection->update();
    if (connection->is_closed()) {
      end_linger(*connection);
      continue;
    }
    const bool is_still_held = connection->is_held();
    Connection& resumed = *connection;
    if (is_still_held) held_.push_back(std::move(connection));
    resume(resumed, now);
  }
  finish_event(now);
}

// The end -----------------------------------------------------------------------------------------

void Shell::drain(std::chrono::milliseconds within) {
  const Time now = io_.now();
  draining_ = true;
  drained_at_ = now + within;
  host_.drain(within, now);
  finish_event(now);
}

void Shell::stop() {
  if (std::exchange(stopping_, true)) return;
  const Time now = io_.now();
  host_.stop(now);
  finish_event(now);
  thinking_.cancel_all();
  keys_.cancel_keys();
  io_.stopped();
}

}  // namespace tictactoe::net
