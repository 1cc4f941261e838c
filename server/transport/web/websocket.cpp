#include "server/transport/web/websocket.hpp"

#include <openssl/evp.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <boost/beast/http/rfc7230.hpp>
#include <optional>

#include "common/unicode/letters.hpp"

namespace tictactoe::transport {

enum class WebSocketOpcode : std::uint8_t {
  more = 0,
  text = 1,
  binary = 2,
  close = 8,
  ping = 9,
  pong = 10
};

namespace {

using Opcode = WebSocketOpcode;

constexpr std::string_view binary_form = "tictactoe.v1.protobuf";
constexpr std::string_view json_form = "tictactoe.v1.json";

constexpr unsigned last_bit = 0x80;  // in the first byte
constexpr unsigned reserved_bits = 0x70;
constexpr unsigned opcode_bits = 0x0f;
constexpr unsigned mask_bit = 0x80;     // in the second byte
constexpr unsigned length_bits = 0x7f;  // also there
constexpr unsigned has_2_bytes = 126;   // of length behind it
constexpr unsigned has_8_bytes = 127;
constexpr std::size_t mask_bytes = 4;
constexpr std::size_t max_control_bytes = 125;

unsigned byte(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::string_view before = text;
    if (unicode::take_letter(text) == unicode::replacement && !before.starts_with("\uFFFD")) {
      return false;
    }
  }
  return true;
}

// The close codes that a peer may send (RFC 6455, 7.4).
bool is_close_code(unsigned code) {
  return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
         (code >= 3000 && code <= 4999);
}

void append_head(std::string& out, Opcode kind, std::size_t size) {
  out.push_back(static_cast<char>(last_bit | static_cast<unsigned>(kind)));
  if (size < has_2_bytes) return out.push_back(static_cast<char>(size));
  const bool is_short = size <= 0xffff;
  out.push_back(static_cast<char>(is_short ? has_2_bytes : has_8_bytes));
  for (unsigned shift = is_short ? 16 : 64; shift > 0; shift -= 8) {
    out.push_back(static_cast<char>(std::uint64_t{size} >> (shift - 8) & 0xffU));
  }
}

std::string control(Opcode kind, std::string_view payload) {
  std::string frame;
  append_head(frame, kind, payload.size());
  return frame.append(payload);
}

}  // namespace

std::string_view chosen_subprotocol(std::string_view offered) {
  for (const auto& name : boost::beast::http::token_list(offered)) {
    if (name == binary_form) return binary_form;
    if (name == json_form) return json_form;
  }
  return {};
}

MessageForm form_of(std::string_view subprotocol) {
  return subprotocol == json_form ? MessageForm::json : MessageForm::protobuf;
}

