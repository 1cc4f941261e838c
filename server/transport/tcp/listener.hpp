// Accepts TCP connections.
#pragma once

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/result.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "server/transport/shell/limited_log.hpp"

namespace tictactoe::transport {

/// A TCP socket whose executor type is known, which saves an indirection per operation.
using TcpSocket =
    boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

/// Why a server can't listen.
struct NotListening {
  std::string sentence;
  /// Whether trying again may help: another program may free the port, and an interface may get its
  /// address. It does not help against a lack of rights, or a socket of the wrong kind.
  bool may_pass = true;
};
using Listening = boost::system::result<boost::asio::ip::tcp::endpoint, NotListening>;

/// One listening socket. Keeps one file descriptor in reserve: if the process has no other left, it
/// accepts a connection with it and closes it at once, so that the client knows. It accepts again
/// when descriptors are free. One thread. Must outlive its io_context's handlers, or be destroyed
/// after the io_context has stopped running.
class Listener {
 public:
  /// Receives each accepted connection with the address of its peer. The socket is non-blocking.
  using Accept = std::function<void(TcpSocket, const boost::asio::ip::address& peer)>;

  Listener(boost::asio::io_context& io, Accept accept);
  ~Listener();

  /// Listens on `address` and begins to accept. `address` is IPv4, IPv6, or "::" for both, which
  /// falls back to IPv4 on a machine without IPv6. Port 0 takes any free port. Returns the
  /// endpoint, or why it can't listen.
  Listening listen(const std::string& address, std::uint16_t port);
  /// Accepts on a listening socket passed by a service manager. Owns it, whatever it is. Returns
  /// its endpoint, or a fault if it is not a listening TCP socket.
  Listening listen_on(int socket);
  /// Stops accepting.
  void close();

 private:
  // Accepts per slice of the event loop. With one, each newcomer would wait for a slice.
  static constexpr int accepts_at_once = 16;

  boost::asio::ip::tcp::endpoint begin();
  void accept();
  void accept_others();
  void admit(TcpSocket socket);
  /// Accepts a connection with the reserve and closes it. Returns false if that is impossible.
  bool turn_away();
  void open_reserve();
  void await_next();

  boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, boost::asio::io_context::executor_type>
      acceptor_;
  boost::asio::steady_timer pause_;  // between attempts while the machine is out of memory
  int reserve_ = -1;
  LimitedLog turned_away_;
  Accept accept_;
  bool closed_ = false;
};

}  // namespace tictactoe::transport
