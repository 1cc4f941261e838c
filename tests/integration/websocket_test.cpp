// WebSockets over real sockets: play, and everything that is refused.
#include <gmock/gmock.h>

#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <deque>

#include "tests/support/configs.hpp"
#include "tests/support/requests.hpp"
#include "tests/support/socket_client.hpp"
#include "tests/support/websocket_bytes.hpp"

namespace tictactoe::test::websocket_tests {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string protobuf_form = "tictactoe.v1.protobuf";
const std::string json_form = "tictactoe.v1.json";

/// A client that writes any bytes.
class RawWebSocket {
 public:
  RawWebSocket(const asio::ip::tcp::endpoint& server, const std::string& request) {
    socket_.connect(server);
    send(request);
    boost::system::error_code error;
    const std::size_t size =
        asio::read_until(socket_, asio::dynamic_buffer(bytes_), "\r\n\r\n", error);
    response_ = bytes_.substr(0, size);
    bytes_.erase(0, size);
  }

  const std::string& response() const { return response_; }
  void send(const std::string& bytes) {
    boost::system::error_code ignored;  // the server may have closed it
    asio::write(socket_, asio::buffer(bytes), ignored);
  }
  /// Nothing more comes from here.
  void finish() {
    boost::system::error_code ignored;  // the server may have closed it
    socket_.shutdown(asio::socket_base::shutdown_send, ignored);
  }
  void say(const std::string& text) { send(encoded({Opcode::text, text})); }
  /// Nothing if the connection has ended.
  std::optional<WebSocketFrame> next() {
    for (;;) {
      if (auto frame = take_websocket_frame(bytes_)) return frame;
      std::array<char, 4096> space;
      boost::system::error_code error;
      const std::size_t count = socket_.read_some(asio::buffer(space), error);
      if (error) return std::nullopt;
      bytes_.append(space.data(), count);
    }
  }
  std::string next_text() {
    const auto frame = next();
    return frame && frame->opcode == Opcode::text ? frame->payload : "(no text)";
  }
  /// The status code of the close frame before the end; 0: there was none.
  int end() {
    int code = 0;
    while (const auto frame = next()) {
      if (frame->opcode != Opcode::close || frame->payload.size() < 2) continue;
      code = static_cast<std::uint8_t>(frame->payload[0]) << 8 |
             static_cast<std::uint8_t>(frame->payload[1]);
    }
    return code;
  }

