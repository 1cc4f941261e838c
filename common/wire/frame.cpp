#include "common/wire/frame.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>

namespace tictactoe::wire {
namespace {

// The most that one read takes if no large frame has begun. Small, because each connection has such
// a buffer and most requests take less than 20 bytes.
constexpr std::size_t small_buffer = 512;

struct Length {
  std::size_t value;  // of the body
  std::size_t bytes;  // of the varint
};

struct LengthResult {
  std::optional<Length> length;  // nothing if the varint is incomplete
  std::optional<FrameFault> fault;
};

LengthResult read_length(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < std::min(bytes.size(), max_length_bytes); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    value |= std::uint64_t{byte & 0x7Fu} << (7 * i);
    if ((byte & 0x80u) == 0) return {Length{static_cast<std::size_t>(value), i + 1}, {}};
  }
  if (bytes.size() >= max_length_bytes) return {{}, FrameFault::bad_length};
  return {};
}

}  // namespace

NextFrame take_frame(std::string_view& bytes, std::size_t max_body) {
  const auto [length, fault] = read_length(bytes);
  const auto failed = [](FrameFault why) {
    NextFrame next;
    next.state = NextFrame::State::fault;
    next.fault = why;
    return next;
  };
  const auto more = [](std::size_t needed) {
    NextFrame next;
    next.needed = needed;
    return next;
  };
  if (fault) return failed(*fault);
  if (!length) return more(bytes.size() + 1);
  if (length->value > max_body) return failed(FrameFault::too_long);
  const std::size_t whole = length->bytes + length->value;
  if (bytes.size() < whole) return more(whole);
  NextFrame next;
  next.state = NextFrame::State::frame;
  next.body = bytes.substr(length->bytes, length->value);
  bytes.remove_prefix(whole);
  return next;
}

FrameReader::FrameReader(std::size_t max_body) : max_body_(max_body), buffer_(small_buffer) {}

std::span<char> FrameReader::prepare() {
  const std::size_t held = end_ - begin_;
  const std::size_t wanted = std::max(needed_, small_buffer);
  if (buffer_.size() < wanted || (held == 0 && buffer_.size() > wanted)) {
    std::vector<char> moved(wanted);
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(end_), moved.begin());
    buffer_ = std::move(moved);
  } else if (begin_ > 0) {
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
  }
  begin_ = 0;
  end_ = held;
  // next() leaves less than a whole frame, so there is always space. After a fault the content is
  // irrelevant.
  if (end_ == buffer_.size()) end_ = 0;
  return std::span<char>(buffer_).subspan(end_);
}

void FrameReader::commit(std::size_t count) {
  assert(count <= buffer_.size() - end_);
  end_ += count;
}

NextFrame FrameReader::next() {
  std::string_view held(buffer_.data() + begin_, end_ - begin_);
  const NextFrame next = take_frame(held, max_body_);
  begin_ = end_ - held.size();
  needed_ = next.needed;
  return next;
}

void append_varint(std::string& out, std::uint64_t value) {
  constexpr std::size_t max_bytes = 10;
  std::array<char, max_bytes> bytes;
  std::size_t size = 0;
  while (value >= 0x80) {
    bytes[size++] = static_cast<char>((value & 0x7F) | 0x80);
    value >>= 7;
  }
  bytes[size++] = static_cast<char>(value);
  out.append(bytes.data(), size);
}

void append_frame(std::string& out, std::string_view body) {
  append_frame(out, {}, body);
}

void append_frame(std::string& out, std::string_view prefix, std::string_view body) {
  append_varint(out, prefix.size() + body.size());
  out.append(prefix);
  out.append(body);
}

}  // namespace tictactoe::wire
