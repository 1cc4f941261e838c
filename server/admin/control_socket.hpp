// The socket through which a server's owner controls it. See proto/tictactoe/admin/v1.
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

/// Maximum size of the body of a frame, in bytes. A response is a page of bounded size.
inline constexpr std::size_t max_request_bytes = std::size_t{16} * 1024;
inline constexpr std::size_t max_response_bytes = std::size_t{1024} * 1024;

/// The path of the socket in this data directory.
std::filesystem::path control_path(const std::filesystem::path& data_folder);

/// Listens on a Unix socket that only this user can open (mode 0600), and answers requests of peers
/// that, according to the kernel, run as this user or as root. Each connection gets its answers in
/// the order of its requests: the next request is read when the last answer is written. Limits: 8
/// connections at once, further ones are closed; max_request_bytes; 10 s between requests. One
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

  /// Listens at `path`. Replaces a socket left behind by a killed server, but no other file, and
  /// not the socket of a running server. Returns a sentence with the reason on failure.
  std::optional<std::string> listen(const std::filesystem::path& path);
  /// Stops accepting, closes all connections, and removes the socket.
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
  boost::asio::steady_timer pause_;  // between attempts while the process is out of descriptors
  std::filesystem::path path_;       // of the open socket; empty: none
  std::shared_ptr<std::set<Exchange*>> open_;  // exchanges may outlive this
};

}  // namespace tictactoe::admin
