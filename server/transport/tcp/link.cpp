#include "server/transport/tcp/link.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/error.hpp>
#include <cerrno>
#include <utility>

#include "common/posix/retried.hpp"

namespace tictactoe::transport {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

constexpr std::uint32_t end_events = EPOLLERR | EPOLLHUP | EPOLLRDHUP;
constexpr std::uint32_t write_events = EPOLLOUT | EPOLLERR | EPOLLHUP;

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

bool Link::watch() {
  return readiness_.watch(socket_, *this);
}

// An event is not repeated, so an end that has arrived is behind the bytes before it.
void Link::on_ready(std::uint32_t events) {
  const std::shared_ptr<void> alive = owner();
  has_end_ = has_end_ || (events & end_events) != 0;
  may_read_ = may_read_ || has_end_ || (events & EPOLLIN) != 0;
  const bool may_write = (events & write_events) != 0;
  if (may_write && std::exchange(waits_for_space_, false)) can_write();
  if ((!may_read_ && !(may_write && reads_with_space_)) || !has_socket()) return;
  is_shaking_hands() ? can_shake_hands() : can_read();
}

std::size_t Link::receive(std::span<char> into, error_code& error) {
  // A signal is not "would block", because no event would follow.
  const ssize_t result =
      posix::retried([&] { return ::recv(socket_, into.data(), into.size(), 0); });
  if (result == 0) error = asio::error::eof;
  const std::size_t count = transferred(result, error);
  may_read_ = count == into.size() || (has_end_ && !error);
  return count;
}

std::size_t Link::send(std::string_view bytes, error_code& error) {
  const std::size_t count = transferred(
      posix::retried([&] { return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }),
      error);
  if (error == asio::error::would_block) waits_for_space_ = true;
  return count;
}

std::size_t Link::send_for_tls(void* link, std::string_view bytes, error_code& error) {
  return static_cast<Link*>(link)->send(bytes, error);
}

void Link::fetch(error_code& error) {
  if (reads_with_space_) return;  // it has what it needs
  const std::span<char> space = readiness_.space();
  const std::size_t count = receive(space, error);
  if (error) return;
  tls_->receive({space.data(), count});
  tls_->keep_input();
}

std::size_t Link::read(std::span<char> into, error_code& error) {
  if (tls_ == nullptr) return receive(into, error);
  if (!std::exchange(reads_with_space_, false) && !tls_->has_input() && may_read_) {
    const std::span<char> space = readiness_.space();
    const std::size_t count = receive(space, error);
    if (error) return 0;
    tls_->receive({space.data(), count});
  }
  const TlsEngine::Read result = tls_->read(into);
  tls_->keep_input();
  reads_with_space_ = result.wants == TlsEngine::Wants::space;
  error = result.wants == TlsEngine::Wants::nothing ? result.error : asio::error::would_block;
  return result.count;
}

void Link::read_on() {
  if (reads_with_space_ && waits_for_space_) return;  // on_ready() reads when there is space
  if (may_read_ || (tls_ != nullptr && tls_->has_input())) readiness_.report_again(*this, EPOLLIN);
}

std::size_t Link::write(std::string_view bytes, error_code& error) {
  return tls_ == nullptr ? send(bytes, error) : tls_->write(bytes, error);
}

void Link::write_on() {
  waits_for_space_ = true;
  readiness_.report_again(*this, EPOLLOUT);
}

void Link::begin_tls(SSL_CTX& context, std::string_view bytes) {
  tls_ = std::make_unique<TlsEngine>(context, send_for_tls, this);
  tls_->receive(bytes);
  tls_->keep_input();
}

void Link::shut() {
  if (tls_ != nullptr) tls_->end();
  ::shutdown(socket_, SHUT_WR);  // if this fails, reading reports it
}

void Link::close_socket() {
  if (socket_ < 0) return;
  readiness_.unwatch(socket_, *this);
  ::close(std::exchange(socket_, -1));
}

}  // namespace tictactoe::transport