 private:
  asio::io_context io_;
  asio::ip::tcp::socket socket_{io_};
  std::string response_;
  std::string bytes_;
};

const std::string json_hello =
    R"({"requestId": "1", "hello": {"protocolVersions": [1], "name": "ann"}})";

void enter(RawWebSocket& client) {
  client.say(json_hello);
  EXPECT_THAT(client.next_text(), HasSubstr("welcome"));
}

TEST(WebSocket, carries_json_beside_the_raw_protocol) {
  RunningServer server(without_rate());
  RawWebSocket ann(server.endpoint(), upgrade_request("other, " + json_form));
  EXPECT_THAT(ann.response(), StartsWith("HTTP/1.1 101 "));
  EXPECT_THAT(ann.response(), HasSubstr("\r\nSec-WebSocket-Protocol: tictactoe.v1.json\r\n"));
  ann.say(json_hello);
  EXPECT_THAT(ann.next_text(), StartsWith(R"({"requestId":"1","welcome":{"protocolVersion":1,)"));
  ann.say(R"({"requestId": "2", "createRoom": {"name": "den", "unknown": [1]}})");
  EXPECT_THAT(ann.next_text(), StartsWith(R"({"requestId":"2","snapshot":{"name":"den",)"));
  SocketClient bob(server.endpoint(), "bob");
  ASSERT_TRUE(bob.ask(join_request("den")).has_snapshot());
  EXPECT_THAT(ann.next_text(), StartsWith(R"({"update":{"revision":"2",)"));
  ann.say(R"({"requestId": "3", "move": {"cell": {"row": 1, "col": 2}}})");
  EXPECT_THAT(ann.next_text(), HasSubstr(R"("cell":{"row":1,"col":2})"));
  EXPECT_EQ(bob.next_update().move_played().cell().row(), 1u);
  ann.say("{nonsense");
  EXPECT_THAT(ann.next_text(), HasSubstr("CODE_MALFORMED_MESSAGE"));
  ann.send(encoded({Opcode::close, std::string("\x03\xe8", 2)}));
  EXPECT_EQ(ann.end(), 1000);
  EXPECT_TRUE(bob.next_update().seat_changed().occupant().away());
}

TEST(WebSocket, requests_come_in_fragments_and_with_pings_between_them) {
  RunningServer server(without_rate());
  RawWebSocket ann(server.endpoint(), upgrade_request(json_form));
  ann.send(encoded({Opcode::text, json_hello.substr(0, 10), false}));
  ann.send(encoded({Opcode::ping, "are you there?"}));
  const auto pong = ann.next();
  ASSERT_TRUE(pong);
  EXPECT_EQ(pong->opcode, Opcode::pong);
  EXPECT_EQ(pong->payload, "are you there?");
  ann.send(encoded({Opcode::more, json_hello.substr(10)}));
  EXPECT_THAT(ann.next_text(), HasSubstr("welcome"));
}

TEST(WebSocket, a_request_may_follow_the_upgrade_at_once) {
  RunningServer server(without_rate());
  RawWebSocket ann(server.endpoint(),
                   upgrade_request(json_form) + encoded({Opcode::text, json_hello}));
  EXPECT_THAT(ann.next_text(), HasSubstr("welcome"));
}

/// The response to an upgrade.
class Upgrades {
 public:
  std::string operator()(const std::string& request) const {
    return RawWebSocket(server_.endpoint(), request).response();
  }

