// The waits of a TLS stream.
#include "server/net/tls_stream.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tests/support/shell_harness.hpp"
#include "tests/support/stream_kinds.hpp"

namespace tictactoe::test::tls_stream_tests {
namespace {

using boost::system::error_code;

/// One over a pair of connected sockets. The client reads only when told.
class TlsStreamWaits : public ::testing::Test {
 protected:
  explicit TlsStreamWaits() {
    asio::local::connect_pair(server_, client_.lowest_layer());
    server_.non_blocking(true);
    stream_.emplace(std::move(server_), shared_, *context_.native_handle(), core::ConnectionId{}, 0,
                    std::string_view());
  }

  void poll() {
    io_.restart();
    io_.poll();
  }
  /// The server's part happens within a read, which stays pending.
  void shake_hands() {
    bool is_done = false;
    stream_->async_read_some(asio::buffer(input_), [](const error_code&, std::size_t) {});
    client_.async_handshake(asio::ssl::stream_base::client,
                            [&](const error_code& error) { is_done = !error; });
    while (!is_done) poll();
    poll();
  }
  void fill() {
    error_code error;
    const std::string bytes(10'000, 'x');
    while (!error) stream_->write_some(asio::buffer(bytes), error);
    ASSERT_EQ(error, asio::error::would_block);
  }
  void wait(char name) {
    stream_->async_wait(net::TlsStream<Local>::wait_write,
                        [this, name](const error_code& error) { ended_ += error ? '-' : name; });
  }
  /// Reads all that the server has written.
  void read() {
    std::vector<char> space(100'000);
    for (int i = 0; i < 50; ++i) {
      client_.async_read_some(asio::buffer(space), [](const error_code&, std::size_t) {});
      poll();
    }
  }

  asio::io_context io_{1};
  ShellHarness harness_;
  net::TlsContext shared_{io_, harness_.shell()};
  asio::ssl::context context_ = tls_context();
  Local server_{io_};
  asio::ssl::stream<Local> client_{io_, context_};
  std::array<char, 100> input_{};
  std::optional<net::TlsStream<Local>> stream_;
  std::string ended_;  // names of waits
};

TEST_F(TlsStreamWaits, of_a_read_and_of_the_caller_may_be_pending_at_the_same_time) {
  shake_hands();
  fill();
  wait('a');  // as a read does if TLS has to answer
  wait('b');
  poll();
  EXPECT_EQ(ended_, "");
  read();
  EXPECT_EQ(ended_, "ab");
}

TEST_F(TlsStreamWaits, end_with_the_stream) {
  shake_hands();
  fill();
  wait('a');
  wait('b');
  error_code ignored;
  stream_->close(ignored);
  poll();
  EXPECT_EQ(ended_, "--");
}

using TlsStreamDeathTest = TlsStreamWaits;

TEST_F(TlsStreamDeathTest, a_third_wait_does_not_replace_the_second) {
  shake_hands();
  fill();
  wait('a');
  wait('b');
  EXPECT_DEATH(wait('c'), "one read, and one write or wait, may be pending");
}

TEST_F(TlsStreamDeathTest, a_second_wait_for_the_handshake_does_not_replace_the_first) {
  wait('a');
  EXPECT_DEATH(wait('b'), "one write or wait may be pending");
}

}  // namespace
}  // namespace tictactoe::test::tls_stream_tests