std::string websocket_accept(std::string_view key) {
  const std::string text = std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
  SHA1(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  std::array<unsigned char, 4 * ((SHA_DIGEST_LENGTH + 2) / 3) + 1> base64{};
  const int size = EVP_EncodeBlock(base64.data(), digest.data(), SHA_DIGEST_LENGTH);
  return {base64.begin(), base64.begin() + size};
}

// The head of a frame.
struct WebSocket::Head {
  Opcode kind = Opcode::more;
  bool is_last = false;
  bool has_reserved = false;
  bool is_masked = false;
  bool is_shortest = true;  // its length field is as short as possible
  std::uint64_t length = 0;
  std::size_t size = 0;  // of the head, in bytes

  bool is_control() const { return kind >= Opcode::close; }

  /// Nothing if the head is incomplete. Without a mask, it has no mask bytes.
  static std::optional<Head> read(std::string_view bytes) {
    if (bytes.size() < 2) return std::nullopt;
    Head head;
    head.kind = static_cast<Opcode>(byte(bytes, 0) & opcode_bits);
    head.is_last = (byte(bytes, 0) & last_bit) != 0;
    head.has_reserved = (byte(bytes, 0) & reserved_bits) != 0;
    head.is_masked = (byte(bytes, 1) & mask_bit) != 0;
    head.length = byte(bytes, 1) & length_bits;
    head.size = 2;
    if (head.length >= has_2_bytes) {
      const bool is_short = head.length == has_2_bytes;
      head.size += is_short ? 2 : 8;
      if (bytes.size() < head.size) return std::nullopt;
      head.length = 0;
      for (std::size_t i = 2; i < head.size; ++i) head.length = head.length << 8U | byte(bytes, i);
      head.is_shortest = head.length >= (is_short ? has_2_bytes : 0x10000U);
    }
    if (head.is_masked) head.size += mask_bytes;
    return head;
  }
};

WebSocket::Frame WebSocket::fail(CloseCode code) {
  close_code_ = code;
  return {.kind = Kind::fault};
}

bool WebSocket::is_allowed(const Head& head) {
  if (head.has_reserved || !head.is_masked || !head.is_shortest) return false;
  if (head.is_control()) {
    return head.kind <= Opcode::pong && head.is_last && head.length <= max_control_bytes;
  }
  return is_in_message_ ? head.kind == Opcode::more
                        : head.kind == Opcode::text || head.kind == Opcode::binary;
}

WebSocket::Frame WebSocket::next(std::string_view& bytes, std::string& space) {
  if (!is_in_message_ && !fragments_.empty()) std::string().swap(fragments_);
  const std::optional<Head> head = Head::read(bytes);
  if (!head) return {};
  if (!is_allowed(*head)) return fail(CloseCode::protocol_error);
  if (!head->is_control() && head->length > max_message_bytes_ - fragments_.size()) {
    return fail(CloseCode::too_big);
  }
  const auto length = static_cast<std::size_t>(head->length);
  if (bytes.size() < head->size || bytes.size() - head->size < length) return {};
  const std::string_view mask = bytes.substr(head->size - mask_bytes, mask_bytes);
  space.assign(bytes.substr(head->size, length));
  for (std::size_t i = 0; i < length; ++i) {
    space[i] = static_cast<char>(space[i] ^ mask[i % mask_bytes]);
  }
  bytes.remove_prefix(head->size + length);
  switch (head->kind) {
    case Opcode::ping:
      return {.kind = Kind::ping, .payload = space};
    case Opcode::pong:
      return {.kind = Kind::pong};
    case Opcode::close:
      return end(space);
    default:
      return data(*head, space);
  }
}

WebSocket::Frame WebSocket::data(const Head& head, std::string_view payload) {
  if (!is_in_message_) is_text_ = head.kind == Opcode::text;
  if (!head.is_last) {
    is_in_message_ = true;
    fragments_.append(payload);
    return {.kind = Kind::fragment};
  }
  if (std::exchange(is_in_message_, false)) payload = fragments_.append(payload);
  if (is_text_ && !is_utf8(payload)) return fail(CloseCode::bad_payload);
  return {.kind = Kind::message, .payload = payload, .is_text = is_text_};
}

WebSocket::Frame WebSocket::end(std::string_view payload) {
  if (payload.empty()) return {.kind = Kind::close};
  const unsigned code = payload.size() < 2 ? 0 : byte(payload, 0) << 8U | byte(payload, 1);
  if (!is_close_code(code)) return fail(CloseCode::protocol_error);
  if (!is_utf8(payload.substr(2))) return fail(CloseCode::bad_payload);
  close_code_ = static_cast<CloseCode>(code);
  return {.kind = Kind::close};
}

void WebSocket::append_message(std::string& out, std::string_view beginning, std::string_view rest,
                               bool is_text) {
  append_head(out, is_text ? Opcode::text : Opcode::binary, beginning.size() + rest.size());
  out.append(beginning).append(rest);
}

std::string WebSocket::ping() {
  return control(Opcode::ping, {});
}

std::string WebSocket::pong(std::string_view payload) {
  return control(Opcode::pong, payload);
}

std::string WebSocket::close(CloseCode code) {
  const auto number = static_cast<unsigned>(code);
  return control(Opcode::close,
                 std::string{static_cast<char>(number >> 8U), static_cast<char>(number & 0xffU)});
}

}  // namespace tictactoe::transport
