#include "server/net/session.hpp"

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

void Session::start() {
  if (!context_.readiness.watch(stream_.handle(), *this)) gone("it can't be waited for");
}

void Session::on_ready(std::uint32_t events) {
  const auto self = shared_from_this();  // whatever the host makes of it
  if (waits_to_write_ && (events & EPOLLOUT) != 0) {
    waits_to_write_ = false;
    flush();
    resume();
  }
  // What was told of once is not told of again; so an end must be looked for behind the bytes.
  const bool is_broken = (events & (EPOLLERR | EPOLLHUP)) != 0;
  const bool has_end = is_broken || (events & EPOLLRDHUP) != 0;
  const bool more = state_ != State::closed && reads() && read(is_broken);
  if (state_ == State::closed) return;
  if (reads()) {
    if (more || has_end) read_again();
  } else if (is_broken) {
    gone("the connection is broken");  // what still waits for its peer waits in vain
  }
}

bool Session::read(bool is_broken) {
  const auto [bytes, error] = stream_.read_some(context_.read_buffer);
  if (error == asio::error::would_block) return false;
  if (error == asio::error::eof && !is_broken) {
    left();
  } else if (error) {
    gone(error.message());
  } else if (state_ == State::open) {
    take_frames({context_.read_buffer.data(), bytes});
  }
  return bytes == context_.read_buffer.size();
}

void Session::take_frames(std::string_view bytes) {
  if (!kept_.empty()) bytes = kept_.append(bytes);
  // A frame can end the session, by what the host makes of it.
  while (state_ == State::open) {
    if (outbox_.is_half_full()) {
      flush();
      paused_ = outbox_.is_half_full();
      if (paused_) break;
    }
    const wire::NextFrame next = wire::take_frame(bytes, context_.client_frame_bytes);
    if (next.state == wire::NextFrame::State::need_more) break;
    if (next.state == wire::NextFrame::State::fault) {
      context_.events.on_fault(id_, next.fault);
      break;
    }
    context_.events.on_frame(id_, next.body);
  }
  keep(bytes);
  context_.events.on_read_done();
}

// `rest` is the end of kept_, or kept_ is empty.
void Session::keep(std::string_view rest) {
  if (rest.empty() || state_ != State::open) {
    if (!kept_.empty()) std::string().swap(kept_);
  } else if (kept_.empty()) {
    kept_.assign(rest);
  } else {
    kept_.erase(0, kept_.size() - rest.size());
  }
}

void Session::resume() {
  if (!paused_ || outbox_.is_half_full() || state_ != State::open) return;
  paused_ = false;
  take_frames({});
  if (reads() && state_ != State::closed) read_again();
}

void Session::flush() {
  flush_is_due_ = false;
  if (state_ == State::closed || waits_to_write_) return;
  while (!outbox_.ready().empty()) {
    const auto [written, error] = stream_.write_some(outbox_.ready());
    if (error == asio::error::would_block) {
      waits_to_write_ = true;
      return;
    }
    // Left to reading to report, which sees the same error: flush() may be called from within the
    // host's effects.
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
  linger_ = std::make_unique<asio::steady_timer>(context_.io);
  linger(outbox_.is_held() ? longest_hold : longest_linger);
  flush();
  if (paused_ && reads()) read_again();
}

void Session::linger(std::chrono::milliseconds time) {
  linger_->expires_after(time);
  linger_->async_wait([self = shared_from_this()](const error_code& cancelled) {
    if (!cancelled) self->abort();
  });
}

void Session::shut_sending_side() {
  if (!std::exchange(sending_side_shut_, true)) stream_.shut_sending_side();
}

void Session::abort() {
  if (state_ == State::closed) return;
  state_ = State::closed;
  outbox_.clear();
  linger_.reset();
  context_.readiness.unwatch(stream_.handle(), *this);
  stream_.close();
}

// Who says no more may still read: answers that wait for a record are for them, too.
void Session::left() {
  said_all_ = true;
  const bool was_open = state_ == State::open;
  if (was_open && !outbox_.empty()) {
    close();
    context_.events.on_gone(id_, "left");
  } else {
    gone("left");
  }
}

void Session::gone(const std::string& why) {
  const bool was_open = state_ == State::open;
  abort();
  if (was_open) context_.events.on_gone(id_, why);
}

}  // namespace tictactoe::net
