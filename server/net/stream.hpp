// The bytes of one connection.
#pragma once

#include <boost/system/error_code.hpp>
#include <cstddef>
#include <span>
#include <string_view>

namespace tictactoe::net {

/// How far a read or a write came. `error` is asio::error::would_block where nothing can be done
/// now, and asio::error::eof where the peer has said that it says no more.
struct Transfer {
  std::size_t bytes = 0;
  boost::system::error_code error;
};

/// Owns a connected socket that does not block. What a session knows of its transport: TLS would be
/// another one of these.
class Stream {
 public:
  explicit Stream(int socket) : socket_(socket) {}
  ~Stream() { close(); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// What to wait for readiness of; -1 once it is closed.
  int handle() const { return socket_; }
  Transfer read_some(std::span<char> space);
  Transfer write_some(std::string_view bytes);
  /// Says that nothing more will be written.
  void shut_sending_side();
  void close();

 private:
  int socket_;
};

}  // namespace tictactoe::net
