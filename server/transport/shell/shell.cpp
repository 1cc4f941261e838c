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
// Releases between two readings of the clock.
constexpr std::size_t releases_unwatched = 16;

}  // namespace

Shell::Shell(server::Config config, std::uint64_t seed, server::TokenSource tokens, ShellIo& io,
             const server::Host::ChooseDirectory& choose)
    : io_(io),
      keeps_records_(config.keeps_records),
      context_{config.limits.client_frame_bytes, config.limits.outbox_bytes,
               Backlogs({config.limits.all_outboxes_bytes,
                         config.limits.limits_addresses() ? config.limits.outbox_bytes_per_address
                                                          : config.limits.all_outboxes_bytes})},
      connections_(config.limits.lingering_connections),
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
  records_.record_with(std::move(recorder));
  finish_event(io_.now());
}

ShellFigures Shell::figures() const {
  ShellFigures figures{{}, connections_.lingering(), context_.backlogs.used(), ends_};
  connections_.visit_open([&](const Connection& connection) {
    ++figures.connections.at(static_cast<std::size_t>(connection.kind()));
  });
  return figures;
}

// Connections -------------------------------------------------------------------------------------

server::ConnectionId Shell::connected(Pointer connection, server::Origin origin) {
  begin_event("connected");
  const Time now = io_.now();
  const server::ConnectionId id = host_.connected(origin, now);
  connection->set_id(id, origin.address);
  connections_.add(std::move(connection));
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
      return lost(connection, "the peer left", now);
    case Received::Kind::fault:
      return host_.cannot_read(id, received.fault, now);
  }
}

void Shell::handle_text(server::ConnectionId from, std::string_view text, Time now) {
  if (!host_.pay_for_text(from, text.size(), request_id_in_json(text), now)) return;
  auto& request = host_.effects().draft<v1::ClientMessage>();
  host_.received(from, request_from_json(text, request) ? &request : nullptr, now);
}

// Handles requests of one connection.
void Shell::go_on_with_requests(Time now) {
  const std::optional<server::ConnectionId> id = requests_wait_.pop();
  if (!id || connections_.find(*id) == nullptr) return;
  const Pointer connection = connections_.share(*id);  // what it does now may end it
  connection->begin_slice();
  take_messages(*connection, now);
  if (!connection->is_closed()) connection->update();
}

void Shell::resume(Connection& connection, Time now) {
  if (!connection.is_paused() || host_.is_waiting(connection.id()) || !connection.resume()) return;
  host_.reading_paused(connection.id(), false, now);
  take_messages(connection, now);
  if (!connection.is_closed()) connection.update();
}

void Shell::resume_waiting(Time now) {
  while (!resumed_.empty()) {
    const server::ConnectionId id = resumed_.back();
    resumed_.pop_back();
    if (connections_.find(id) == nullptr) continue;
    const Pointer connection = connections_.share(id);  // what it does now may end it
    resume(*connection, now);
  }
}

void Shell::wrote(Connection& connection) {
  handle_event("wrote", [&](Time now) {
    connection.update();
    if (connection.is_closed()) {
      connections_.end_linger(connection);
    } else {
      resume(connection, now);
    }
  });
}

void Shell::refused(Connection& connection) {
  handle_event("refused", [&](Time now) {
    ++ends_.refused;
    connection.close();
    lost(connection, "refused", now);
  });
}

void Shell::peer_finished(Connection& connection) {
  handle_event("peer finished", [&](Time now) {
    const bool was_open = connection.is_open();
    connection.peer_finished();
    if (was_open) {
      ++ends_.by_peer;
      lost(connection, "the peer left", now);
    } else if (connection.is_closed()) {
      connections_.end_linger(connection);
      connection.update();
    }
  });
}

void Shell::broken(Connection& connection, std::string_view reason) {
  handle_event("broken", [&](Time now) {
    const bool was_open = connection.is_open();
    connection.abort();
    if (was_open) {
      ++ends_.broken;
      lost(connection, reason, now);
    } else {
      connections_.end_linger(connection);
      connection.update();
    }
  });
}

// The connection is closing or closed already, and the host does not know.
void Shell::lost(Connection& connection, std::string_view reason, Time now) {
  const server::ConnectionId id = connection.id();
  let_go(connections_.take(id), now);
  host_.disconnected(id, now, reason);
}

void Shell::let_go(const Pointer& connection, Time now) {
  connections_.let_go(connection,
                      now + (connection->outbox().is_held() ? max_hold : linger_time()));
}

std::chrono::milliseconds Shell::linger_time() const {
  return stopping_ && stopping_->others.empty() ? max_linger_at_end : max_linger;
}

// Time --------------------------------------------------------------------------------------------

