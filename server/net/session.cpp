#include "server/net/session.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <chrono>
#include <utility>

namespace tictactoe::net {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

// How long a peer may take to read our last words.
constexpr std::chrono::seconds longest_linger{2};

// How long they may wait for a record before. A disk that takes longer has failed.
constexpr std::chrono::seconds longest_hold{10};

}  // namespace

Session::Session(Socket socket, core::ConnectionId id, SessionLimits limits, OutboxBudget& budget,
                 SessionEvents& events)
    : socket_(std::move(socket)),
      id_(id),
      events_(events),
      reader_(limits.client_frame_bytes),
      outbox_(limits.outbox_bytes, budget) {}

void Session::start() {
  read();
}

void Session::read() {
  const auto space = reader_.prepare();
  socket_.async_read_some(asio::buffer(space.data(), space.size()),
                          [self = shared_from_this()](const error_code& error, std::size_t bytes) {
                            if (self->state_ == State::closed) return;
                            if (error == asio::error::eof) return self->left();
                            if (error) return self->gone(error.message());
                            if (self->state_ == State::open) {
                              self->reader_.commit(bytes);
                              self->take_frames();
                            }
                            if (self->state_ != State::closed && !self->paused_) self->read();
                          });
}

void Session::take_frames() {
  // A frame can end the session, by what the host makes of it.
  while (state_ == State::open) {
    if (outbox_.is_half_full()) {
      flush();
      paused_ = outbox_.is_half_full();
      if (paused_) break;
    }
    const wire::NextFrame next = reader_.next();
    if (next.state == wire::NextFrame::State::need_more) break;
    if (next.state == wire::NextFrame::State::fault) {
      events_.on_fault(id_, next.fault);
      break;
    }
    events_.on_frame(id_, next.body);
  }
  events_.on_read_done();
}

void Session::resume() {
  if (!paused_ || outbox_.is_half_full() || state_ != State::open) return;
  paused_ = false;
  take_frames();
  if (state_ != State::closed && !paused_) read();
}

void Session::flush() {
  flush_is_due_ = false;
  if (state_ == State::closed || waits_to_write_) return;
  while (!outbox_.ready().empty()) {
    const std::string_view bytes = outbox_.ready();
    error_code error;
    const std::size_t written = socket_.write_some(asio::buffer(bytes.data(), bytes.size()), error);
    if (error == asio::error::would_block || error == asio::error::try_again) {
      waits_to_write_ = true;
      socket_.async_wait(Socket::wait_write, [self = shared_from_this()](const error_code& failed) {
        self->waits_to_write_ = false;
        if (self->state_ == State::closed) return;
        if (failed) return self->gone(failed.message());
        self->flush();
        self->resume();
      });
      return;
    }
    // Left to the reader to report, which sees the same error: flush() may be called from within
    // the host's effects.
    if (error) return;
    outbox_.sent(written);
  }
  if (state_ == State::closing && outbox_.empty()) shut_sending_side();
}

void Session::release(std::uint64_t record) {
  const bool was_held = outbox_.is_held();
  outbox_.release(record);
  if (state_ == State::closing && was_held && !outbox_.is_held()) linger(longest_linger);
  flush();
}

void Session::close() {
  if (state_ != State::open) return;
  state_ = State::closing;
  linger_ = std::make_unique<asio::steady_timer>(socket_.get_executor());
  linger(outbox_.is_held() ? longest_hold : longest_linger);
  flush();
}

void Session::linger(std::chrono::milliseconds time) {
  linger_->expires_after(time);
  linger_->async_wait([self = shared_from_this()](const error_code& cancelled) {
    if (!cancelled) self->abort();
  });
}

void Session::shut_sending_side() {
  if (std::exchange(sending_side_shut_, true)) return;
  error_code ignored;  // whatever is wrong with the socket, the reader or the timer ends it
  socket_.shutdown(Socket::shutdown_send, ignored);
}

void Session::abort() {
  if (state_ == State::closed) return;
  state_ = State::closed;
  outbox_.clear();
  linger_.reset();
  error_code ignored;  // nothing is left to do with a socket that cannot even be closed
  socket_.close(ignored);
}

// Who says no more may still read: answers that wait for a record are for them, too.
void Session::left() {
  const bool was_open = state_ == State::open;
  if (was_open && !outbox_.empty()) {
    close();
    events_.on_gone(id_, "left");
  } else {
    gone("left");
  }
}

void Session::gone(const std::string& why) {
  const bool was_open = state_ == State::open;
  abort();
  if (was_open) events_.on_gone(id_, why);
}

}  // namespace tictactoe::net
