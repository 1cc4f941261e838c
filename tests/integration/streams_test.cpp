// The same session in every protocol, over real sockets.
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <memory>

#include "server/transport/socket_connection.hpp"
#include "server/transport/tls/identity.hpp"
#include "tests/support/shell_harness.hpp"
#include "tests/support/websocket_bytes.hpp"

namespace tictactoe::test::streams_tests {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

server::Config with_a_small_outbox() {
  server::Config config = patient();
  config.limits.outbox_bytes = 64 * 1024;
  return config;
}

/// A peer that speaks frames.
struct Frames {
  static constexpr auto no_frame = v1::Error::CODE_MALFORMED_FRAME;
  static std::string beginning() { return {}; }
  static std::string encode(const std::string& frames) { return frames; }
  static void decode(std::string_view bytes, std::string& frames) { frames.append(bytes); }
};

struct BinaryWebSocket : WebSocketCodec {
  static constexpr auto no_frame = v1::Error::CODE_MALFORMED_MESSAGE;
  static std::string beginning() { return upgrade_request("tictactoe.v1.protobuf"); }
};

template <class Form>
struct Tcp : Form {
  using Stream = asio::ip::tcp::socket;
  explicit Tcp(asio::io_context& io) : stream(io) {}
  asio::ip::tcp::socket& socket() { return stream; }
  template <class Done>
  void begin(Done done) {
    done();
  }
  Stream stream;
};

template <class Form>
struct Tls : Form {
  using Stream = asio::ssl::stream<asio::ip::tcp::socket>;
  explicit Tls(asio::io_context& io) : stream(io, context) {}
  asio::ip::tcp::socket& socket() { return stream.next_layer(); }
  template <class Done>
  void begin(Done done) {
    stream.async_handshake(asio::ssl::stream_base::client, [done](const error_code& error) {
      ASSERT_FALSE(error) << error.message();
      done();
    });
  }
  asio::ssl::context context{asio::ssl::context::tls};
  Stream stream;
};

template <class Peer>
class Streams : public ::testing::Test {
 protected:
  Streams() : peer_(io_) {
    context_.tls = std::make_unique<transport::TlsContext>(io_);
    context_.tls->context = transport::temporary_tls_identity()->context;
    context_.allows_plain_http = true;
    asio::ip::tcp::acceptor acceptor(io_, {asio::ip::address_v4::loopback(), 0});
    peer_.socket().open(asio::ip::tcp::v4());
    peer_.socket().set_option(asio::socket_base::receive_buffer_size(64 * 1024));
    peer_.socket().connect(acceptor.local_endpoint());
    asio::ip::tcp::socket socket = acceptor.accept();
    socket.non_blocking(true);
    session_ = std::make_shared<transport::SocketConnection>(context_, socket.release(), 1);
    harness_.shell().connected(session_, {1, 1});
    session_->begin();
    bool has_begun = false;
    peer_.begin([&has_begun] { has_begun = true; });
    while (!has_begun) run_one();
    if (!Peer::beginning().empty()) send(Peer::beginning());
  }
  ~Streams() override {
    harness_.destroy();
    session_.reset();
    io_.restart();
    io_.poll();
  }

  void run_one() {
    io_.restart();
    io_.run_one();
    harness_.run_slices();
  }
  // One after the other, as TLS wants it.
  void send(const std::string& bytes) {
    bool is_sent = false;
    asio::async_write(peer_.stream, asio::buffer(bytes),
                      [&is_sent](const error_code&, std::size_t) { is_sent = true; });
    while (!is_sent) run_one();
  }
  /// Sends bytes, while the server reads them as far as it wants to.
  void write(const std::string& bytes) {
    send(peer_.encode(bytes));
    do {
      io_.restart();
      io_.poll();
    } while (harness_.run_slice());
  }
  void write(v1::ClientMessage message) {
    message.set_request_id(++last_request_);
    write(frame(message));
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
      peer_.stream.async_read_some(asio::buffer(space), [&](const error_code&, std::size_t count) {
        has_read = true;
        bytes = count;
      });
      while (!has_read) run_one();
      if (bytes == 0) return false;
      peer_.decode({space.data(), bytes}, received_);
    }
  }

  asio::io_context io_;
  ShellHarness harness_{with_a_small_outbox()};
  transport::SocketContext context_{io_, harness_.shell()};
  Peer peer_;
  std::shared_ptr<transport::SocketConnection> session_;
  std::string received_;
  std::uint64_t last_request_ = 0;
};

using Peers =
    ::testing::Types<Tcp<Frames>, Tls<Frames>, Tcp<BinaryWebSocket>, Tls<BinaryWebSocket>>;
TYPED_TEST_SUITE(Streams, Peers);

TYPED_TEST(Streams, carry_requests_and_answers) {
  v1::ServerMessage message;
  this->write(hello_request("ann"));
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
  this->write(hello_request("ann"));
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
  while (!this->session_->is_paused()) this->run_one();
  v1::ServerMessage message;
  for (std::uint64_t next = first; next < first + asked;) {
    ASSERT_TRUE(this->read(message));
    if (message.request_id() < first) continue;
    ASSERT_EQ(message.request_id(), next++);
  }
}

}  // namespace
}  // namespace tictactoe::test::streams_tests
