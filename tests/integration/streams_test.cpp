// The same session over every kind of Asio stream.
#include <openssl/evp.h>
#include <openssl/x509.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <deque>
#include <memory>

#ifdef TICTACTOE_EPOLL
#include "server/net/epoll_stream.hpp"
#endif
#include "server/net/session.hpp"
#include "server/net/web_stream.hpp"
#include "tests/support/shell_harness.hpp"
#include "tests/support/websocket_bytes.hpp"

namespace tictactoe::test {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Local = asio::local::stream_protocol::socket;

core::Config quiet() {
  core::Config config;
  config.limits.silence_timeout = {};
  config.limits.requests_per_second = 0;
  config.limits.outbox_bytes = 64 * 1024;
  return config;
}

/// With a self-signed certificate and its key.
asio::ssl::context tls_context() {
  asio::ssl::context context(asio::ssl::context::tls);
  EVP_PKEY* const key = EVP_EC_gen("P-256");
  X509* const certificate = X509_new();
  X509_gmtime_adj(X509_getm_notBefore(certificate), 0);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
  X509_set_pubkey(certificate, key);
  EXPECT_GT(X509_sign(certificate, key, EVP_sha256()), 0);
  EXPECT_EQ(SSL_CTX_use_certificate(context.native_handle(), certificate), 1);
  EXPECT_EQ(SSL_CTX_use_PrivateKey(context.native_handle(), key), 1);
  X509_free(certificate);
  EVP_PKEY_free(key);
  return context;
}

/// A kind of stream: connected pairs, past their handshakes, whose first end does not block. A
/// session takes that end.
struct RawStreams {
  static constexpr auto no_frame = v1::Error::CODE_MALFORMED_FRAME;
  static std::string encode(const std::string& frames) { return frames; }
  static void decode(std::string_view bytes, std::string& frames) { frames.append(bytes); }
};

struct LocalSockets : RawStreams {
  using Server = Local;
  using Client = Local;
  explicit LocalSockets(asio::io_context& io) : server(io), client(io) {
    asio::local::connect_pair(server, client);
    server.non_blocking(true);
  }
  auto session(net::Shell& shell) {
    return std::make_shared<net::Session<Server>>(shell, std::move(server));
  }
  Server&& server_end() { return std::move(server); }
  Server server;
  Client client;
};

struct TcpSockets : RawStreams {
  using Server = asio::basic_stream_socket<asio::ip::tcp, asio::io_context::executor_type>;
  using Client = asio::ip::tcp::socket;
  explicit TcpSockets(asio::io_context& io) : server(io), client(io) {
    asio::ip::tcp::acceptor acceptor(io, {asio::ip::address_v4::loopback(), 0});
    client.connect(acceptor.local_endpoint());
    acceptor.accept(server);
    server.non_blocking(true);
  }
  auto session(net::Shell& shell) {
    return std::make_shared<net::Session<Server>>(shell, std::move(server));
  }
  Server&& server_end() { return std::move(server); }
  Server server;
  Client client;
};

#ifdef TICTACTOE_EPOLL
struct EpollStreams : RawStreams {
  using Server = net::EpollStream;
  using Client = TcpSockets::Client;
  explicit EpollStreams(asio::io_context& io)
      : readiness(io), sockets(io), client(sockets.client) {}
  auto session(net::Shell& shell) {
    return std::make_shared<net::Session<Server>>(shell, sockets.server.release(), readiness);
  }
  Server server_end() { return {sockets.server.release(), readiness}; }
  net::Readiness readiness;
  TcpSockets sockets;
  TcpSockets::Client& client;
};
#endif

struct TlsStreams : RawStreams {
  using Server = asio::ssl::stream<Local>;
  using Client = asio::ssl::stream<Local>;
  explicit TlsStreams(asio::io_context& io)
      : context(tls_context()), server(io, context), client(io, context) {
    asio::local::connect_pair(server.lowest_layer(), client.lowest_layer());
    int done = 0;
    const auto handshake = [&](const error_code& error) { done += error ? 0 : 1; };
    server.async_handshake(asio::ssl::stream_base::server, handshake);
    client.async_handshake(asio::ssl::stream_base::client, handshake);
    io.run();
    io.restart();
    EXPECT_EQ(done, 2);
  }
  auto session(net::Shell& shell) {
    return std::make_shared<net::Session<Server>>(shell, std::move(server));
  }
  Server&& server_end() { return std::move(server); }
  asio::ssl::context context;
  Server server;
  Client client;
};

/// A WebSocket over another kind.
template <class Next>
struct WebSockets : WebSocketCodec {
  using Server = net::WebStream<typename Next::Server>;
  static constexpr auto no_frame = v1::Error::CODE_MALFORMED_MESSAGE;
  explicit WebSockets(asio::io_context& io)
      : context{io, core::Limits().client_frame_bytes}, next(io), client(next.client) {}
  auto session(net::Shell& shell) {
    const std::string upgrade = upgrade_request("tictactoe.v1.protobuf");
    auto made = std::make_shared<net::Session<Server>>(shell, next.server_end(), context, upgrade);
    made->stream().attend(shell, made);
    return made;
  }
  net::WebContext context;
  Next next;
  typename Next::Client& client;
};

template <class Kind>
class Streams : public ::testing::Test {
 protected:
  Streams() : streams_(io_) {
    session_ = streams_.session(harness_.shell());
    harness_.shell().connected(session_, {1, 1});
    session_->update();
  }
  ~Streams() override {
    harness_.destroy();
    session_.reset();
    io_.restart();
    io_.run();
  }

