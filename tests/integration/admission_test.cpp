// How connections get in: through proxies, over the limits, and without a file descriptor to spare.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <boost/asio/read.hpp>
#include <chrono>
#include <deque>
#include <optional>

#include "tests/support/configs.hpp"
#include "tests/support/requests.hpp"
#include "tests/support/scale.hpp"
#include "tests/support/socket_client.hpp"
#include "tests/support/tls_client.hpp"

namespace tictactoe::test::admission_tests {
namespace {

using v1::Error;

v1::ClientMessage ping_request() {
  v1::ClientMessage message;
  message.mutable_ping();
  return message;
}

/// A PROXY header for a client at 192.0.2.`last`.
std::string proxy_header(char last) {
  return std::string("\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0C", 16) + std::string("\xC0\0\x02", 3) +
         last + std::string("\x7F\0\0\x01\x12\x34\x1D\xE6", 8);
}

const std::string local_header("\r\n\r\n\0\r\nQUIT\n\x20\0\0\0", 16);

RunningServer::Prepare trusting(const std::string& proxies) {
  return [proxies](asio::io_context&, net::Server& server) -> std::shared_ptr<void> {
    net::Networks networks;
    EXPECT_TRUE(networks.add(proxies));
    server.trust_proxies(std::move(networks));
    return nullptr;
  };
}

TEST(TrustedProxy, says_where_its_connections_come_from) {
  core::Config limited = without_rate();
  limited.limits.connections_per_address = 1;
  RunningServer server(limited, "127.0.0.1", {}, trusting("127.0.0.0/8"));
  const auto enter = [&](SocketClient& client, const std::string& header) {
    // In two pieces, and with the first frame right behind it.
    std::string frame;
    wire::append_frame(frame, hello_request("ann").SerializeAsString());
    client.send_bytes(header.substr(0, 13));
    client.send_bytes(header.substr(13) + frame);
    return client.receive();
  };
  SocketClient first(server.endpoint());
  SocketClient second(server.endpoint());
  SocketClient same(server.endpoint());
  SocketClient local(server.endpoint());
  EXPECT_TRUE(enter(first, proxy_header(1))->has_welcome());
  EXPECT_TRUE(enter(second, proxy_header(2))->has_welcome());
  EXPECT_EQ(enter(same, proxy_header(1))->error().code(), Error::CODE_TOO_MANY_CONNECTIONS);
  EXPECT_TRUE(enter(local, local_header)->has_welcome()) << "its own address";
}

TEST(TrustedProxy, may_pass_on_clear_text_of_others) {
  const auto prepare = [](asio::io_context& io, net::Server& server) {
    with_tls()(io, server);
    return trusting("127.0.0.2")(io, server);
  };
  RunningServer server(without_rate(), "127.0.0.1", {}, prepare);
  const auto answer = [&](const std::string& from, const std::string& header) {
    asio::io_context io;
    asio::ip::tcp::socket socket(io, asio::ip::tcp::endpoint(asio::ip::make_address(from), 0));
    socket.connect(server.endpoint());
    asio::write(socket, asio::buffer(header + "GET / HTTP/1.1\r\nHost: localhost\r\n"
                                              "Connection: close\r\n\r\n"));
    std::string bytes;
    boost::system::error_code ended;
    asio::read(socket, asio::dynamic_buffer(bytes), ended);
    return bytes.substr(0, bytes.find("\r\n"));
  };
  EXPECT_EQ(answer("127.0.0.2", proxy_header(1)), "HTTP/1.1 200 OK")
      << "the way to the proxy is its own affair";
  EXPECT_EQ(answer("127.0.0.2", local_header), "HTTP/1.1 200 OK");
  EXPECT_EQ(answer("127.0.0.1", ""), "HTTP/1.1 200 OK") << "of this machine";
}

TEST(TrustedProxy, is_closed_without_a_header) {
  RunningServer server(without_rate(), "127.0.0.1", {}, trusting("127.0.0.1"));
  SocketClient client(server.endpoint());
  client.send_bytes("\x08 a frame that does not begin with a header");
  EXPECT_FALSE(client.receive());
}

TEST(TrustedProxy, is_closed_if_its_header_does_not_come) {
  core::Config hasty = without_rate();
  hasty.limits.hello_timeout = std::chrono::milliseconds(50);
  hasty.limits.pending_connections = 1;
  RunningServer server(hasty, "127.0.0.1", {}, trusting("127.0.0.1"));
  SocketClient client(server.endpoint());
  client.send_bytes(proxy_header(1).substr(0, 10));
  EXPECT_FALSE(client.receive());
}

TEST(TrustedProxy, is_nobody_else) {
  RunningServer server(without_rate(), "127.0.0.1", {}, trusting("192.0.2.0/24"));
  SocketClient plain(server.endpoint(), "ann");
  SocketClient liar(server.endpoint());
  liar.send_bytes(proxy_header(1));
  EXPECT_TRUE(liar.receive()->error().closing()) << "its header is no hello";
}

TEST(Refused, connections_do_not_keep_others_out_or_linger_without_limit) {
  core::Config full = without_rate();
  full.limits.connections = 2;
  full.limits.lingering_connections = 3;
  RunningServer server(full);
  SocketClient ann(server.endpoint(), "ann");
  {
    SocketClient ben(server.endpoint(), "ben");
    std::deque<SocketClient> refused;
    for (int i = 0; i < 100; ++i) {
      SocketClient& client = refused.emplace_back(server.endpoint());
      client.send(ping_request());
      const auto answer = client.receive();
      ASSERT_TRUE(answer) << "closed without a reason";
      ASSERT_EQ(answer->error().code(), Error::CODE_SERVER_FULL);
      ASSERT_TRUE(ann.ask(ping_request()).has_pong());
    }
    // They have read the reason and stay: the server has closed all but the last of them.
    for (int i = 0; i < 97; ++i) EXPECT_FALSE(refused[static_cast<std::size_t>(i)].receive());
    ben.close();
    ASSERT_TRUE(ann.ask(ping_request()).has_pong());
  }
  // As soon as the server has seen that Ben is gone, there is space.
  for (;;) {
    SocketClient next(server.endpoint());
    if (next.ask(hello_request("carl")).has_welcome()) break;
  }
}

/// A socket that connects when the test says so.
class LateSocket {
 public:
  explicit LateSocket(const asio::ip::tcp::endpoint& server) : socket_(io_), server_(server) {
    socket_.open(server.protocol());
  }
  void connect() { socket_.connect(server_); }
  bool is_closed_by_peer() {
    char byte = 0;
    return ::recv(socket_.native_handle(), &byte, 1, 0) <= 0;
  }

