// TLS on the port of everything else, over real sockets.
#include <gmock/gmock.h>

#include <future>

#include "server/transport/tls/identity.hpp"
#include "tests/support/configs.hpp"
#include "tests/support/requests.hpp"
#include "tests/support/socket_client.hpp"
#include "tests/support/tls_client.hpp"

namespace tictactoe::test::tls_tests {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using v1::Error;

void play_a_game(TlsClient& ann, TlsClient& bob) {
  ASSERT_TRUE(ann.shake_hands());
  ASSERT_TRUE(bob.shake_hands());
  EXPECT_TRUE(ann.enter("ann").has_welcome());
  EXPECT_TRUE(bob.enter("bob").has_welcome());
  EXPECT_TRUE(ann.ask(create_request("den")).has_snapshot());
  EXPECT_TRUE(bob.ask(join_request("den")).has_snapshot());
  bool anns_turn = true;
  for (const auto& [row, column] : {std::pair{0U, 0U}, {1U, 0U}, {0U, 1U}, {1U, 1U}, {0U, 2U}}) {
    TlsClient& mover = anns_turn ? ann : bob;
    const v1::ServerMessage answer = mover.ask(move_request(row, column));
    EXPECT_TRUE(answer.has_update()) << answer.ShortDebugString();
    anns_turn = !anns_turn;
  }
}

TEST(Tls, carries_a_game) {
  RunningServer server(without_rate(), "127.0.0.1", {}, with_tls());
  TlsClient ann(server.endpoint());
  TlsClient bob(server.endpoint(), 100'000, TLS1_2_VERSION);
  play_a_game(ann, bob);
  EXPECT_STREQ(ann.version(), "TLSv1.3");
  EXPECT_STREQ(bob.version(), "TLSv1.2");
}

TEST(Tls, may_be_split_anywhere) {
  RunningServer server(without_rate(), "127.0.0.1", {}, with_tls());
  TlsClient ann(server.endpoint(), 1);
  TlsClient bob(server.endpoint(), 7);
  play_a_game(ann, bob);
}

TEST(Tls, of_an_old_version_is_refused) {
  RunningServer server(without_rate(), "127.0.0.1", {}, with_tls());
  EXPECT_FALSE(TlsClient(server.endpoint(), 100'000, TLS1_1_VERSION).shake_hands());
  EXPECT_TRUE(TlsClient(server.endpoint()).shake_hands());
}

TEST(Tls, ends_with_a_notice_after_the_last_frame) {
  RunningServer server(without_rate(), "127.0.0.1", {}, with_tls());
  TlsClient ann(server.endpoint());
  ASSERT_TRUE(ann.shake_hands());
  ASSERT_TRUE(ann.write(std::string(100, '\xff')));
  const auto message = ann.receive();
  ASSERT_TRUE(message);
  EXPECT_EQ(message->error().code(), Error::CODE_MALFORMED_FRAME);
  EXPECT_FALSE(ann.receive());
  EXPECT_TRUE(ann.ended_well);
}

TEST(Tls, may_be_ended_with_a_notice) {
  RunningServer server(without_rate(), "127.0.0.1", {}, with_tls());
  TlsClient ann(server.endpoint());
  ann.come_in("ann");
  ann.close_notify();
  EXPECT_FALSE(ann.receive());
  // The server has seen the end: the name is held for the absent player.
  TlsClient other(server.endpoint());
  ASSERT_TRUE(other.shake_hands());
  EXPECT_EQ(other.enter("ann").welcome().player_name(), "ann-2");
}

TEST(Tls, that_does_not_go_on_ends_like_a_missing_hello) {
  server::Config config = without_rate();
  config.limits.hello_timeout = std::chrono::milliseconds(50);
  RunningServer server(config, "127.0.0.1", {}, with_tls());
  for (const char* const beginning : {"\x16\x03", "\x16\x03\x01\x40"}) {
    SocketClient half(server.endpoint());
    half.send_bytes(beginning);
    while (!half.receive_bytes().empty()) {  // an Error, if the server has not seen it in time
    }
  }
}

TEST(Tls, counts_as_a_pending_connection_until_the_hello) {
  server::Config config = without_rate();
  config.limits.pending_connections = 1;
  RunningServer server(config, "127.0.0.1", {}, with_tls());
  SocketClient half(server.endpoint());
  half.send_bytes("\x16\x03\x01");
  // The last one of a full table makes way, and its end shows that it was counted.
  TlsClient ann(server.endpoint());
  ann.come_in("ann");
  while (!half.receive_bytes().empty()) {  // an Error, if the server has not seen the handshake yet
  }
}

TEST(Tls, that_is_none_ends_the_connection) {
  RunningServer server(without_rate(), "127.0.0.1", {}, with_tls());
  SocketClient liar(server.endpoint());
  liar.send_bytes("\x16\x03" + std::string(1000, 'x'));
  while (!liar.receive_bytes().empty()) {
  }
  TlsClient ann(server.endpoint());
  ann.come_in("ann");
}

TEST(RequiredTls, refuses_frames_with_the_reason) {
  RunningServer server(without_rate(), "127.0.0.1", {}, with_tls(true));
  SocketClient clear(server.endpoint());
  clear.send(hello_request("ann"));
  const auto refused = clear.receive();
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->error().code(), Error::CODE_TLS_REQUIRED);
  EXPECT_TRUE(refused->error().closing());
  EXPECT_FALSE(clear.receive());
  TlsClient ann(server.endpoint());
  ann.come_in("ann");
}

TEST(RequiredTls, sends_browsers_to_https) {
  RunningServer server(without_rate(), "127.0.0.1", {}, with_tls(true));
  SocketClient browser(server.endpoint());
  browser.send_bytes("GET /page?x HTTP/1.1\r\nHost: localhost:7654\r\n\r\n");
  const std::string answer = browser.receive_bytes();
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 307 "));
  EXPECT_THAT(answer, HasSubstr("\r\nLocation: https://localhost:7654/page?x\r\n"));
}

TEST(RequiredTls, refuses_websockets_in_clear_text) {
  RunningServer server(without_rate(), "127.0.0.1", {}, with_tls(true));
  SocketClient browser(server.endpoint());
  browser.send_bytes("GET /ws HTTP/1.1\r\nHost: localhost:7654\r\n\r\n");
  EXPECT_THAT(browser.receive_bytes(), StartsWith("HTTP/1.1 403 "));
}

TEST(TlsIdentity, can_be_replaced_while_connections_stand) {
  transport::Server* running = nullptr;
  asio::io_context* loop = nullptr;
  RunningServer server(without_rate(), "127.0.0.1", {},
                       [&](asio::io_context& io, transport::Server& of) -> std::shared_ptr<void> {
                         of.use_tls(*transport::temporary_tls_identity());
                         running = &of;
                         loop = &io;
                         return nullptr;
                       });
  TlsClient ann(server.endpoint());
  ASSERT_TRUE(ann.shake_hands());
  std::promise<void> replaced;
  asio::post(*loop, [&] {
    running->use_tls(*transport::temporary_tls_identity());
    replaced.set_value();
  });
  replaced.get_future().wait();
  EXPECT_TRUE(ann.enter("ann").has_welcome());
  TlsClient bob(server.endpoint());
  bob.come_in("bob");
}

// What TLS costs ----------------------------------------------------------------------------------

const std::string alert("\x15\x03\x03\x00\x02\x02\x50", 7);

TEST(TlsHandshakes, of_one_address_have_a_rate) {
  server::Config config;
  config.limits.handshake_burst = 3;
  config.limits.handshakes_per_second = 1;
  RunningServer server(config, "127.0.0.1", {}, with_tls());
  for (int allowed = 0; allowed < 3; ++allowed) {
    EXPECT_TRUE(TlsClient(server.endpoint()).shake_hands());
  }
  // In time one more is allowed.
  std::string answer;
  for (int tries = 0; tries < 100 && answer != alert; ++tries) {
    SocketClient refused(server.endpoint());
    refused.send_bytes("\x16\x03");
    refused.shut_sending_side();
    answer = refused.receive_bytes();
  }
  EXPECT_EQ(answer, alert);
  SocketClient(server.endpoint(), "ann");
}

TEST(TlsKeyUpdates, cost_tokens) {
  RunningServer server(with_few_tokens(), "127.0.0.1", {}, with_tls());
  TlsClient ann(server.endpoint());
  ann.come_in("ann");
  for (int i = 0; i < 100; ++i) ann.update_keys();
  Error::Code last = Error::CODE_UNSPECIFIED;
  while (const auto message = ann.receive()) last = message->error().code();
  EXPECT_EQ(last, Error::CODE_FLOODING);
}

// The answer to a key update has to wait, and the frames behind it, too.
TEST(TlsKeyUpdates, do_not_lose_what_waits_to_be_written) {
  server::Config config;
  config.limits.requests_per_second = 0;
  RunningServer server(config, "127.0.0.1", {}, with_tls());
  TlsClient ann(server.endpoint(), 100'000, 0, 16'384);
  ann.come_in("ann");
  EXPECT_TRUE(ann.ask(create_request("den")).has_snapshot());
  for (int said = 0; said < 20; ++said) ann.ask(chat_request(std::string(300, 'x')));
  constexpr std::uint64_t first = 1'000;
  constexpr std::uint64_t asked = 600;  // snapshots of 6 KB: less than pauses reading
  std::string requests;
  for (std::uint64_t id = first; id < first + asked; ++id) {
    v1::ClientMessage request = snapshot_request();
    request.set_request_id(id);
    wire::append_frame(requests, request.SerializeAsString());
  }
  ASSERT_TRUE(ann.write(requests));
  ann.update_keys(SSL_KEY_UPDATE_REQUESTED);
  ASSERT_TRUE(ann.write(requests));
  std::size_t answers = 0;
  while (answers < 2 * asked) {
    const auto message = ann.receive();
    ASSERT_TRUE(message) << "after " << answers << " answers";
    if (message->request_id() >= first) ++answers;
  }
}

TEST(FullServer, says_so_in_the_protocol_of_the_peer) {
  server::Config config;
  config.limits.connections = 1;
  RunningServer server(config, "127.0.0.1", {}, with_tls());
  SocketClient ann(server.endpoint(), "ann");
  const auto answer = [&](const std::string& bytes) {
    SocketClient refused(server.endpoint());
    refused.send_bytes(bytes);
    refused.shut_sending_side();
    return refused.receive_bytes();
  };
  EXPECT_THAT(answer("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
              ::testing::StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(answer("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
              ::testing::EndsWith("\r\n\r\n"));
  EXPECT_EQ(answer("\x16\x03\x01"), alert);
  SocketClient raw(server.endpoint());
  raw.send(hello_request("bob"));
  const auto refusal = raw.receive();
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->error().code(), Error::CODE_SERVER_FULL);
  EXPECT_FALSE(raw.receive());
}

}  // namespace
}  // namespace tictactoe::test::tls_tests
