// One WebSocket without its I/O: frames of the raw protocol in, WebSocket frames out, and back.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "server/net/http_request.hpp"
#include "server/net/json_form.hpp"

namespace tictactoe::net {

/// What a WebSocket's messages are.
enum class MessageForm : std::uint8_t {
  protobuf,  ///< `tictactoe.v1.protobuf`: binary, the body of a frame
  json,      ///< `tictactoe.v1.json`: text, protobuf's JSON form
};

/// The first of the offered subprotocols that the server has; empty if there is none.
std::string_view chosen_subprotocol(std::string_view offered);

/// The server's end of one WebSocket. Reads messages, of at most `longest_message` bytes, and turns
/// each into a frame of the raw protocol; those of the JSON form only when the caller asks for it.
/// Text that is no request in JSON becomes a frame that can't be parsed. Answers pings and closing,
/// without a limit: charge for take_controls(). A peer that breaks the rules of WebSockets (RFC
/// 6455) is told why, and what it has sent becomes a frame that is too long.
class WebSocket {
 public:
  struct Controls {
    std::size_t charged = 0;  ///< pings, pongs that answer none, and fragments of messages
    bool is_alive = false;    ///< a ping has come, or the pong that answers one
  };

  /// Answers the request, which has offered `subprotocol`. is_open() is false if it is not right.
  /// `json` must outlive it; `io` also its last handlers, though none of them waits there.
  WebSocket(boost::asio::io_context& io, const HttpRequest& request, std::string_view subprotocol,
            std::size_t longest_message, JsonMemo& json);
  ~WebSocket();
  WebSocket(const WebSocket&) = delete;
  WebSocket& operator=(const WebSocket&) = delete;

  bool is_open() const;

  /// Bytes from the peer. They become frames(), and answers to control frames become output().
  void receive(std::string_view bytes);
  /// Frames of the raw protocol that the caller has not erased yet.
  std::string& frames();
  /// Whether messages of the JSON form have come that are no frames yet. Then frames() comes before
  /// them.
  bool has_text() const;
  /// The first of them.
  std::string_view text() const;
  /// It becomes a frame. This takes up to a hundred nanoseconds a byte.
  void read_text();
  /// It is forgotten.
  void drop_text();
  /// What has come since the last call beside messages.
  Controls take_controls();

  /// Bytes of the raw protocol for the peer, which may be a part of a frame.
  void write(std::string_view bytes);
  /// Bytes for the peer that the caller has not erased yet. A pong is left out if there are any.
  std::string& output();

  /// Bytes of the raw protocol, and for the peer, that are kept.
  std::size_t kept_bytes() const;

  void ping();
  /// Tells the peer that nothing more comes.
  void close();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tictactoe::net
