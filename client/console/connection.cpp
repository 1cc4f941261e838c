#include "client/console/connection.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/write.hpp>
#include <utility>

namespace tictactoe::console {
namespace {

using boost::system::error_code;

// A server whose host is gone without a word is noticed after about a minute: probes from
// `keepalive_idle` seconds of silence on, or bytes that nobody acknowledges for
// `unacknowledged_ms`.
constexpr int keepalive_idle = 30;
constexpr int keepalive_interval = 10;
constexpr int keepalive_count = 3;
constexpr int unacknowledged_ms = 60'000;

void set_option(int socket, int level, int option, int value) {
  // A system that lacks one of these still plays; it only notices a lost server later.
  static_cast<void>(setsockopt(socket, level, option, &value, sizeof value));
}

}  // namespace

Connection::Connection(boost::asio::io_context& context)
    : context_(context), resolver_(context), socket_(context), timer_(context) {}

void Connection::open(const Address& address, OnDone on_done) {
  on_opened_ = std::move(on_done);
  resolving_ = true;
  resolver_.async_resolve(
      address.host, std::to_string(address.port),
      [this](const error_code& error, const Tcp::resolver::results_type& found) {
        resolving_ = false;
        if (error) return on_opened_(error.message());
        for (const auto& entry : found) untried_.push_back(entry.endpoint());
        std::reverse(untried_.begin(), untried_.end());
        try_next();
      });
}

void Connection::try_next() {
  if (untried_.empty()) return on_opened_(last_fault_);
  const Tcp::endpoint endpoint = untried_.back();
  untried_.pop_back();
  socket_ = Tcp::socket(context_);
  timer_.expires_after(connect_timeout);
  timer_.async_wait([this](const error_code& error) {
    // The handler of the connect, not this one, goes on: it sees that it was cancelled.
    error_code ignored;
    if (!error) socket_.close(ignored);
  });
  socket_.async_connect(endpoint, [this](const error_code& error) {
    timer_.cancel();
    if (!error && socket_.is_open()) {
      set_up();
      return on_opened_({});
    }
    const bool timed_out = !error || error == boost::asio::error::operation_aborted;
    last_fault_ = timed_out ? "no answer" : error.message();
    try_next();
  });
}

void Connection::set_up() {
  const int socket = socket_.native_handle();
  set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  set_option(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(socket, IPPROTO_TCP, TCP_KEEPIDLE, keepalive_idle);
  set_option(socket, IPPROTO_TCP, TCP_KEEPINTVL, keepalive_interval);
  set_option(socket, IPPROTO_TCP, TCP_KEEPCNT, keepalive_count);
  set_option(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, unacknowledged_ms);
}

void Connection::read(std::span<char> space, OnRead on_read) {
  socket_.async_read_some(
      boost::asio::buffer(space.data(), space.size()),
      [on_read = std::move(on_read)](const error_code& error, std::size_t count) {
        if (!error) return on_read(count, {});
        on_read(count,
                error == boost::asio::error::eof ? "it closed the connection" : error.message());
      });
}

void Connection::write(std::string_view bytes) {
  waiting_.append(bytes);
  if (writing_.empty()) write_next();
}

void Connection::write_next() {
  if (waiting_.empty()) return;
  writing_ = std::exchange(waiting_, {});
  boost::asio::async_write(socket_, boost::asio::buffer(writing_),
                           [this](const error_code& error, std::size_t) {
                             writing_.clear();
                             // A read tells of the fault, and still hands on what came before it.
                             if (!error) write_next();
                           });
}

}  // namespace tictactoe::console
