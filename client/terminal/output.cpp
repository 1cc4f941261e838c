#include "client/terminal/output.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace tictactoe::client {

std::error_code write_all(int stream, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(stream, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      pollfd wanted{stream, POLLOUT, 0};
      static_cast<void>(poll(&wanted, 1, -1));
    } else if (errno != EINTR) {
      return {errno, std::generic_category()};
    }
  }
  return {};
}

bool reader_is_gone(const std::error_code& error) {
  return error == std::errc::broken_pipe || error == std::errc::io_error ||
         error == std::errc::no_such_device_or_address;
}

}  // namespace tictactoe::client
