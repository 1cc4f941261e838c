#include "client/net/connection.hpp"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/write.hpp>
#include <utility>

#include "common/wire/peer_watch.hpp"

namespace tictactoe::client {
namespace {

using boost::system::error_code;

}  // namespace

std::shared_ptr<TcpConnection> TcpConnection::create(boost::asio::io_context& context,
                                                     Address address, Lookup::Resolve resolve,
                                                     milliseconds timeout) {
  return std::shared_ptr<TcpConnection>(
      new TcpConnection(context, std::move(address), std::move(resolve), timeout));
}

Connect connect_to(boost::asio::io_context& context, Address server) {
  return [&context, server = std::move(server)] { return TcpConnection::create(context, server); };
}

TcpConnection::TcpConnection(boost::asio::io_context& context, Address address,
                             Lookup::Resolve resolve, milliseconds timeout)
    : context_(context),
      address_(std::move(address)),
      lookup_(context, std::move(resolve)),
      timeout_(timeout),
      socket_(context),
      timer_(context) {}

void TcpConnection::open(OnDone on_done) {
  on_opened_ = std::move(on_done);
  lookup_.start(address_.host, address_.port, [self = shared_from_this()](LookupResult found) {
    if (!found.fault.empty()) return self->opened(found.fault);
    self->untried_ = std::move(found.endpoints);
    std::reverse(self->untried_.begin(), self->untried_.end());
    self->try_next();
  });
}

void TcpConnection::opened(const std::string& fault) {
  if (!closed_) std::exchange(on_opened_, {})(fault);
}

void TcpConnection::try_next() {
  if (closed_) return;
  if (untried_.empty()) return opened(last_fault_);
  const Tcp::endpoint endpoint = untried_.back();
  untried_.pop_back();
  socket_ = Tcp::socket(context_);
  const unsigned attempt = ++attempt_;
  timer_.expires_after(timeout_);
  timer_.async_wait([self = shared_from_this(), attempt](const error_code& error) {
    // The attempt may have ended while this handler was queued.
    if (error || attempt != self->attempt_) return;
    // The handler of the connect, not this one, goes on: it sees that it was cancelled.
    error_code ignored;
    self->socket_.close(ignored);
  });
  socket_.async_connect(endpoint, [self = shared_from_this()](const error_code& error) {
    self->on_connected(error);
  });
}

void TcpConnection::on_connected(const error_code& error) {
  ++attempt_;
  timer_.cancel();
  if (!error && socket_.is_open()) {
    // If the peer can't be watched, play goes on all the same.
    static_cast<void>(wire::watch_peer(socket_.native_handle()));
    return opened({});
  }
  const bool timed_out = !error || error == boost::asio::error::operation_aborted;
  last_fault_ = timed_out ? "no answer" : error.message();
  try_next();
}

void TcpConnection::read(std::span<char> space, OnRead on_read) {
  socket_.async_read_some(boost::asio::buffer(space.data(), space.size()),
                          [self = shared_from_this(), on_read = std::move(on_read)](
                              const error_code& error, std::size_t count) {
                            if (self->closed_) return;
                            if (!error) return on_read(count, {});
                            on_read(count, error == boost::asio::error::eof
                                               ? "it closed the connection"
                                               : error.message());
                          });
}

void TcpConnection::write(std::string_view bytes) {
  waiting_.append(bytes);
  if (writing_.empty()) write_next();
}

void TcpConnection::write_next() {
  if (waiting_.empty() || closed_) return;
  writing_ = std::exchange(waiting_, {});
  boost::asio::async_write(socket_, boost::asio::buffer(writing_),
                           [self = shared_from_this()](const error_code& error, std::size_t) {
                             self->writing_.clear();
                             // A read reports the fault after the bytes that came before it.
                             if (!error) self->write_next();
                           });
}

void TcpConnection::close() {
  closed_ = true;
  error_code ignored;
  lookup_.give_up();
  timer_.cancel();
  socket_.close(ignored);
}

}  // namespace tictactoe::client
