#include "server/net/stream.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/error.hpp>
#include <cerrno>
#include <utility>

namespace tictactoe::net {

namespace {

Transfer transfer(ssize_t result) {
  if (result >= 0) return {static_cast<std::size_t>(result), {}};
  if (errno == EAGAIN || errno == EINTR) return {0, boost::asio::error::would_block};
  return {0, {errno, boost::system::system_category()}};
}

}  // namespace

Transfer Stream::read_some(std::span<char> space) {
  const ssize_t result = ::recv(socket_, space.data(), space.size(), 0);
  if (result == 0) return {0, boost::asio::error::eof};
  return transfer(result);
}

Transfer Stream::write_some(std::string_view bytes) {
  return transfer(::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL));
}

void Stream::shut_sending_side() {
  // Whatever is wrong with the socket, reading or the linger time ends it.
  static_cast<void>(::shutdown(socket_, SHUT_WR));
}

void Stream::close() {
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
}

}  // namespace tictactoe::net
