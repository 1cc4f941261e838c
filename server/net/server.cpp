#include "server/net/server.hpp"

#include <spdlog/spdlog.h>

#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/assert.hpp>
#include <chrono>
#include <utility>

#include "common/wire/peer_watch.hpp"
#include "server/net/origin.hpp"
#include "server/net/system_token.hpp"

namespace tictactoe::net {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

core::Time now() {
  return std::chrono::steady_clock::now();
}

// Opens, binds and listens; on the unspecified IPv6 address for both families, on a given one for
// its own.
template <class Acceptor>
error_code open(Acceptor& acceptor, const tcp::endpoint& endpoint) {
  error_code error;
  acceptor.close(error);
  acceptor.open(endpoint.protocol(), error);
  if (!error && endpoint.address().is_v6()) {
    acceptor.set_option(asio::ip::v6_only(!endpoint.address().is_unspecified()), error);
  }
  if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  return error;
}

}  // namespace

Server::Server(asio::io_context& io, core::Config config, std::uint64_t seed, Thinking thinking)
    : io_(io),
      context_{io,
               *this,
               config.limits.client_frame_bytes,
               config.limits.outbox_bytes,
               {config.limits.all_outboxes_bytes}},
      keeps_records_(config.keeps_records),
      host_(std::move(config), seed, system_token),
      timer_(io),
      drained_(io),
      thinker_(io, thinking.threads, thinking.time, [this](core::ThoughtId id, ai::Choice choice) {
        host_.thought(id, choice, now());
        settle();
      }) {}

// Listening ---------------------------------------------------------------------------------------

boost::system::result<tcp::endpoint, std::string> Server::listen(const std::string& address,
                                                                 std::uint16_t port) {
  error_code error;
  const asio::ip::address parsed = asio::ip::make_address(address, error);
  if (error) return "\"" + address + "\" is not an IP address.";
  auto listener = std::make_unique<Listener>(Listener{Acceptor(io_), asio::steady_timer(io_)});
  Acceptor& acceptor = listener->acceptor;
  error = open(acceptor, {parsed, port});
  if (parsed.is_v6() && parsed.is_unspecified() &&
      (error == asio::error::address_family_not_supported ||
       error == boost::system::errc::address_not_available)) {
    // A machine without IPv6 is no reason not to play.
    error = open(acceptor, {asio::ip::address_v4::any(), port});
  }
  if (error) {
    return "Can't listen on " + address + " port " + std::to_string(port) + ": " + error.message() +
           ".";
  }
  tcp::endpoint bound = acceptor.local_endpoint(error);
  listeners_.push_back(std::move(listener));
  accept(*listeners_.back());
  return bound;
}

void Server::accept(Listener& listener) {
  listener.acceptor.async_accept([this, &listener](const error_code& error, Socket socket) {
    if (stopping_ || error == asio::error::operation_aborted) return;
    if (!error) {
      admit(std::move(socket));
      return accept(listener);
    }
    // A peer that was gone before it was accepted is no reason to wait; being out of descriptors or
    // memory is, or this would spin.
    if (error == asio::error::connection_aborted) return accept(listener);
    spdlog::warn("can't accept: {}; trying again in a second", error.message());
    listener.pause.expires_after(std::chrono::seconds(1));
    listener.pause.async_wait([this, &listener](const error_code& cancelled) {
      if (!cancelled && !stopping_) accept(listener);
    });
  });
}

void Server::admit(Socket socket) {
  error_code error;
  const tcp::endpoint peer = socket.remote_endpoint(error);
  // A seat must not stay taken for hours by somebody whose machine is gone.
  if (!error) error = wire::watch_peer(socket.native_handle());
  if (!error) socket.non_blocking(true, error);
  if (error) return;  // gone already
  const core::ConnectionId id = host_.connected(origin_of(peer.address()), now());
  if (id.slot >= sessions_.size()) sessions_.resize(id.slot + 1);
  const auto session = std::make_shared<Session>(socket.release(error), id, context_);
  // One that is still saying its last words goes on by itself; its slot is free.
  sessions_[id.slot] = session;
  spdlog::info("connection {}.{} from {}", id.slot, id.generation, peer.address().to_string());
  session->start();
  settle();
}

core::RestoreReport Server::restore(const journal::v1::Saved& saved) {
  return host_.restore(saved, now());
}

void Server::record_with(Recorder& recorder) {
  recorder_ = &recorder;
  settle();
}

void Server::drain(std::chrono::milliseconds within) {
  draining_ = true;
  drained_.expires_after(within);
  drained_.async_wait([this](const error_code& cancelled) {
    if (!cancelled && !stopping_) stop();
  });
  host_.drain(within, now());
  settle();
}

void Server::stop() {
  stopping_ = true;
  drained_.cancel();
  for (const auto& listener : listeners_) {
    error_code ignored;  // it is given up either way
    listener->acceptor.close(ignored);
    listener->pause.cancel();
  }
  host_.stop(now());
  settle();
  thinker_.stop_all();
  timer_.cancel();
}

// Events ------------------------------------------------------------------------------------------

void Server::on_frame(core::ConnectionId from, std::string_view body) {
  host_.received(from, body, now());
  carry_out_effects();
}

