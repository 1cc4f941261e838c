// The frames of WebSockets: what is read, whatever the pieces, and what is refused.
#include "server/transport/web/websocket.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/websocket_bytes.hpp"

namespace tictactoe::transport::websocket_tests {
namespace {

using test::encoded;
using test::Opcode;

constexpr std::size_t max_bytes = 1000;

struct Seen {
  WebSocket::Kind kind;
  std::string payload;
  bool operator==(const Seen&) const = default;
};

/// What is read if so many bytes come at a time.
std::vector<Seen> read(const std::string& bytes, std::size_t piece, CloseCode* code = nullptr) {
  WebSocket socket(max_bytes);
  std::string space;
  std::vector<Seen> seen;
  std::string kept;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    kept += bytes.substr(at, piece);
    std::string_view rest = kept;
    for (;;) {
      const WebSocket::Frame frame = socket.next(rest, space);
      if (frame.kind == WebSocket::Kind::nothing) break;
      seen.push_back({frame.kind, std::string(frame.payload)});
      if (code != nullptr) *code = socket.close_code();
      if (frame.kind >= WebSocket::Kind::close) return seen;
    }
    kept = std::string(rest);
  }
  return seen;
}

using Kind = WebSocket::Kind;

TEST(WebSocketFrames, are_read_whatever_the_pieces) {
  const std::string large(max_bytes - 3, 'x');
  const std::string bytes = encoded({Opcode::binary, "one"}) + encoded({Opcode::text, ""}) +
                            encoded({Opcode::binary, "a", false}) + encoded({Opcode::ping, "?"}) +
                            encoded({Opcode::more, "bc", false}) + encoded({Opcode::more, large}) +
                            encoded({Opcode::pong, "!"}) + encoded({Opcode::text, "two"});
  const std::vector<Seen> expected{{Kind::message, "one"}, {Kind::message, ""},
                                   {Kind::fragment, ""},   {Kind::ping, "?"},
                                   {Kind::fragment, ""},   {Kind::message, "abc" + large},
                                   {Kind::pong, ""},       {Kind::message, "two"}};
  for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{7}, bytes.size()}) {
    EXPECT_TRUE(read(bytes, piece) == expected) << piece;
  }
}

TEST(WebSocketFrames, are_unmasked) {
  EXPECT_EQ(read(std::string("\x82\x85\x01\x02\x03\x04", 6) + "i`khn", 100),
            (std::vector<Seen>{{Kind::message, "hbhlo"}}));
}

CloseCode fault_of(const std::string& bytes) {
  CloseCode code = CloseCode::normal;
  const auto seen = read(bytes, bytes.size(), &code);
  EXPECT_EQ(seen.back().kind, Kind::fault);
  return code;
}

std::string head(unsigned first, unsigned second, std::string_view more = {}) {
  return std::string{static_cast<char>(first), static_cast<char>(second)}.append(more);
}

TEST(WebSocketFrames, against_the_rules_are_faults) {
  for (const std::string& bytes : {
           encoded({Opcode::binary, "x"}, false),                               // not masked
           head(0xc2, 0x80),                                                    // reserved bits
           head(0x83, 0x80),                                                    // opcodes
           head(0x8b, 0x80), head(0x09, 0x80),                                  // a part of a ping
           head(0x89, 0xfe, std::string(2, '\1')),                              // a long ping
           encoded({Opcode::more, "x"}),                                        // of nothing
           encoded({Opcode::text, "x", false}) + encoded({Opcode::text, "y"}),  // within another
           head(0x82, 0xfe, std::string("\0\x10", 2)),                          // lengths with
           head(0x82, 0xff, std::string("\0\0\0\0\0\0\1\0", 8)),                // too many bytes
           encoded({Opcode::close, "x"}),
           encoded({Opcode::close, std::string("\x03\xed", 2)}),  // 1005
       }) {
    EXPECT_EQ(fault_of(bytes), CloseCode::protocol_error) << bytes;
  }
  EXPECT_EQ(fault_of(encoded({Opcode::text, "\xff"})), CloseCode::bad_payload);
  EXPECT_EQ(fault_of(encoded({Opcode::text, "\xc3", false}) + encoded({Opcode::more, "x"})),
            CloseCode::bad_payload);
  EXPECT_EQ(fault_of(encoded({Opcode::close, std::string("\x03\xe8\xff", 3)})),
            CloseCode::bad_payload);
}

TEST(WebSocketFrames, may_end_a_letter_in_the_next_fragment) {
  const auto seen =
      read(encoded({Opcode::text, "\xc3", false}) + encoded({Opcode::more, "\xa4"}), 100);
  EXPECT_EQ(seen.back(), (Seen{Kind::message, "\xc3\xa4"}));
}

TEST(WebSocketFrames, that_are_too_long_are_refused_before_their_payload_is_there) {
  EXPECT_EQ(fault_of(encoded({Opcode::binary, std::string(max_bytes + 1, 'x')}).substr(0, 4)),
            CloseCode::too_big);
  EXPECT_EQ(fault_of(head(0x82, 0xff, std::string(8, '\xff'))), CloseCode::too_big);
  const std::string most(max_bytes, 'x');
  EXPECT_EQ(fault_of(encoded({Opcode::binary, most, false}) + head(0, 0x81)), CloseCode::too_big);
  EXPECT_EQ(read(encoded({Opcode::binary, most}) + encoded({Opcode::binary, most}), 5'000).size(),
            2u);
}

TEST(WebSocketFrames, of_the_server_have_the_shortest_length) {
  for (const std::size_t size : {0u, 1u, 125u, 126u, 65'535u, 65'536u, 100'000u}) {
    std::string bytes;
    const std::string body(size, 'x');
    WebSocket::append_message(bytes, "begin ", body, false);
    const std::size_t whole = size + 6;
    EXPECT_EQ(bytes.size(), whole + (whole < 126 ? 2 : whole < 65'536 ? 4 : 10));
    const auto frame = test::take_websocket_frame(bytes);
    ASSERT_TRUE(frame);
    EXPECT_TRUE(frame->payload == "begin " + body);
    EXPECT_TRUE(bytes.empty());
  }
}

TEST(WebSocketFrames, of_a_close_have_the_code_of_the_peer) {
  CloseCode code{};
  const auto seen = read(encoded({Opcode::close, std::string("\x0f\xa0 bye", 6)}), 100, &code);
  EXPECT_EQ(seen, (std::vector<Seen>{{Kind::close, ""}}));
  EXPECT_EQ(WebSocket::close(code), std::string("\x88\x02\x0f\xa0", 4));
}

// The example of RFC 6455, 1.3.
TEST(WebSocketHandshake, is_accepted_with_the_hash_of_its_key) {
  EXPECT_EQ(websocket_accept("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

}  // namespace
}  // namespace tictactoe::transport::websocket_tests
