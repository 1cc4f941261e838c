#include "tests/bench/load/websocket_client.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "tests/bench/load/failure.hpp"

namespace tictactoe::load {
namespace {

using test::Opcode;

constexpr std::size_t small_buffer = 512;
constexpr std::size_t max_frame_bytes = std::size_t{16} << 20;

}  // namespace

WebSocketClient::WebSocketClient(Opcode form, std::string host)
    : form_(form), host_(std::move(host)), buffer_(small_buffer) {}

std::string WebSocketClient::upgrade() const {
  const bool is_text = form_ == Opcode::text;
  return test::upgrade_request(is_text ? "tictactoe.v1.json" : "tictactoe.v1.protobuf", {}, host_);
}

void WebSocketClient::append(std::string_view body, std::string& out) const {
  out += test::encoded({form_, std::string(body)});
}

std::span<char> WebSocketClient::prepare() {
  const std::size_t wanted = std::max(needed_, held().size() + 1);
  if (begin_ > 0) {
    std::copy(buffer_.data() + begin_, buffer_.data() + end_, buffer_.data());
    end_ -= std::exchange(begin_, 0);
  }
  if (buffer_.size() < wanted) buffer_.resize(std::max(wanted, 2 * buffer_.size()));
  return std::span<char>(buffer_).subspan(end_);
}

std::optional<std::string_view> WebSocketClient::next(std::string& out) {
  if (!is_open_) take_response();
  if (!is_open_) return std::nullopt;
  while (const std::optional<Frame> frame = take_frame()) {
    if (frame->opcode == Opcode::ping) {
      out += test::encoded({Opcode::pong, std::string(frame->payload)});
      continue;
    }
    if (frame->opcode == Opcode::pong) continue;
    if (frame->opcode == Opcode::close) throw Failure("The server has closed a WebSocket.");
    if (frame->opcode != (in_message_ ? Opcode::more : form_)) {
      throw Failure("A WebSocket message of the server is of the wrong kind.");
    }
    if (frame->is_last && !in_message_) return frame->payload;
    if (!in_message_) message_.clear();
    message_ += frame->payload;
    in_message_ = !frame->is_last;
    if (frame->is_last) return message_;
  }
  return std::nullopt;
}

void WebSocketClient::take_response() {
  constexpr std::string_view end = "\r\n\r\n";
  // What RFC 6455 expects for the key of upgrade().
  constexpr std::string_view accepted = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
  const std::size_t size = held().find(end);
  if (size == std::string_view::npos) return;
  const std::string_view head = held().substr(0, size);
  if (!head.starts_with("HTTP/1.1 101 ") || head.find(accepted) == std::string_view::npos) {
    throw Failure("The server has refused a WebSocket: " +
                  std::string(head.substr(0, head.find('\r'))));
  }
  begin_ += size + end.size();
  is_open_ = true;
}

std::optional<WebSocketClient::Frame> WebSocketClient::take_frame() {
  const std::string_view bytes = held();
  const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(bytes[at]); };
  std::size_t begin = 2;
  needed_ = begin;
  if (bytes.size() < needed_) return std::nullopt;
  std::uint64_t size = byte(1);
  if (size == 126 || size == 127) {
    needed_ = begin = size == 126 ? 4 : 10;
    if (bytes.size() < needed_) return std::nullopt;
    size = 0;
    for (std::size_t at = 2; at < begin; ++at) size = size << 8U | byte(at);
  } else if (size > 127) {
    throw Failure("A WebSocket frame of the server is masked.");
  }
  if (size > max_frame_bytes || (byte(0) & 0x70U) != 0) {
    throw Failure("A WebSocket frame of the server is too long, or uses extensions.");
  }
  needed_ = begin + size;
  if (bytes.size() < needed_) return std::nullopt;
  begin_ += needed_;
  needed_ = 0;
  return Frame{static_cast<Opcode>(byte(0) & 0xfU), (byte(0) & 0x80U) != 0,
               bytes.substr(begin, size)};
}

}  // namespace tictactoe::load
