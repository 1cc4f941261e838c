// The client's end of one WebSocket (RFC 6455), without its I/O.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/websocket_bytes.hpp"

namespace tictactoe::load {

/// Costs as little as it can, so that the server is what is measured. Whatever a server should not
/// send throws Failure.
class WebSocketClient {
 public:
  /// `form` is the kind of its messages, and `host` what the server is called.
  WebSocketClient(test::Opcode form, std::string host);

  /// The first bytes for the server.
  std::string upgrade() const;
  /// Whether the server has agreed.
  bool is_open() const { return is_open_; }
  /// Appends a message.
  void append(std::string_view body, std::string& out) const;

  /// The space for the next bytes, at least one. Ends bodies that next() has returned.
  std::span<char> prepare();
  void commit(std::size_t count) { end_ += count; }
  /// The body of the next whole message. Appends the answer to a ping to `out`.
  std::optional<std::string_view> next(std::string& out);

 private:
  struct Frame {
    test::Opcode opcode;
    bool is_last;
    std::string_view payload;
  };

  void take_response();
  std::optional<Frame> take_frame();
  std::string_view held() const { return {buffer_.data() + begin_, end_ - begin_}; }

  test::Opcode form_;
  std::string host_;
  bool is_open_ = false;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;   // first byte that was not taken
  std::size_t end_ = 0;     // one past the last byte
  std::size_t needed_ = 0;  // bytes of the next frame, as far as known
  std::string message_;     // its fragments so far
  bool in_message_ = false;
};

}  // namespace tictactoe::load