void Shell::timer_expired() {
  handle_event("timer expired", [&](Time now) {
    timer_at_.reset();
    for (std::size_t left = ends_at_once; left > 0; --left) {
      const auto due = connections_.first_deadline();
      if (!due || *due > now || is_long(now)) break;
      connections_.end_first();
    }
    if (stopping_) return;
    if (const auto due = host_.next_deadline(); due && *due <= now) host_.deadline_reached(now);
  });
}

void Shell::set_timer() {
  std::optional<Time> due = connections_.first_deadline();
  if (!stopping_) {
    for (const auto& other : {host_.next_deadline(), drained_at_}) {
      if (other && (!due || *other < *due)) due = other;
    }
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

void Shell::ask_for_slice() {
  if (!std::exchange(slice_is_due_, true)) io_.ask_for_slice();
}

void Shell::run_slice() {
  handle_event("slice", [&](Time now) {
    slice_is_due_ = false;
    go_on_with_requests(now);
    release_some(now);
    if (stopping_ && stopping_->has_more) go_on_stopping(now);
    for (std::size_t i = 0; i < writes_at_once; ++i) {
      const std::optional<server::ConnectionId> id = unwritten_later_.pop();
      if (!id) break;
      write(*id, now);
      if (is_long(now)) break;
    }
  });
}

void Shell::finish_event(Time now) {
  carry_out_effects(now);
  write_queued(now);
}

// Reports of threads ------------------------------------------------------------------------------

void Shell::thought(server::ThoughtId id, const server::ThoughtResult& result) {
  handle_event("thought", [&](Time now) { host_.thought(id, result, now); });
}

void Shell::key_derived(std::uint64_t id, const std::string& key) {
  handle_event("key derived", [&](Time now) { host_.key_derived(id, key, now); });
}

void Shell::set_journal_health(server::JournalHealth health) {
  handle_event("recording", [&](Time now) { host_.set_journal_health(health, now); });
}

void Shell::directory_answered() {
  handle_event("directory answered", [](Time) {});
}

void Shell::durable(std::uint64_t record) {
  begin_event("durable");
  const Time now = io_.now();
  records_.durable(record);
  release_some(now);
  write_queued(now);
}

// Effects -----------------------------------------------------------------------------------------

void Shell::carry_out_effects(Time now) {
  for (;;) {
    server::Effects& effects = host_.effects();
    if (observer_ != nullptr) observer_->on_effects(effects);
    if (keeps_records_) records_.record(effects);
    for (const server::Effect& effect : effects.list()) {
      if (const auto* send = std::get_if<server::Send>(&effect)) {
        queue(*send);
      } else {
        carry_out(effect, now);
      }
    }
    write_log(effects.log);
    effects.clear();
    if (too_slow_.empty()) return;
    const server::ConnectionId slow = too_slow_.back();
    too_slow_.pop_back();
    host_.disconnected(slow, now, "the peer does not read");
  }
}

// Whether the log accepts events can change at any time.
void Shell::write_log(server::EventLog& log) {
  for (const server::LogEvent& event : log.events()) spdlog::info("{}", server::to_payload(event));
  log.clear();
  log.enable(spdlog::should_log(spdlog::level::info));
}

void Shell::carry_out(const server::Effect& effect, Time now) {
  if (const auto* close = std::get_if<server::Close>(&effect)) {
    if (Connection* connection = connections_.find(close->connection)) {
      connection->close();
      let_go(connections_.take(close->connection), now);
    }
  } else if (const auto* think = std::get_if<server::Think>(&effect)) {
    io_.think(*think);
  } else if (const auto* cancel = std::get_if<server::CancelThinking>(&effect)) {
    io_.cancel(cancel->id);
  } else if (const auto* release = std::get_if<server::ReleaseAi>(&effect)) {
    io_.release(release->room);
  } else if (const auto* question = std::get_if<server::LookUp>(&effect)) {
    look_up(*question);
  } else if (const auto* resumed = std::get_if<server::ResumeReading>(&effect)) {
    resumed_.push_back(resumed->connection);
  } else if (const auto* derive = std::get_if<server::DeriveKey>(&effect)) {
    io_.derive(*derive);
  }
}

void Shell::queue(const server::Send& send) {
  Connection* const connection = connections_.find(send.to);
  if (connection == nullptr) return;
  const std::uint64_t record =
      send.durability == server::Durability::after_records ? records_.awaited() : 0;
  if (record > 0 && records_.has_failed()) return;
  const bool was_held = connection->outbox().is_held();
  if (connection->send(send.request_id, host_.effects().bytes(send.body), record)) {
    if (!was_held && connection->outbox().is_held()) records_.hold(connections_.share(send.to));
    if (connection->claim_flush()) unwritten_.push_back(send.to);
    return;
  }
  ++ends_.too_slow;
  connection->abort();
  let_go(connections_.take(send.to), {});
  too_slow_.push_back(send.to);
}

void Shell::look_up(const server::LookUp& question) {
  records_.look_up(question,
                   [this, from = question.from, request_id = question.request_id,
                    for_room = question.request.has_create_room()](server::LookUpAnswer answer) {
                     handle_event("looked up", [&](Time now) {
                       if (for_room) return host_.position_found(from, answer, now);
                       const Connection* const connection = connections_.find(from);
                       // No answer to a question cuts off a peer that does not read.
                       if (connection != nullptr && !connection->fits(answer.size())) {
                         answer = server::no_space_for_answer();
                       }
                       host_.looked_up(from, request_id, answer);
                     });
                   });
}

// Writing -----------------------------------------------------------------------------------------

void Shell::write_queued(Time now) {
  resume_waiting(now);
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
  if (!unwritten_later_.empty() || !requests_wait_.empty() || records_.has_more_to_release() ||
      (stopping_ && stopping_->has_more)) {
    ask_for_slice();
  }
  if (drained_at_ && !stopping_ && host_.is_drained(now)) return stop();
  set_timer();
}

void Shell::write_later(std::span<const server::ConnectionId> ids) {
  for (const server::ConnectionId id : ids) {
    if (connections_.find(id) != nullptr) unwritten_later_.push(host_.origin(id), id);
  }
}

void Shell::write(server::ConnectionId id, Time now) {
  Connection* const connection = connections_.find(id);
  if (connection == nullptr) return;
  connection->flushed();
  connection->update();
  if (!connection->is_paused()) return;
  const Pointer paused = connections_.share(id);  // what it does now may end it
  resume(*paused, now);
}

// In the order in which the connections began to wait.
void Shell::release_some(Time now) {
  // No more than can be written in this event: postponing a write costs as much as releasing it.
  for (std::size_t i = 0;
       i < releases_at_once && records_.has_more_to_release() && unwritten_.size() < writes_at_once;
       ++i) {
    if (i % releases_unwatched == releases_unwatched - 1 && is_long(now)) return;
    const Pointer connection = records_.release_next();
    if (connection == nullptr) continue;
    if (!connection->is_open()) {
      release_closing(connection, now);
    } else if (connection->claim_flush()) {
      unwritten_.push_back(connection->id());
    }
  }
}

void Shell::release_closing(const Pointer& connection, Time now) {
  const bool is_last = !connection->outbox().is_held();
  connections_.update_lingering(connection,
                                is_last ? std::optional(now + linger_time()) : std::nullopt);
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
  if (connections_.find(id) == &connection) {
    const Pointer open = connections_.take(id);
    open->abort();
    open->update();
    host_.disconnected(id, now, "it has the most unread bytes at the address that has the most");
    return carry_out_effects(now);
  }
  const Pointer closing = connections_.end_linger(connection);
  BOOST_ASSERT_MSG(closing != nullptr, "what waits belongs to an open or a closing connection");
  closing->abort();
  closing->update();
}

// The owner, and the end --------------------------------------------------------------------------

void Shell::owner_asks(const admin::v1::Request& request, admin::v1::Response& response) {
  handle_event("owner", [&](Time now) { host_.owner_asks(request, now, response); });
}

std::size_t Shell::give_rooms(const server::Directory::LobbyServer& to, std::size_t max) {
  std::size_t given = 0;
  if (stopping_) return given;
  handle_event("give rooms", [&](Time now) { given = host_.give_rooms(to, max, now); });
  return given;
}

void Shell::drain(std::chrono::milliseconds within) {
  handle_event("drain", [&](Time now) {
    drained_at_ = now + within;
    host_.drain(within, now);
  });
}

void Shell::stop(std::vector<server::Directory::LobbyServer> others,
                 std::function<void()> told_all) {
  if (!stopping_)
    begin_stopping({std::move(others), server::stopping_sentence, std::move(told_all)});
}

void Shell::fail(std::string why, std::function<void()> told_all) {
  begin_event("failed");
  const Time now = io_.now();
  for (const Pointer& connection : records_.fail()) {
    if (!connection->is_open()) release_closing(connection, now);
  }
  if (stopping_) return finish_event(now);
  begin_stopping({{}, std::move(why), std::move(told_all)});
}

void Shell::begin_stopping(Stopping stopping) {
  stopping_ = std::move(stopping);
  go_on_stopping(io_.now());
  io_.cancel_all();
  io_.stopped();
}

void Shell::go_on_stopping(Time now) {
  stopping_->has_more = host_.stop(now, stopping_->others, stopping_->why);
  finish_event(now);
  if (!stopping_->has_more && stopping_->told_all) std::exchange(stopping_->told_all, nullptr)();
}

}  // namespace tictactoe::transport