 private:
  RunningServer server_{without_rate()};
};

TEST(WebSocket, is_opened_by_the_own_page_only) {
  const Upgrades answer;
  EXPECT_THAT(answer(upgrade_request(json_form, "Origin: http://evil.example\r\n")),
              StartsWith("HTTP/1.1 403 "));
  EXPECT_THAT(answer(upgrade_request(json_form, "Origin: null\r\n")), StartsWith("HTTP/1.1 403 "));
  EXPECT_THAT(answer(upgrade_request(json_form, {}, "evil.example")), StartsWith("HTTP/1.1 421 "));
  EXPECT_THAT(answer(upgrade_request(
                  json_form, "Origin: http://localhost\r\nOrigin: http://evil.example\r\n")),
              StartsWith("HTTP/1.1 403 "));
  EXPECT_THAT(answer(upgrade_request(json_form, "Origin: http://localhost\r\n")),
              StartsWith("HTTP/1.1 101 "));
}

TEST(WebSocket, has_a_known_subprotocol_and_version) {
  const Upgrades answer;
  const auto with = [](const std::string& wrong, const std::string& in_place_of) {
    std::string request = upgrade_request(json_form);
    return request.replace(request.find(in_place_of), in_place_of.size(), wrong);
  };
  EXPECT_THAT(answer(upgrade_request("")), StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(answer(upgrade_request("tictactoe.v2.json")), StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(answer(with("Version: 8", "Version: 13")),
              AllOf(StartsWith("HTTP/1.1 400 "), HasSubstr("\r\nSec-WebSocket-Version: 13\r\n")));
  EXPECT_THAT(answer(with("HTTP/1.0", "HTTP/1.1")), StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(answer(with("x", "dGhlIHNhbXBsZSBub25jZQ==")), StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(answer("GET /ws HTTP/1.1\r\nHost: localhost\r\n\r\n"), StartsWith("HTTP/1.1 426 "));
  EXPECT_THAT(answer(with("/wx", "/ws")), StartsWith("HTTP/1.1 404 "));
}

// Lines of one header are one list (RFC 9110, 5.3). A client may add its own Connection line.
TEST(WebSocket, is_asked_for_in_any_line_of_a_header) {
  const Upgrades answer;
  const auto with = [](const std::string& lines, const std::string& in_place_of) {
    std::string request = upgrade_request(json_form);
    return request.replace(request.find(in_place_of), in_place_of.size(), lines);
  };
  EXPECT_THAT(
      answer(with("Connection: close\r\nConnection: Upgrade", "Connection: keep-alive, Upgrade")),
      StartsWith("HTTP/1.1 101 "));
  EXPECT_THAT(answer(with("Upgrade: other\r\nUpgrade: websocket", "Upgrade: websocket")),
              StartsWith("HTTP/1.1 101 "));
  EXPECT_THAT(answer(upgrade_request("other", "Sec-WebSocket-Protocol: " + json_form + "\r\n")),
              StartsWith("HTTP/1.1 101 "));
}

TEST(WebSocket, is_told_which_rule_it_breaks) {
  RunningServer server(without_rate());
  RawWebSocket unmasked(server.endpoint(), upgrade_request(json_form));
  unmasked.send(encoded({Opcode::text, json_hello}, false));
  EXPECT_THAT(unmasked.next_text(), HasSubstr("That breaks the WebSocket protocol (RFC 6455)."));
  EXPECT_EQ(unmasked.end(), 1002);
  RawWebSocket too_long(server.endpoint(), upgrade_request(json_form));
  too_long.send(encoded({Opcode::text, std::string(4097, ' ')}));
  EXPECT_THAT(too_long.next_text(), HasSubstr("That frame is too long"));
  EXPECT_EQ(too_long.end(), 1009);
  RawWebSocket binary(server.endpoint(), upgrade_request(protobuf_form));
  binary.send(encoded({Opcode::binary, std::string(4097, 'x')}));
  EXPECT_EQ(binary.end(), 1009);
}

TEST(WebSocket, messages_of_the_other_form_are_unreadable) {
  RunningServer server(without_rate());
  RawWebSocket peer(server.endpoint(), upgrade_request(json_form));
  peer.send(encoded({Opcode::binary, json_hello}));
  EXPECT_THAT(peer.next_text(), HasSubstr("CODE_MALFORMED_MESSAGE"));
  EXPECT_EQ(peer.end(), 1000);
}

/// Whether the server ends a connection that sends this again and again.
bool is_flood(const std::string& bytes, const std::string& beginning = {}) {
  RunningServer server(with_few_tokens());
  RawWebSocket peer(server.endpoint(), upgrade_request(json_form));
  enter(peer);
  std::string all = beginning;
  for (int i = 0; i < 100; ++i) all += bytes;
  peer.send(all);
  peer.finish();
  bool is_flooding = false;
  while (const auto frame = peer.next()) {
    is_flooding = is_flooding || frame->payload.find("CODE_FLOODING") != std::string::npos;
  }
  return is_flooding;
}

TEST(WebSocket, a_flood_of_frames_without_requests_ends_it) {
  EXPECT_TRUE(is_flood(encoded({Opcode::ping, ""})));
  EXPECT_TRUE(is_flood(encoded({Opcode::pong, ""})));
  EXPECT_TRUE(is_flood(encoded({Opcode::more, "", false}), encoded({Opcode::text, "", false})));
}

TEST(WebSocket, texts_in_json_cost_tokens_by_their_length) {
  RunningServer server(with_few_tokens(40));
  RawWebSocket peer(server.endpoint(), upgrade_request(json_form));
  enter(peer);
  // 15 tokens for the text, and 1 for the ping.
  const std::string ping = R"("requestId": "7", "ping": {}})";
  const std::string long_ping = "{" + std::string(15 * 256, ' ') + ping;
  peer.say(long_ping);
  EXPECT_THAT(peer.next_text(), StartsWith(R"({"requestId":"7","pong":)"));
  peer.say(long_ping);
  EXPECT_THAT(peer.next_text(), StartsWith(R"({"requestId":"7","pong":)"));
  peer.say(long_ping);
  const std::string refusal = peer.next_text();
  EXPECT_THAT(refusal, StartsWith(R"({"requestId":"7","error":)"));
  EXPECT_THAT(refusal, HasSubstr("CODE_RATE_LIMITED"));
  peer.say("{" + ping);
  EXPECT_THAT(peer.next_text(), StartsWith(R"({"requestId":"7","pong":)"))
      << "short texts are free";
}

TEST(WebSocket, the_longest_chat_line_fits_into_a_text) {
  RunningServer server(without_rate());
  RawWebSocket ann(server.endpoint(), upgrade_request(json_form));
  enter(ann);
  ann.say(R"({"requestId": "2", "createRoom": {"name": "den"}})");
  EXPECT_THAT(ann.next_text(), HasSubstr("snapshot"));
  std::string line;
  for (int i = 0; i < 300; ++i) line += R"(\ud83d\ude00)";
  ann.say(R"({"requestId": "3", "chat": {"text": ")" + line + R"("}})");
  EXPECT_THAT(ann.next_text(), HasSubstr("chat"));
}

TEST(WebSocket, a_pong_is_a_sign_of_life) {
  server::Config config = without_rate();
  config.limits.silence_timeout = std::chrono::seconds(2);
  RunningServer server(config);
  RawWebSocket alive(server.endpoint(), upgrade_request(json_form));
  enter(alive);
  // A third of the longest silence passes before each ping.
  for (int pings = 0; pings < 5; ++pings) {
    const auto frame = alive.next();
    ASSERT_TRUE(frame);
    ASSERT_EQ(frame->opcode, Opcode::ping) << frame->payload;
    alive.send(encoded({Opcode::pong, frame->payload}));
  }
  std::string last;
  while (const auto frame = alive.next()) {
    if (frame->opcode == Opcode::text) last = frame->payload;
  }
  EXPECT_THAT(last, HasSubstr("CODE_SILENT")) << "now it answers no ping";
}

// 80 browsers watch the lobby when 100 rooms are opened at once, whose names begin with Chinese
// letters. The server fails the test if a slice of its loop takes too long.
TEST(WebSocket, large_updates_do_not_stop_the_loop) {
  const auto name = [](int number) {
    std::string made;
    for (int i = 0; i < 20; ++i) made += "\u6c34";
    return made + std::to_string(1'000 + number);
  };
  server::Config config = without_rate();
  config.limits.newcomer_burst = 1'000;
  RunningServer server(config);
  std::deque<RawWebSocket> watchers;
  for (int i = 0; i < 80; ++i) {
    RawWebSocket& watcher = watchers.emplace_back(server.endpoint(), upgrade_request(json_form));
    watcher.say(R"({"hello": {"protocolVersions": [1], "name": "guest)" + std::to_string(i) +
                R"("}})");
    EXPECT_THAT(watcher.next_text(), HasSubstr("welcome"));
    watcher.say(R"({"watchLobby": {}})");
    EXPECT_THAT(watcher.next_text(), HasSubstr("complete"));
  }
  std::deque<SocketClient> hosts;
  for (int i = 0; i < 100; ++i) hosts.emplace_back(server.endpoint(), "host" + std::to_string(i));
  for (int i = 0; i < 100; ++i) {
    v1::ClientMessage request;
    request.mutable_create_room()->set_name(name(i));
    hosts[static_cast<std::size_t>(i)].send(request);
  }
  for (RawWebSocket& watcher : watchers) {
    std::string texts;
    for (int i = 0; i < 100; ++i) {
      while (texts.find(name(i)) == std::string::npos) {
        const auto frame = watcher.next();
        ASSERT_TRUE(frame) << texts.size();
        texts += frame->payload;
      }
    }
  }
}

}  // namespace
}  // namespace tictactoe::test::websocket_tests