  /// Sends bytes, while the server reads them as far as it wants to.
  void write(const std::string& bytes) {
    const std::string& sent = sent_.emplace_back(streams_.encode(bytes));
    asio::async_write(streams_.client, asio::buffer(sent), [](const error_code&, std::size_t) {});
    do {
      io_.restart();
      io_.poll();
    } while (harness_.take_turn());
  }
  void write(v1::ClientMessage message) {
    message.set_request_id(++last_request_);
    std::string bytes;
    wire::append_frame(bytes, message.SerializeAsString());
    write(bytes);
  }
  void hello() {
    v1::ClientMessage message;
    message.mutable_hello()->add_protocol_versions(1);
    message.mutable_hello()->set_name("ann");
    write(message);
  }
  /// Whether the next message comes before the end.
  bool read(v1::ServerMessage& message) {
    for (;;) {
      std::string_view rest = received_;
      const wire::NextFrame next = wire::take_frame(rest, std::size_t{1} << 24);
      if (next.state == wire::NextFrame::State::frame) {
        EXPECT_TRUE(message.ParseFromString(std::string(next.body)));
        received_.erase(0, received_.size() - rest.size());
        return true;
      }
      std::array<char, 4096> space;
      bool has_read = false;
      std::size_t bytes = 0;
      streams_.client.async_read_some(asio::buffer(space),
                                      [&](const error_code&, std::size_t count) {
                                        has_read = true;
                                        bytes = count;
                                      });
      while (!has_read) {
        io_.restart();
        io_.run_one();
        harness_.take_turns();
      }
      if (bytes == 0) return false;
      streams_.decode({space.data(), bytes}, received_);
    }
  }

  asio::io_context io_;
  ShellHarness harness_{quiet()};
  Kind streams_;
  std::shared_ptr<net::Session<typename Kind::Server>> session_;
  std::deque<std::string> sent_;
  std::string received_;
  std::uint64_t last_request_ = 0;
};

#ifdef TICTACTOE_EPOLL
using Kinds =
    ::testing::Types<LocalSockets, TcpSockets, TlsStreams, EpollStreams, WebSockets<TcpSockets>,
                     WebSockets<TlsStreams>, WebSockets<EpollStreams>>;
#else
using Kinds = ::testing::Types<LocalSockets, TcpSockets, TlsStreams, WebSockets<TcpSockets>,
                               WebSockets<TlsStreams>>;
#endif
TYPED_TEST_SUITE(Streams, Kinds);

TYPED_TEST(Streams, carry_requests_and_answers) {
  v1::ServerMessage message;
  this->hello();
  ASSERT_TRUE(this->read(message));
  EXPECT_TRUE(message.has_welcome());
  this->write(create_request("den"));
  ASSERT_TRUE(this->read(message));
  EXPECT_EQ(message.snapshot().name(), "den");
}

TYPED_TEST(Streams, end_after_the_last_frame) {
  this->write(std::string(100, '\xff'));
  v1::ServerMessage message;
  ASSERT_TRUE(this->read(message));
  EXPECT_EQ(message.error().code(), TypeParam::no_frame);
  EXPECT_FALSE(this->read(message));
  EXPECT_TRUE(this->session_->is_closing());
}

TYPED_TEST(Streams, are_left_alone_while_their_peer_does_not_read_and_lose_nothing) {
  this->hello();
  this->write(create_request("den"));
  for (int said = 0; said < 20; ++said) this->write(chat_request(std::string(300, 'x')));
  // Ten megabytes of answers are more than any stream takes.
  constexpr std::uint64_t asked = 1500;
  const std::uint64_t first = this->last_request_ + 1;
  std::string requests;
  for (std::uint64_t id = first; id < first + asked; ++id) {
    v1::ClientMessage request = snapshot_request();
    request.set_request_id(id);
    wire::append_frame(requests, request.SerializeAsString());
  }
  this->write(requests);
  EXPECT_TRUE(this->session_->is_paused());
  v1::ServerMessage message;
  for (std::uint64_t next = first; next < first + asked;) {
    ASSERT_TRUE(this->read(message));
    if (message.request_id() < first) continue;
    ASSERT_EQ(message.request_id(), next++);
  }
}

TEST(JsonStreams, count_the_memory_of_large_messages) {
  core::Config config = quiet();
  config.limits.outbox_bytes = core::Limits().outbox_bytes;
  ShellHarness harness(config);
  asio::io_context io;
  net::WebContext context{io, core::Limits().client_frame_bytes};
  LocalSockets sockets(io);
  const std::string upgrade = upgrade_request("tictactoe.v1.json");
  auto session = std::make_shared<net::Session<net::WebStream<Local>>>(
      harness.shell(), sockets.server_end(), context, upgrade);
  session->stream().attend(harness.shell(), session);
  harness.shell().connected(session, {1, 1});
  session->update();
  const auto poll = [&] {
    for (int i = 0; i < 100; ++i) {
      io.restart();
      io.poll();
    }
  };
  poll();
  constexpr std::size_t megabyte = std::size_t{1} << 20;
  v1::ServerMessage message;
  message.mutable_error()->set_message(std::string(megabyte, 'x'));
  ASSERT_TRUE(session->push({}, message.SerializeAsString(), {}, 0));
  session->update();
  poll();
  const net::Backlogs& backlogs = harness.shell().context().backlogs;
  EXPECT_GT(backlogs.used(), megabyte / 2) << "the rest is in the buffers of the sockets";
  std::string received;
  std::array<char, 65536> space;
  sockets.client.non_blocking(true);
  while (!received.ends_with("xxx\"}}")) {
    error_code error;
    received.append(space.data(), sockets.client.read_some(asio::buffer(space), error));
    poll();
  }
  EXPECT_EQ(backlogs.used(), 0U);
  harness.destroy();
  session.reset();
  poll();
}

}  // namespace
}  // namespace tictactoe::test
