// The same session over every kind of Asio stream.
#include <boost/asio/io_context.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <deque>
#include <memory>

#include "server/net/session.hpp"
#include "server/net/web_stream.hpp"
#include "tests/support/shell_harness.hpp"
#include "tests/support/stream_kinds.hpp"
#include "tests/support/websocket_bytes.hpp"

namespace tictactoe::test::streams_tests {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

core::Config with_a_small_outbox() {
  core::Config config = patient();
  config.limits.outbox_bytes = 64 * 1024;
  return config;
}

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
  ShellHarness harness_{with_a_small_outbox()};
  Kind streams_;
  std::shared_ptr<net::Session<typename Kind::Server>> session_;
  std::deque<std::string> sent_;
  std::string received_;
  std::uint64_t last_request_ = 0;
};

using Kinds =
    ::testing::Types<LocalSockets, TcpSockets, TlsStreams, EpollStreams, WebSockets<TcpSockets>,
                     WebSockets<TlsStreams>, WebSockets<EpollStreams>>;
TYPED_TEST_SUITE(Streams, Kinds);

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
  EXPECT_TRUE(this->session_->is_paused());
  v1::ServerMessage message;
  for (std::uint64_t next = first; next < first + asked;) {
    ASSERT_TRUE(this->read(message));
    if (message.request_id() < first) continue;
    ASSERT_EQ(message.request_id(), next++);
  }
}

}  // namespace
}  // namespace tictactoe::test::streams_tests
