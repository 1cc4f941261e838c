// A connection over a socket: frames, TLS, HTTP and WebSockets.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/transport/protocols.hpp"
#include "server/transport/shell/shell.hpp"
#include "server/transport/shell/slice_queue.hpp"
#include "server/transport/tcp/link.hpp"
#include "server/transport/web/exchange.hpp"
#include "server/transport/web/peer.hpp"
#include "server/transport/web/websocket.hpp"

namespace tictactoe::transport {

/// What TLS handshakes need.
struct TlsContext {
  explicit TlsContext(boost::asio::io_context& io) : handshakes(io, 1) {}

  std::shared_ptr<boost::asio::ssl::context> context;
  SliceQueue handshakes;  ///< for a new key, call set_at_once(handshakes_at_once())
  std::string
      refusal_of_raw;  ///< the frame that refuses unencrypted clients; empty: none are refused
};

/// What the connections of one server share. Must outlive those that are not closed, and so the
/// Shell.
struct SocketContext {
  SocketContext(boost::asio::io_context& io, Shell& of) : shell(of), readiness(io), web(io) {}

  Shell& shell;
  Readiness readiness;
  WebContext web;
  std::unique_ptr<TlsContext> tls;        ///< null: no TLS
  bool allows_plain_http = false;         ///< to other machines, despite TLS
  std::function<void()> on_http = [] {};  ///< called when a connection turns out to be HTTP
};

/// The transport of one connection. The first bytes decide the protocol: frames, TLS, or HTTP,
/// which may become a WebSocket; inside TLS the first bytes decide again. A connection that the
/// host closes at once gets the reason in the protocol of its first bytes.
///
/// Handshakes and HTTP requests are computed in slices, by network. The bytes written to one
/// connection in a slice are limited. Reading and direct writing of frames do not allocate.
///
/// Owned by the Shell until it forgets the closed connection.
class SocketConnection final : public Connection,
                               private Link,
                               private WebPeer,
                               public std::enable_shared_from_this<SocketConnection> {
 public:
  /// Owns a connected non-blocking socket. `network` is that of the peer, see server::Origin.
  SocketConnection(SocketContext& context, int socket, std::uint64_t network)
      : Connection(context.shell.context()),
        Link(socket, context.readiness, network),
        context_(context),
        shell_(context.shell) {}
  ~SocketConnection() override = default;

  /// Allows clear text: the connection stays on this machine or comes through a trusted proxy.
  void allow_clear_text() { may_be_clear_ = true; }
  /// Call it after Shell::connected().
  void begin();
  void update() override;
  bool fits(std::size_t bytes) const override;

 private:
  // Of Connection, once the connection speaks HTTP. No messages until it is a WebSocket.
  Received next_of_transport(std::string_view& input) override;
  void append_for_transport(std::string& out, std::uint64_t request_id,
                            std::string_view body) const override;

  // Of Link.
  void can_read() override;
  void can_shake_hands() override;
  void can_write() override;
  std::shared_ptr<void> owner() override { return shared_from_this(); }

  void failed(const Error& error);
  bool wants_bytes() const;
  std::string_view output() const { return http_ == nullptr ? ready() : http_->output(); }
  void write();

  // The first bytes.
  void begin_protocol(std::string_view bytes);
  void begin_tls(std::string_view bytes);
  void begin_http(std::string_view bytes);
  void refuse(std::string_view answer);
  void refuse_at_once(Protocol protocol, std::string_view bytes);

  /// Calls run_step() in a later slice, in the order of `queue`.
  void await_step(SliceQueue& queue);
  void run_step();
  void shake_hands();
  void go_on_with_http();
  void become_websocket();

  void say_goodbye();  // sends the close frame of a WebSocket

  // Of WebPeer.
  bool pay() override { return shell_.pay(*this); }
  void ping() override;
  bool is_encrypted() const override { return has_tls(); }
  bool must_encrypt() const override;

  // Bytes that one connection may write in a slice of the event loop.
  static constexpr std::size_t max_bytes_in_a_slice = std::size_t{64} * 1024;

  SocketContext& context_;
  Shell& shell_;
  bool is_decided_ = false;         // the protocol is known
  std::optional<char> first_byte_;  // if it came alone and does not decide
  bool may_be_clear_ = false;
  bool has_begun_ = false;      // update() was called
  bool refusal_waits_ = false;  // until the first bytes arrive
  bool is_writing_ = false;     // and waiting for can_write()
  bool step_is_due_ = false;    // run_step() will be called
  bool has_shut_ = false;       // the sending side is shut, after the last response
  bool has_said_goodbye_ = false;
  std::unique_ptr<WebExchange> http_;  // null unless it speaks HTTP
  std::unique_ptr<WebSocket> websocket_;
  MessageForm form_ = MessageForm::protobuf;
  std::size_t unanswered_ = 0;  // pings
  WebSocketPlace place_;        // in the list, while it is an open WebSocket
};

}  // namespace tictactoe::transport
