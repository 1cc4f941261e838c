// The order of requests, releases and writes, and cutting off slow peers.
#include <boost/assert.hpp>
#include <optional>
#include <span>
#include <utility>

#include "server/transport/shell/shell.hpp"

namespace tictactoe::transport {

using server::Time;

namespace {

// Releases between two readings of the clock.
constexpr std::size_t releases_unwatched = 16;

}  // namespace

void Shell::write_queued(Time now) {
  while (!resumed_.empty()) {
    const server::ConnectionId id = resumed_.back();
    resumed_.pop_back();
    if (find(id) == nullptr) continue;
    const Pointer connection = connections_[id.slot];  // what it does now may end it
    resume(*connection, now);
  }
  do {
    for (std::size_t i = 0; i < unwritten_.size(); ++i) {
      // Writes to the two players of most moves without reading the clock.
      if (i >= writes_at_once || (i >= 2 && is_long(now))) {
        write_later(std::span(unwritten_).subspan(i));
        break;
      }
      write(unwritten_[i], now);  // may add more
    }
    unwritten_.clear();
  } while (cut_largest_backlogs(now));
  if (!unwritten_later_.empty() || !requests_wait_.empty() || to_release_ > 0 ||
      has_more_to_stop_) {
    ask_for_slice();
  }
  if (draining_ && !stopping_ && host_.is_drained(now)) return stop();
  set_timer();
}

void Shell::write_later(std::span<const server::ConnectionId> ids) {
  for (const server::ConnectionId id : ids) {
    if (find(id) != nullptr) unwritten_later_.push(host_.origin(id), id);
  }
}

void Shell::write(server::ConnectionId id, Time now) {
  Connection* const connection = find(id);
  if (connection == nullptr) return;
  connection->flushed();
  connection->update();
  if (!connection->is_paused()) return;
  const Pointer paused = connections_[id.slot];  // what it does now may end it
  resume(*paused, now);
}

bool Shell::cut_largest_backlogs(Time now) {
  bool has_cut = false;
  while (const Backlog* largest = context_.backlogs.too_much()) {
    cut(*largest->connection, now);
    has_cut = true;
  }
  return has_cut;
}

void Shell::cut(const Connection& connection, Time now) {
  const server::ConnectionId id = connection.id();
  ++ends_.most_unread;
  if (find(id) == &connection) {
    const Pointer open = std::exchange(connections_[id.slot], nullptr);
    open->abort();
    open->update();
    host_.disconnected(id, now,
                       "it has the most unread bytes of its address, which has the most of all");
    return carry_out_effects(now);
  }
  const Pointer closing = end_linger(connection);
  BOOST_ASSERT_MSG(closing != nullptr, "what waits belongs to an open or a closing connection");
  closing->abort();
  closing->update();
}

void Shell::ask_for_slice() {
  if (!std::exchange(slice_is_due_, true)) io_.ask_for_slice();
}

void Shell::run_slice() {
  begin_event("turn");
  slice_is_due_ = false;
  const Time now = io_.now();
  go_on_with_requests(now);
  release_some(now);
  if (has_more_to_stop_) go_on_stopping(now);
  for (std::size_t i = 0; i < writes_at_once; ++i) {
    const std::optional<server::ConnectionId> id = unwritten_later_.pop();
    if (!id) break;
    write(*id, now);
    if (is_long(now)) break;
  }
  finish_event(now);
}

std::size_t Shell::give_rooms(const server::Directory::LobbyServer& to, std::size_t max) {
  if (stopping_) return 0;
  begin_event("give rooms");
  const Time now = io_.now();
  const std::size_t given = host_.give_rooms(to, max, now);
  finish_event(now);
  return given;
}

// In the order in which the connections began to wait.
void Shell::release_some(Time now) {
  // No more than can be written in this event: postponing a write costs as much as releasing it.
  for (std::size_t i = 0;
       i < releases_at_once && to_release_ > 0 && unwritten_.size() < writes_at_once; ++i) {
    if (i % releases_unwatched == releases_unwatched - 1 && is_long(now)) return;
    --to_release_;
    Pointer connection = std::move(held_.front());
    held_.pop_front();
    if (connection->is_closed()) continue;
    connection->outbox().release(durable_);
    if (!connection->is_open()) {
      release_closing(connection, now);
    } else if (connection->claim_flush()) {
      unwritten_.push_back(connection->id());
    }
    if (connection->outbox().is_held()) held_.push_back(std::move(connection));
  }
}

void Shell::release_closing(const Pointer& connection, Time now) {
  if (!connection->outbox().is_held()) {
    end_linger(*connection);
    linger(connection, now + linger_time());
  }
  connection->update();
  if (connection->is_closed()) end_linger(*connection);
}

// Handles requests of one connection.
void Shell::go_on_with_requests(Time now) {
  const std::optional<server::ConnectionId> id = requests_wait_.pop();
  if (!id || find(*id) == nullptr) return;
  const Pointer connection = connections_[id->slot];  // what it does now may end it
  connection->begin_slice();
  take_messages(*connection, now);
  if (!connection->is_closed()) connection->update();
}

}  // namespace tictactoe::transport
