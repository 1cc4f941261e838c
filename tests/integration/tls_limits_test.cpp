// What TLS costs: handshakes and key updates have limits.
#include <gmock/gmock.h>

#include "tests/support/configs.hpp"
#include "tests/support/requests.hpp"
#include "tests/support/tls_client.hpp"

namespace tictactoe::test::tls_limits_tests {
namespace {

using v1::Error;

const std::string alert("\x15\x03\x03\x00\x02\x02\x50", 7);

TEST(TlsHandshakes, of_one_address_have_a_rate) {
  core::Config config;
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
  ASSERT_TRUE(ann.shake_hands());
  EXPECT_TRUE(ann.enter("ann").has_welcome());
  for (int i = 0; i < 100; ++i) ann.update_keys();
  Error::Code last = Error::CODE_UNSPECIFIED;
  while (const auto message = ann.receive()) last = message->error().code();
  EXPECT_EQ(last, Error::CODE_FLOODING);
}

// The answer to a key update has to wait, and the frames behind it, too.
TEST(TlsKeyUpdates, do_not_lose_what_waits_to_be_written) {
  core::Config config;
  config.limits.requests_per_second = 0;
  RunningServer server(config, "127.0.0.1", {}, with_tls());
  TlsClient ann(server.endpoint(), 100'000, 0, 16'384);
  ASSERT_TRUE(ann.shake_hands());
  EXPECT_TRUE(ann.enter("ann").has_welcome());
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
  core::Config config;
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
  v1::ClientMessage hello;
  hello.mutable_hello()->add_protocol_versions(1);
  raw.send(hello);
  const auto refusal = raw.receive();
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->error().code(), Error::CODE_SERVER_FULL);
  EXPECT_FALSE(raw.receive());
}

}  // namespace
}  // namespace tictactoe::test::tls_limits_tests
