#include "common/wire/frame.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>

namespace tictactoe::wire {
namespace {

// What one read takes at the most when no large frame is under way. Small, since each connection
// has one and most requests take less than 20 bytes.
constexpr std::size_t small_buffer = 512;

struct Length {
  std::size_t value;  // of the body
  std::size_t bytes;  // that the varint took
};

struct LengthResult {
  std::optional<Length> length;  // nothing while the varint has not ended
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
  // next() leaves less than a whole frame behind, so there is always space; after a fault nothing
  // that is held matters any more.
  if (end_ == buffer_.size()) end_ = 0;
  return std::span<char>(buffer_).subspan(end_);
}

void FrameReader::commit(std::size_t count) {
  assert(count <= buffer_.size() - end_);
  end_ += count;
}

NextFrame FrameReader::next() {
  const std::string_view held(buffer_.data() + begin_, end_ - begin_);
  const auto [length, fault] = read_length(held);
  if (fault) return {NextFrame::State::fault, {}, *fault};
  if (!length) {
    needed_ = held.size() + 1;
    return {};
  }
  if (length->value > max_body_) return {NextFrame::State::fault, {}, FrameFault::too_long};
  const std::size_t whole = length->bytes + length->value;
  if (held.size() < whole) {
    needed_ = whole;
    return {};
  }
  begin_ += whole;
  needed_ = 1;
  return {NextFrame::State::frame, held.substr(length->bytes, length->value), {}};
}

void append_varint(std::string& out, std::uint64_t value) {
  constexpr std::size_t longest = 10;
  std::array<char, longest> bytes;
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
