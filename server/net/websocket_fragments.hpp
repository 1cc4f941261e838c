// Fragments of WebSocket messages.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace tictactoe::net {

/// Counts the frames of a client (RFC 6455, 5.2) that do not end their messages, empty ones too,
/// which Beast does not report. Looks at the heads of frames alone and does not check them. O(bytes
/// of heads).
class WebSocketFragments {
 public:
  /// Bytes from the client, after those before.
  void receive(std::string_view bytes) {
    while (!bytes.empty()) {
      if (payload_left_ > 0) {
        const std::uint64_t count = std::min<std::uint64_t>(payload_left_, bytes.size());
        payload_left_ -= count;
        bytes.remove_prefix(static_cast<std::size_t>(count));
        continue;
      }
      head_[size_++] = static_cast<std::uint8_t>(bytes.front());
      bytes.remove_prefix(1);
      if (size_ >= 2 && size_ == head_bytes()) end_head();
    }
  }
  /// Those since the last call.
  std::size_t take() { return std::exchange(fragments_, 0); }

 private:
  static constexpr unsigned is_last = 0x80;       // in the first byte
  static constexpr unsigned opcode = 0x0f;        // also there
  static constexpr unsigned first_control = 8;    // opcode
  static constexpr unsigned is_masked = 0x80;     // in the second byte
  static constexpr unsigned short_length = 0x7f;  // also there
  static constexpr unsigned has_2_bytes = 126;    // of length behind it
  static constexpr unsigned has_8_bytes = 127;

  std::size_t length_bytes() const {
    const unsigned length = head_[1] & short_length;
    if (length == has_8_bytes) return 8;
    return length == has_2_bytes ? 2 : 0;
  }
  std::size_t head_bytes() const {
    constexpr std::size_t mask_bytes = 4;
    return 2 + length_bytes() + ((head_[1] & is_masked) != 0 ? mask_bytes : 0);
  }
  void end_head() {
    if ((head_[0] & is_last) == 0 && (head_[0] & opcode) < first_control) ++fragments_;
    const std::size_t bytes = length_bytes();
    payload_left_ = bytes == 0 ? head_[1] & short_length : 0;
    for (std::size_t i = 0; i < bytes; ++i) payload_left_ = payload_left_ << 8U | head_[2 + i];
    size_ = 0;
  }

  std::array<std::uint8_t, 14> head_{};
  std::size_t size_ = 0;  // of the head that has come
  std::uint64_t payload_left_ = 0;
  std::size_t fragments_ = 0;
};

}  // namespace tictactoe::net
