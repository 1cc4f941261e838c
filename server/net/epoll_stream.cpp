#include "server/net/epoll_stream.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>

#include "common/posix/retried.hpp"

namespace tictactoe::net {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

std::size_t transferred(ssize_t result, error_code& error) {
  if (result >= 0) return static_cast<std::size_t>(result);
  if (errno == EAGAIN) {
    error = asio::error::would_block;
  } else {
    error.assign(errno, boost::system::system_category());
  }
  return 0;
}

}  // namespace

EpollStream::EpollStream(EpollStream&& other) noexcept
    : ReadinessHandler(other.network()), readiness_(other.readiness_) {
  if (std::exchange(other.is_watched_, false)) readiness_.unwatch(other.socket_, other);
  socket_ = std::exchange(other.socket_, -1);
}

void EpollStream::ask_again() {
  if (is_watched_) return readiness_.report_again(socket_, *this);
  is_watched_ = readiness_.watch(socket_, *this);
  // As if the system had no descriptors or memory left: the operations end at once.
  if (!is_watched_) finish_all(asio::error::no_buffer_space);
}

// An event is not repeated: an end that has come must be looked for behind the bytes before it.
void EpollStream::on_ready(std::uint32_t events) {
  const bool has_end = (events & (EPOLLERR | EPOLLHUP | EPOLLRDHUP)) != 0;
  may_read_ = has_end || (events & EPOLLIN) != 0;
  // Handlers own what owns the stream: they live until this function ends.
  std::unique_ptr<PendingWrite> written;
  if (write_ && (events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) != 0) {
    error_code error;
    const std::size_t bytes = write_->bytes.size() == 0 ? 0 : send(write_->bytes, error);
    if (error != asio::error::would_block) {
      written = std::move(write_);
      written->handler(error, bytes);
    }
  }
  if (!may_read_ || !on_read_ || !is_open()) return;
  error_code error;
  const std::size_t bytes = receive(error);
  may_read_ = has_end || bytes == input_.size();
  if (error == asio::error::would_block) return;
  StoredHandler on_read = std::move(on_read_);
  on_read(error, bytes);
}

// Never from within the functions that have started the operations.
void EpollStream::finish_all(const error_code& error) {
  if (on_read_) {
    asio::post(get_executor(),
               [handler = std::move(on_read_), error]() mutable { handler(error, 0); });
  }
  if (write_) {
    asio::post(get_executor(),
               [write = std::move(write_), error]() mutable { write->handler(error, 0); });
  }
}

std::size_t EpollStream::receive(error_code& error) {
  // A signal is not "would block": no event would follow.
  const ssize_t result =
      posix::retried([&] { return ::recv(socket_, input_.data(), input_.size(), 0); });
  if (result == 0) error = asio::error::eof;
  return transferred(result, error);
}

std::size_t EpollStream::send(asio::const_buffer bytes, error_code& error) const {
  return transferred(
      posix::retried([&] { return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }),
      error);
}

void EpollStream::shutdown(asio::socket_base::shutdown_type /*what*/, error_code& error) {
  if (::shutdown(socket_, SHUT_WR) != 0) error.assign(errno, boost::system::system_category());
}

void EpollStream::close(error_code& error) {
  error.clear();
  close_socket();
  finish_all(asio::error::operation_aborted);
}

void EpollStream::close_socket() {
  if (socket_ < 0) return;
  if (is_watched_) readiness_.unwatch(socket_, *this);
  ::close(std::exchange(socket_, -1));
}

}  // namespace tictactoe::net
