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
#include "server/transport/shell/turn_queue.hpp"
#include "server/transport/tcp/link.hpp"
#include "server/transport/web/exchange.hpp"
#include "server/transport/web/peer.hpp"
#include "server/transport/web/websocket.hpp"

namespace tictactoe::transport {

/// What handshakes of TLS need.
struct TlsContext {
  explicit TlsContext(boost::asio::io_context& io) : handshakes(io, 1) {}

  std::shared_ptr<boost::asio::ssl::context> context;
  TurnQueue handshakes;  ///< for a new key: set_at_once(handshakes_at_once())
  std::string
      refusal_of_raw;  ///< the frame that refuses unencrypted clients; empty: none is refused
};

/// What the sessions of one server share. Must outlive those that are not closed, and so the Shell.
struct SessionContext {
  SessionContext(boost::asio::io_context& io, Shell& of) : shell(of), readiness(io), web(io) {}

  Shell& shell;
  Readiness readiness;
  WebContext web;
  std::unique_ptr<TlsContext> tls;        ///< null: there is no TLS
  bool allows_plain_http = false;         ///< to other machines, though there is TLS
  std::function<void()> on_http = [] {};  ///< the first bytes of a connection are HTTP
};

/// The transport of one connection. The first bytes decide what it speaks: frames, TLS, or HTTP,
/// which may become a WebSocket; within TLS the first bytes decide again. A connection that the
/// host closes at once is told so in the protocol of its first bytes.
///
/// Handshakes and HTTP requests are computed in the turns of the peer's network. What many
/// connections may write in a turn of the event loop is limited. Reading and direct writing of
/// frames do not call the heap.
///
/// The Shell owns it, until it forgets a connection that is closed.
class Session final : public Connection,
                      private Link,
                      private WebPeer,
                      public std::enable_shared_from_this<Session> {
 public:
  /// Owns a connected socket that does not block. `network` is that of the peer, see
  /// server::Origin.
  Session(SessionContext& context, int socket, std::uint64_t network)
      : Connection(context.shell.context()),
        Link(socket, context.readiness, network),
        context_(context),
        shell_(context.shell) {}
  ~Session() override = default;

  /// Called after Shell::connected.
  void begin();
  void update() override;
  bool fits(std::size_t bytes) const override;

 private:
  // Of the connection, from the first byte of HTTP: no messages until it is a WebSocket.
  Received next_of_transport(std::string_view& input) override;
  void append_for_transport(std::string& out, std::uint64_t request_id,
                            std::string_view body) const override;

  // Of the link.
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

  /// Calls take_turn() when it is the turn of this network.
  void await_turn(TurnQueue& queue);
  void take_turn();
  void shake_hands();
  void go_on_with_http();
  void become_websocket();

  void say_goodbye();  // of a WebSocket

  // For HTTP.
  bool pays() override { return shell_.pays(*this); }
  void ping() override;
  bool is_encrypted() const override { return has_tls(); }
  bool must_encrypt() const override;

  // Bytes that one connection may write in a turn of the event loop.
  static constexpr std::size_t most_in_a_turn = std::size_t{64} * 1024;

  SessionContext& context_;
  Shell& shell_;
  bool is_decided_ = false;         // what the first bytes mean
  std::optional<char> first_byte_;  // if it has come alone and does not decide
  bool has_begun_ = false;          // update() has been called
  bool refusal_waits_ = false;      // for the first bytes
  bool is_writing_ = false;         // and waits for can_write()
  bool turn_is_due_ = false;        // take_turn() is called
  bool has_shut_ = false;           // the sending side, after the last response
  bool has_said_goodbye_ = false;
  std::unique_ptr<WebExchange> http_;  // while it speaks HTTP
  std::unique_ptr<WebSocket> websocket_;
  MessageForm form_ = MessageForm::protobuf;
  std::size_t unanswered_ = 0;  // pings
  WebSocketPlace place_;        // while it is an open WebSocket
};

}  // namespace tictactoe::transport