 private:
  asio::io_context io_{1};
  asio::ip::tcp::socket socket_;
  asio::ip::tcp::endpoint server_;
};

/// Lets this process open no more files than it has now and `more`.
class FewDescriptors {
 public:
  explicit FewDescriptors(rlim_t more) {
    getrlimit(RLIMIT_NOFILE, &before_);
    const int next = ::dup(0);  // the lowest free number
    ::close(next);
    const rlimit limit{static_cast<rlim_t>(next) + more, before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  ~FewDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;

 private:
  rlimit before_{};
};

// The clients are in the same process: they get their descriptors before.
TEST(Descriptors, that_run_out_turn_clients_away_and_keep_nobody_waiting) {
  if (support::needs_descriptors) GTEST_SKIP() << "UBSan needs descriptors to check objects";
  RunningServer server(without_rate());
  SocketClient ann(server.endpoint(), "ann");
  std::deque<LateSocket> others;
  for (int i = 0; i < 50; ++i) others.emplace_back(server.endpoint());
  {
    const FewDescriptors few(1);
    others[0].connect();
    ASSERT_TRUE(ann.ask(ping_request()).has_pong());
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t i = 1; i < others.size(); ++i) {
      others[i].connect();
      EXPECT_TRUE(others[i].is_closed_by_peer());
      ASSERT_TRUE(ann.ask(ping_request()).has_pong());
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(40))
        << "a pause of a second for each of them";
  }
  SocketClient late(server.endpoint(), "late");
  EXPECT_TRUE(late.ask(ping_request()).has_pong());
}

}  // namespace
}  // namespace tictactoe::test::admission_tests
