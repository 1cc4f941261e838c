// TLS on the port of everything else, over real sockets.
#include <gmock/gmock.h>

#include <boost/asio/read.hpp>
#include <boost/asio/ssl.hpp>
#include <future>

#include "server/net/tls_identity.hpp"
#include "tests/support/requests.hpp"
#include "tests/support/socket_client.hpp"

namespace tictactoe::test {
namespace {

using boost::system::error_code;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using v1::Error;

core::Config quiet() {
  core::Config config;
  config.limits.requests_per_second = 0;
  return config;
}

RunningServer::Prepare with_tls(bool is_required = false) {
  return [is_required](asio::io_context&, net::Server& server) -> std::shared_ptr<void> {
    server.use_tls(*net::temporary_tls_identity());
    if (is_required) server.require_tls();
    return nullptr;
  };
}

/// Blocks. Sends what TLS makes of its bytes, as few at a time as the test wants.
class TlsClient {
 public:
  explicit TlsClient(const asio::ip::tcp::endpoint& server, std::size_t piece = 100'000,
                     int version = 0)
      : piece_(piece) {
    if (version != 0) {
      SSL_CTX_set_security_level(context_.native_handle(), 0);
      SSL_CTX_set_min_proto_version(context_.native_handle(), version);
      SSL_CTX_set_max_proto_version(context_.native_handle(), version);
    }
    tls_ = SSL_new(context_.native_handle());
    SSL_set_bio(tls_, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_connect_state(tls_);
    socket_.connect(server);
    socket_.set_option(asio::ip::tcp::no_delay(true));
  }
  ~TlsClient() { SSL_free(tls_); }
  TlsClient(const TlsClient&) = delete;
  TlsClient& operator=(const TlsClient&) = delete;

  bool shake_hands() {
    return run([this] { return SSL_do_handshake(tls_); }) == 1;
  }
  bool write(std::string_view bytes) {
    return run([&] { return SSL_write(tls_, bytes.data(), static_cast<int>(bytes.size())); }) > 0;
  }
  /// Nothing at the end, which `ended_well` tells apart from a fault.
  std::string read() {
    std::array<char, 4096> space{};
    const int count = run([&] { return SSL_read(tls_, space.data(), space.size()); });
    ended_well = SSL_get_error(tls_, count) == SSL_ERROR_ZERO_RETURN;
    return count > 0 ? std::string(space.data(), static_cast<std::size_t>(count)) : std::string();
  }
  void close_notify() {
    SSL_shutdown(tls_);
    flush();
  }
  const char* version() const { return SSL_get_version(tls_); }

  std::optional<v1::ServerMessage> receive() {
    for (;;) {
      std::string_view rest = received_;
      const wire::NextFrame next = wire::take_frame(rest, 1U << 24U);
      if (next.state == wire::NextFrame::State::frame) {
        v1::ServerMessage message;
        EXPECT_TRUE(message.ParseFromString(std::string(next.body)));
        received_.erase(0, received_.size() - rest.size());
        return message;
      }
      const std::string more = read();
      if (more.empty()) return std::nullopt;
      received_ += more;
    }
  }
  v1::ServerMessage ask(v1::ClientMessage message) {
    message.set_request_id(++last_request_);
    std::string frame;
    wire::append_frame(frame, message.SerializeAsString());
    write(frame);
    while (auto received = receive()) {
      if (received->request_id() == last_request_) return *received;
    }
    ADD_FAILURE() << "closed instead of an answer to " << message.ShortDebugString();
    return {};
  }
  v1::ServerMessage enter(const std::string& name) {
    v1::ClientMessage message;
    message.mutable_hello()->add_protocol_versions(1);
    message.mutable_hello()->set_name(name);
    return ask(message);
  }

  bool ended_well = false;

 private:
  void flush() {
    std::array<char, 4096> space{};
    for (int count = 0; (count = BIO_read(SSL_get_wbio(tls_), space.data(), space.size())) > 0;) {
      std::string_view bytes(space.data(), static_cast<std::size_t>(count));
      while (!bytes.empty()) {
        const std::string_view piece = bytes.substr(0, piece_);
        error_code ignored;  // the peer may have closed; reading shows that
        asio::write(socket_, asio::buffer(piece.data(), piece.size()), ignored);
        bytes.remove_prefix(piece.size());
      }
    }
  }

  template <class Step>
  int run(Step step) {
    for (;;) {
      const int result = step();
      flush();
      if (result > 0 || SSL_get_error(tls_, result) != SSL_ERROR_WANT_READ) return result;
      std::array<char, 4096> space{};
      error_code error;
      const std::size_t count =
          socket_.read_some(asio::buffer(space.data(), std::min(piece_, space.size())), error);
      if (error) return -1;
      BIO_write(SSL_get_rbio(tls_), space.data(), static_cast<int>(count));
    }
  }

  std::size_t piece_;
  asio::io_context io_{1};
  asio::ip::tcp::socket socket_{io_};
  asio::ssl::context context_{asio::ssl::context::tls_client};
  SSL* tls_ = nullptr;
  std::string received_;
  std::uint64_t last_request_ = 0;
};

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
  RunningServer server(quiet(), "127.0.0.1", {}, with_tls());
  TlsClient ann(server.endpoint());
  TlsClient bob(server.endpoint(), 100'000, TLS1_2_VERSION);
  play_a_game(ann, bob);
  EXPECT_STREQ(ann.version(), "TLSv1.3");
  EXPECT_STREQ(bob.version(), "TLSv1.2");
}

TEST(Tls, may_be_split_anywhere) {
  RunningServer server(quiet(), "127.0.0.1", {}, with_tls());
  TlsClient ann(server.endpoint(), 1);
  TlsClient bob(server.endpoint(), 7);
  play_a_game(ann, bob);
}

TEST(Tls, carries_what_does_not_fit_in_the_socket_at_once) {
  core::Config config = quiet();
  config.limits.max_side = 1000;
  RunningServer server(config, "127.0.0.1", {}, with_tls());
  TlsClient ann(server.endpoint());
  ASSERT_TRUE(ann.shake_hands());
  EXPECT_TRUE(ann.enter("ann").has_welcome());
  EXPECT_TRUE(ann.ask(create_request("den")).has_snapshot());
  for (int said = 0; said < 20; ++said) ann.ask(chat_request(std::string(300, 'x')));
  // The answers wait in the server until somebody reads.
  std::string requests;
  constexpr std::uint64_t first = 1000;
  constexpr std::uint64_t asked = 1500;
  for (std::uint64_t id = first; id < first + asked; ++id) {
    v1::ClientMessage request = snapshot_request();
    request.set_request_id(id);
    wire::append_frame(requests, request.SerializeAsString());
  }
  ASSERT_TRUE(ann.write(requests));
  for (std::uint64_t next = first; next < first + asked;) {
    const auto message = ann.receive();
    ASSERT_TRUE(message);
    if (message->request_id() < first) continue;
    ASSERT_EQ(message->request_id(), next++);
  }
}

TEST(Tls, of_an_old_version_is_refused) {
  RunningServer server(quiet(), "127.0.0.1", {}, with_tls());
  EXPECT_FALSE(TlsClient(server.endpoint(), 100'000, TLS1_1_VERSION).shake_hands());
  EXPECT_TRUE(TlsClient(server.endpoint()).shake_hands());
}

TEST(Tls, ends_with_a_notice_after_the_last_frame) {
  RunningServer server(quiet(), "127.0.0.1", {}, with_tls());
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
  RunningServer server(quiet(), "127.0.0.1", {}, with_tls());
  TlsClient ann(server.endpoint());
  ASSERT_TRUE(ann.shake_hands());
  EXPECT_TRUE(ann.enter("ann").has_welcome());
  ann.close_notify();
  EXPECT_FALSE(ann.receive());
  // The server has seen the end: the name is held for the absent player.
  TlsClient other(server.endpoint());
  ASSERT_TRUE(other.shake_hands());
  EXPECT_EQ(other.enter("ann").welcome().player_name(), "ann-2");
}

TEST(Tls, that_does_not_go_on_ends_like_a_missing_hello) {
  core::Config config = quiet();
  config.limits.hello_timeout = std::chrono::milliseconds(1);
  RunningServer server(config, "127.0.0.1", {}, with_tls());
  for (const char* const beginning : {"\x16\x03", "\x16\x03\x01\x40"}) {
    SocketClient half(server.endpoint());
    half.send_bytes(beginning);
    EXPECT_EQ(half.receive_bytes(), "");
  }
}

TEST(Tls, counts_as_a_pending_connection_until_the_hello) {
  core::Config config = quiet();
  config.limits.pending_connections = 1;
  RunningServer server(config, "127.0.0.1", {}, with_tls());
  SocketClient half(server.endpoint());
  half.send_bytes("\x16\x03\x01");
  // The last one of a full table makes way, and its end shows that it was counted.
  TlsClient ann(server.endpoint());
  ASSERT_TRUE(ann.shake_hands());
  EXPECT_TRUE(ann.enter("ann").has_welcome());
  while (!half.receive_bytes().empty()) {  // an Error, if the server has not seen the handshake yet
  }
}

TEST(Tls, that_is_none_ends_the_connection) {
  RunningServer server(quiet(), "127.0.0.1", {}, with_tls());
  SocketClient liar(server.endpoint());
  liar.send_bytes("\x16\x03" + std::string(1000, 'x'));
  while (!liar.receive_bytes().empty()) {
  }
  TlsClient ann(server.endpoint());
  ASSERT_TRUE(ann.shake_hands());
  EXPECT_TRUE(ann.enter("ann").has_welcome());
}

TEST(Tls, carries_the_page) {
  RunningServer server(quiet(), "127.0.0.1", {}, with_tls(true));
  TlsClient browser(server.endpoint(), 3);
  ASSERT_TRUE(browser.shake_hands());
  browser.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  std::string answer;
  for (std::string more = browser.read(); !more.empty(); more = browser.read()) answer += more;
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(answer, HasSubstr("<!doctype html>"));
  EXPECT_TRUE(browser.ended_well);
}

TEST(RequiredTls, refuses_frames_with_the_reason) {
  RunningServer server(quiet(), "127.0.0.1", {}, with_tls(true));
  SocketClient clear(server.endpoint());
  v1::ClientMessage hello;
  hello.mutable_hello()->add_protocol_versions(1);
  hello.mutable_hello()->set_name("ann");
  clear.send(hello);
  const auto refused = clear.receive();
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->error().code(), Error::CODE_NOT_ALLOWED);
  EXPECT_FALSE(clear.receive());
  TlsClient ann(server.endpoint());
  ASSERT_TRUE(ann.shake_hands());
  EXPECT_TRUE(ann.enter("ann").has_welcome());
}

TEST(RequiredTls, sends_browsers_to_https) {
  RunningServer server(quiet(), "127.0.0.1", {}, with_tls(true));
  SocketClient browser(server.endpoint());
  browser.send_bytes("GET /page?x HTTP/1.1\r\nHost: localhost:7654\r\n\r\n");
  const std::string answer = browser.receive_bytes();
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 307 "));
  EXPECT_THAT(answer, HasSubstr("\r\nLocation: https://localhost:7654/page?x\r\n"));
}

TEST(TlsIdentity, can_be_replaced_while_connections_stand) {
  net::Server* running = nullptr;
  asio::io_context* loop = nullptr;
  RunningServer server(quiet(), "127.0.0.1", {},
                       [&](asio::io_context& io, net::Server& of) -> std::shared_ptr<void> {
                         of.use_tls(*net::temporary_tls_identity());
                         running = &of;
                         loop = &io;
                         return nullptr;
                       });
  TlsClient ann(server.endpoint());
  ASSERT_TRUE(ann.shake_hands());
  std::promise<void> replaced;
  asio::post(*loop, [&] {
    running->use_tls(*net::temporary_tls_identity());
    replaced.set_value();
  });
  replaced.get_future().wait();
  EXPECT_TRUE(ann.enter("ann").has_welcome());
  TlsClient bob(server.endpoint());
  ASSERT_TRUE(bob.shake_hands());
  EXPECT_TRUE(bob.enter("bob").has_welcome());
}

}  // namespace
}  // namespace tictactoe::test
