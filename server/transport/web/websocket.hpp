// The frames of WebSockets (RFC 6455), on the server's side. No I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tictactoe::transport {

/// The form of a WebSocket's messages.
enum class MessageForm : std::uint8_t {
  protobuf,  ///< `tictactoe.v1.protobuf`: binary, an encoded message
  json,      ///< `tictactoe.v1.json`: text, protobuf's JSON form
};

/// The first offered subprotocol that the server supports; empty if there is none.
std::string_view chosen_subprotocol(std::string_view offered);
/// Requires one of the supported subprotocols.
MessageForm form_of(std::string_view subprotocol);

/// The Sec-WebSocket-Accept that answers this Sec-WebSocket-Key.
std::string websocket_accept(std::string_view key);

/// Why a WebSocket ends (RFC 6455, 7.4.1).
enum class CloseCode : std::uint16_t {
  normal = 1000,
  protocol_error = 1002,
  bad_payload = 1007,
  too_big = 1009,
};

/// Reads the frames of one client. Keeps the fragments of an incomplete message, at most
/// `max_message_bytes`, and nothing else.
class WebSocket {
 public:
  enum class Kind : std::uint8_t {
    nothing,   ///< no complete frame
    message,   ///< `payload` is a complete message
    fragment,  ///< a part of a message was stored
    ping,      ///< with that payload
    pong,
    close,  ///< the peer ends the connection; answer with close_code()
    fault,  ///< the peer broke the rules: end the connection with close_code()
  };
  struct Frame {
    Kind kind = Kind::nothing;
    std::string_view payload{};  ///< valid until the next call of next()
    bool is_text = false;
  };

  explicit WebSocket(std::size_t max_message_bytes) : max_message_bytes_(max_message_bytes) {}

  /// Removes the next frame from the front of `bytes`, or leaves them alone if it is incomplete.
  /// Checks its length before its payload arrives. Unmasks it into `space`, which connections can
  /// share. Nothing can be read after `close` and `fault`.
  Frame next(std::string_view& bytes, std::string& space);
  CloseCode close_code() const { return close_code_; }

  // Frames for the client.
  static void append_message(std::string& out, std::string_view beginning, std::string_view rest,
                             bool is_text);
  static std::string ping();
  static std::string pong(std::string_view payload);
  static std::string close(CloseCode code);

 private:
  struct Head;

  Frame fail(CloseCode code);
  bool is_allowed(const Head& head);
  Frame data(const Head& head, std::string_view payload);
  Frame end(std::string_view payload);

  std::size_t max_message_bytes_;
  std::string fragments_;
  bool is_in_message_ = false;  // its last fragment has not arrived
  bool is_text_ = false;        // the message is text
  CloseCode close_code_ = CloseCode::normal;
};

}  // namespace tictactoe::transport
