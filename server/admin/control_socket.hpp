// The socket on which a server's owner asks and commands it. See proto/tictactoe/admin/v1.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "tictactoe/admin/v1/admin.pb.h"

namespace tictactoe::admin {

/// Longest body of a frame, in bytes. A response is a page of bounded size.
inline constexpr std::size_t longest_request = std::size_t{16} * 1024;
inline constexpr std::size_t longest_response = std::size_t{1024} * 1024;

/// The socket in that data directory.
std::filesystem::path control_path(const std::filesystem::path& data_folder);

/// Listens on a Unix socket that only this user can open (mode 0600), and answers the requests of
/// peers that run as this user or as root, as the kernel says. Each connection gets its answers in
/// the order of its requests: the next request is read when the last answer was written. Limits: 8
/// connections at once, further ones are closed; longest_request; 10 s between requests. One
/// thread. Must outlive the handlers of the io_context, or be destroyed after it has stopped
/// running.
class ControlSocket {
 public:
  using Respond = std::function<void(const v1::Response& response)>;
  using Answer = std::function<void(const v1::Request& request, const Respond& respond)>;

  /// `answer` calls `respond` at once or later, at most once.
  ControlSocket(boost::asio::io_context& io, Answer answer);
  ~ControlSocket();
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;

  /// Replaces a socket that a server has left behind when it was killed, and nothing else: neither
  /// another file nor the socket of a server that runs. Returns a sentence with the reason if it
  /// can't listen.
  std::optional<std::string> listen(const std::filesystem::path& path);
  /// Accepts nothing any more, closes all connections, and removes the socket.
  void stop();

 private:
  struct Exchange;

  void accept();
  void read(const std::shared_ptr<Exchange>& exchange);
  void answer(const std::shared_ptr<Exchange>& exchange);
  void respond(const std::shared_ptr<Exchange>& exchange, const v1::Response& response);

  boost::asio::io_context& io_;
  Answer answer_;
  boost::asio::local::stream_protocol::acceptor acceptor_;
  boost::asio::steady_timer pause_;  // between tries while the process is out of descriptors
  std::filesystem::path path_;       // of the open socket; empty: none
  std::shared_ptr<std::set<Exchange*>> open_;  // exchanges may outlive this
};

}  // namespace tictactoe::admin
