// The bytes of WebSockets (RFC 6455), written by hand, so that tests can also write wrong ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/wire/frame.hpp"

namespace tictactoe::test {

enum class Opcode : std::uint8_t { more = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

struct WebSocketFrame {
  Opcode opcode = Opcode::binary;
  std::string payload;
  bool is_last = true;  ///< of its message
};

inline std::string upgrade_request(const std::string& subprotocol, const std::string& fields = {},
                                   const std::string& host = "localhost") {
  return "GET /ws HTTP/1.1\r\nHost: " + host +
         "\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n" +
         (subprotocol.empty() ? "" : "Sec-WebSocket-Protocol: " + subprotocol + "\r\n") + fields +
         "\r\n";
}

/// A frame from a client, whose mask changes nothing.
inline std::string encoded(const WebSocketFrame& frame, bool is_masked = true) {
  const std::uint8_t mask_bit = is_masked ? 0x80 : 0;
  const std::size_t size = frame.payload.size();
  std::string bytes;
  const auto add = [&](std::uint64_t byte) { bytes.push_back(static_cast<char>(byte)); };
  add((frame.is_last ? 0x80U : 0U) | static_cast<std::uint8_t>(frame.opcode));
  if (size < 126) {
    add(mask_bit | size);
  } else if (size < 65'536) {
    add(mask_bit | 126U);
    add(size >> 8U);
    add(size & 0xffU);
  } else {
    add(mask_bit | 127U);
    for (unsigned shift = 64; shift > 0; shift -= 8) add(size >> (shift - 8) & 0xffU);
  }
  if (is_masked) bytes.append(4, '\0');
  return bytes + frame.payload;
}

/// Takes a frame from a server off the front of `bytes`; nothing if it is not whole.
inline std::optional<WebSocketFrame> take_websocket_frame(std::string& bytes) {
  const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(bytes[at]); };
  if (bytes.size() < 2) return std::nullopt;
  std::uint64_t size = byte(1);
  std::size_t begin = 2;
  if (size >= 126) {
    const std::size_t length_bytes = size == 126 ? 2 : 8;
    if (bytes.size() < begin + length_bytes) return std::nullopt;
    size = 0;
    for (; begin < 2 + length_bytes; ++begin) size = size << 8U | byte(begin);
  }
  if (bytes.size() - begin < size) return std::nullopt;
  WebSocketFrame frame{static_cast<Opcode>(byte(0) & 0xfU), bytes.substr(begin, size),
                       (byte(0) & 0x80U) != 0};
  bytes.erase(0, begin + size);
  return frame;
}

/// Between frames of the raw protocol and a binary WebSocket.
class WebSocketCodec {
 public:
  /// Bytes that are no frames become a message.
  static std::string encode(std::string_view frames) {
    std::string bytes;
    for (;;) {
      const wire::NextFrame next = wire::take_frame(frames, std::size_t{1} << 24U);
      if (next.state != wire::NextFrame::State::frame) break;
      bytes += encoded({Opcode::binary, std::string(next.body)});
    }
    return frames.empty() ? bytes : bytes + encoded({Opcode::binary, std::string(frames)});
  }
  /// Adds the whole messages among the bytes, after the response to the upgrade.
  void decode(std::string_view bytes, std::string& frames) {
    bytes_.append(bytes);
    const std::size_t end = is_open_ ? 0 : bytes_.find("\r\n\r\n");
    if (end == std::string::npos) return;
    if (!is_open_) bytes_.erase(0, end + 4);
    is_open_ = true;
    while (const auto frame = take_websocket_frame(bytes_)) {
      if (frame->opcode > Opcode::binary) continue;
      message_ += frame->payload;
      if (!frame->is_last) continue;
      wire::append_frame(frames, message_);
      message_.clear();
    }
  }

 private:
  bool is_open_ = false;
  std::string bytes_;
  std::string message_;
};

}  // namespace tictactoe::test
