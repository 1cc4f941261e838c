// What the relay reads of a request; all else in it is padding.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tictactoe::relay {

/// The beginning of each request's body, numbers with their lowest byte first:
///
///     answer  2 bytes  size of the body that goes back; the highest bit: the sender enters a room
///     news    2 bytes  size of the body that goes to all others in the sender's room; 0 for none
///     room    4 bytes  only to enter
///
/// Both bodies are the request's own bytes, cut or filled up with zeros. Frames have the form of
/// the real protocol: a varint with the body's length, then the body.
struct Header {
  std::uint32_t answer = 0;
  std::uint32_t news = 0;
  bool enters = false;
  std::uint32_t room = 0;

  static constexpr std::size_t size = 4;            // without a room
  static constexpr std::size_t max_bytes = 0x7FFF;  // of either body
};

/// Returns false if `body` is shorter than its header.
inline bool read(std::string_view body, Header& out) {
  const auto byte = [body](std::size_t at) -> std::uint32_t {
    return static_cast<unsigned char>(body[at]);
  };
  if (body.size() < Header::size) return false;
  out.answer = byte(0) | (byte(1) & 0x7F) << 8;
  out.enters = (byte(1) & 0x80) != 0;
  out.news = byte(2) | byte(3) << 8;
  if (!out.enters) return true;
  if (body.size() < Header::size + 4) return false;
  out.room = byte(4) | byte(5) << 8 | byte(6) << 16 | byte(7) << 24;
  return true;
}

/// Puts the header over the first bytes of `body`, which is long enough.
inline void write(const Header& header, std::string& body) {
  const std::uint32_t first = header.answer | (header.enters ? 0x8000u : 0u);
  std::size_t at = 0;
  const auto put = [&](std::uint32_t value, int bytes) {
    for (; bytes > 0; --bytes, value >>= 8) body[at++] = static_cast<char>(value & 0xFF);
  };
  put(first, 2);
  put(header.news, 2);
  if (header.enters) put(header.room, 4);
}

}  // namespace tictactoe::relay