void Server::on_fault(core::ConnectionId from, wire::FrameFault fault) {
  spdlog::info("connection {}.{} sent what is no frame", from.slot, from.generation);
  host_.cannot_read(from, fault, now());
  carry_out_effects();
}

void Server::on_gone(core::ConnectionId gone, const std::string& why) {
  spdlog::info("connection {}.{} is gone: {}", gone.slot, gone.generation, why);
  drop(gone);
  host_.disconnected(gone, now());
  settle();
}

void Server::on_read_done() {
  settle();
}

// Effects -----------------------------------------------------------------------------------------

Session* Server::find(core::ConnectionId id) {
  if (id.slot >= sessions_.size() || !sessions_[id.slot]) return nullptr;
  return sessions_[id.slot]->id() == id ? sessions_[id.slot].get() : nullptr;
}

void Server::drop(core::ConnectionId id) {
  if (find(id) != nullptr) sessions_[id.slot].reset();
}

void Server::record() {
  if (!keeps_records_) return;
  BOOST_ASSERT_MSG(recorder_ != nullptr, "a host that keeps records has somewhere to keep them");
  for (const core::Effect& effect : host_.effects().list()) {
    const auto* record = std::get_if<core::Record>(&effect);
    if (record != nullptr) records_.push_back(host_.effects().bytes(record->body));
  }
  if (records_.empty()) return;
  recorded_ = recorder_->append(records_);
  records_.clear();
}

void Server::recording(core::Recording recording) {
  host_.recording(recording, now());
  settle();
}

void Server::durable(std::uint64_t record) {
  durable_ = record;
  // In the order in which they began to wait. What a session does now may make others wait.
  for (const auto& session : std::exchange(held_, {})) {
    session->release(record);
    if (session->is_held()) held_.push_back(session);
    session->resume();
  }
  settle();
}

void Server::look_up(const core::LookUp& question) {
  recorder_->look_up(question, [this, from = question.from,
                                request_id = question.request_id](v1::ServerMessage answer) {
    host_.looked_up(from, request_id, std::move(answer));
    settle();
  });
}

void Server::carry_out_effects() {
  std::vector<core::ConnectionId> too_slow;
  for (;;) {
    record();
    for (const core::Effect& effect : host_.effects().list()) {
      if (const auto* send = std::get_if<core::Send>(&effect)) {
        queue(*send, too_slow);
      } else if (const auto* close = std::get_if<core::Close>(&effect)) {
        if (Session* session = find(close->connection)) session->close();
        drop(close->connection);
      } else if (const auto* think = std::get_if<core::Think>(&effect)) {
        thinker_.think(*think);
      } else if (const auto* stop = std::get_if<core::CancelThinking>(&effect)) {
        thinker_.stop(stop->id);
      } else if (const auto* question = std::get_if<core::LookUp>(&effect)) {
        look_up(*question);
      }
    }
    host_.effects().clear();
    if (too_slow.empty()) return;
    for (const core::ConnectionId id : too_slow) host_.disconnected(id, now());
    too_slow.clear();
  }
}

void Server::queue(const core::Send& send, std::vector<core::ConnectionId>& too_slow) {
  Session* session = find(send.to);
  if (session == nullptr) return;
  prefix_.clear();
  if (send.request_id != 0) {
    constexpr char request_id_tag = v1::ServerMessage::kRequestIdFieldNumber << 3;
    prefix_.push_back(request_id_tag);
    wire::append_varint(prefix_, send.request_id);
  }
  // Whatever this tells may rest on any record so far, not only on those of its own event.
  const bool waits = send.durability == core::Durability::after_records && recorded_ > durable_;
  const std::uint64_t record = waits ? recorded_ : 0;
  const bool was_held = session->is_held();
  if (session->push(prefix_, host_.effects().bytes(send.body), record)) {
    if (!was_held && session->is_held()) held_.push_back(sessions_[send.to.slot]);
    if (session->wants_flush()) unwritten_.push_back(send.to);
    return;
  }
  spdlog::info("connection {}.{} is cut off: it does not read", send.to.slot, send.to.generation);
  session->abort();
  drop(send.to);
  too_slow.push_back(send.to);
}

void Server::settle() {
  carry_out_effects();
  for (const core::ConnectionId id : unwritten_) {
    if (Session* session = find(id)) session->flush();
  }
  unwritten_.clear();
  set_timer();
  if (draining_ && !stopping_ && host_.is_drained(now())) {
    draining_ = false;
    asio::post(io_, [this] {
      if (!stopping_) stop();
    });
  }
}

void Server::set_timer() {
  // One that runs out too early costs less than setting it anew with every move of a clock.
  const auto due = host_.next_deadline();
  if (!due || stopping_ || (timer_at_ && *timer_at_ <= *due)) return;
  timer_at_ = due;
  timer_.expires_at(*due);
  timer_.async_wait([this](const error_code& cancelled) {
    if (cancelled || stopping_) return;
    timer_at_.reset();
    if (const auto now_due = host_.next_deadline(); now_due && *now_due <= now()) {
      host_.deadline_reached(now());
    }
    settle();
  });
}

}  // namespace tictactoe::net
