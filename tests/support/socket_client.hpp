// A blocking client on a real socket, and a server in a thread to talk to.
#pragma once

#include <gtest/gtest.h>
#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "common/wire/frame.hpp"
#include "server/transport/server.hpp"
#include "server/transport/shell/slice_watch.hpp"
#include "tests/support/requests.hpp"
#include "tests/support/scale.hpp"
#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::test {

namespace asio = boost::asio;

/// The longest time that a slice may keep a server's loop from all others, in CPU time. Nothing
/// is watched under sanitizers; code without optimization gets more.
inline constexpr std::chrono::milliseconds max_slice = support::sanitized ? std::chrono::hours(1)
                                                       : support::optimised
                                                           ? transport::SliceWatch::usual_limit
                                                           : 8 * transport::SliceWatch::usual_limit;

/// Allowances for a cold cache or a busy host: how many slices may exceed max_slice, and by what
/// factor.
struct Allowance {
  int slices;
  int factor;
};
inline constexpr Allowance for_events{.slices = 5, .factor = 2};
/// Handlers that are no events of the shell: handshakes, above all. With OpenSSL 3.5 and beside
/// other builds the first one took 21 ms, and six of sixty took more than 5 ms.
inline constexpr Allowance for_handshakes{.slices = 20, .factor = 6};

/// A server on a free loopback port, in its own thread until it is destroyed. It has no journal
/// unless `prepare` returns one, which lives until the thread has ended. The test fails if turns
/// of the loop take too long.
class RunningServer {
 public:
  using Prepare = std::function<std::shared_ptr<void>(asio::io_context&, transport::Server&)>;

  explicit RunningServer(server::Config config = {}, const std::string& address = "127.0.0.1",
                         transport::Thinking thinking = {}, const Prepare& prepare = nullptr)
      : server_(io_, std::move(config), 1, thinking) {
    spdlog::set_level(spdlog::level::off);
    server_.shell().observe_with(watch_);
    if (prepare) journal_ = prepare(io_, server_);
    const auto bound = server_.listen(address, 0);
    if (!bound) throw std::runtime_error(bound.error().sentence);
    endpoint_ = *bound;
    thread_ = std::thread([this] { watch_.run(io_); });
  }
  ~RunningServer() {
    stop();
    if (thread_.joinable()) thread_.join();
  }
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;

  void stop() {
    asio::post(io_, [this] {
      if (!std::exchange(stopped_, true)) server_.shell().stop();
    });
  }
  /// Stops the server and waits for the thread.
  void join() {
    stop();
    thread_.join();
  }
  asio::ip::tcp::endpoint endpoint() const { return endpoint_; }

 private:
  void judge(const char* event, std::chrono::microseconds took) {
    const bool is_event = std::string_view(event) != "other";
    const Allowance& allowed = is_event ? for_events : for_handshakes;
    int& count = is_event ? long_events_ : long_handshakes_;
    if (++count <= allowed.slices && took <= allowed.factor * max_slice) return;
    ADD_FAILURE() << "a slice of the loop (" << event << ") took " << took.count() << " us; it is "
                  << "long slice " << count;
  }

  asio::io_context io_{1};
  int long_events_ = 0;
  int long_handshakes_ = 0;
  transport::SliceWatch watch_{
      max_slice, [this](const char* event, std::chrono::microseconds took) { judge(event, took); }};
  transport::Server server_;
  std::shared_ptr<void> journal_;
  asio::ip::tcp::endpoint endpoint_;
  bool stopped_ = false;
  std::thread thread_;
};

class SocketClient {
 public:
  /// Connects, without a hello. A small `receive_buffer` (bytes) is soon full.
  explicit SocketClient(const asio::ip::tcp::endpoint& server, int receive_buffer = 0)
      : socket_(io_), reader_(64u << 20) {
    socket_.open(server.protocol());
    if (receive_buffer > 0) {
      socket_.set_option(asio::socket_base::receive_buffer_size(receive_buffer));
    }
    // A test must fail, not hang, if a message never comes.
    const timeval max_wait{60, 0};
    setsockopt(socket_.native_handle(), SOL_SOCKET, SO_RCVTIMEO, &max_wait, sizeof(max_wait));
    socket_.connect(server);
    socket_.set_option(asio::ip::tcp::no_delay(true));
  }
  /// Connects and sends a hello.
  SocketClient(const asio::ip::tcp::endpoint& server, const std::string& name)
      : SocketClient(server) {
    enter(name);
  }

  /// Sends a hello as a new player. Returns the token.
  std::string enter(const std::string& name) {
    const v1::ServerMessage answer = ask(hello_request(name));
    EXPECT_TRUE(answer.has_welcome()) << answer.ShortDebugString();
    return answer.welcome().token();
  }
  /// Sends a hello as a known player. Returns the welcome.
  v1::Welcome come_back(const std::string& token) {
    v1::ClientMessage message = hello_request("somebody");
    message.mutable_hello()->set_token(token);
    return ask(message).welcome();
  }

  void send_bytes(std::string_view bytes) {
    boost::system::error_code ignored;  // the peer may have closed; reading shows that
    asio::write(socket_, asio::buffer(bytes.data(), bytes.size()), ignored);
  }

  std::uint64_t send(v1::ClientMessage message) {
    message.set_request_id(++last_request_);
    std::string frame;
    wire::append_frame(frame, message.SerializeAsString());
    send_bytes(frame);
    return last_request_;
  }

  /// The next message, or nothing if the server has closed the connection.
  std::optional<v1::ServerMessage> receive() {
    for (;;) {
      const wire::NextFrame next = reader_.next();
      if (next.state == wire::NextFrame::State::frame) {
        v1::ServerMessage message;
        EXPECT_TRUE(message.ParseFromArray(next.body.data(), static_cast<int>(next.body.size())));
        return message;
      }
      EXPECT_EQ(next.state, wire::NextFrame::State::need_more);
      const auto space = reader_.prepare();
      // By hand: Asio would go on waiting after SO_RCVTIMEO.
      const ssize_t bytes = ::recv(socket_.native_handle(), space.data(), space.size(), 0);
      EXPECT_FALSE(bytes < 0 && errno == EAGAIN) << "nothing came for a minute";
      if (bytes <= 0) return std::nullopt;
      reader_.commit(static_cast<std::size_t>(bytes));
    }
  }

  /// What comes next, which need not be frames; empty at the end.
  std::string receive_bytes() {
    std::string bytes(4096, '\0');
    const ssize_t count = ::recv(socket_.native_handle(), bytes.data(), bytes.size(), 0);
    EXPECT_FALSE(count < 0 && errno == EAGAIN) << "nothing came for a minute";
    bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return bytes;
  }

  /// Sends a request and returns the answer. Keeps earlier messages in `news`.
  v1::ServerMessage ask(const v1::ClientMessage& message) {
    const std::uint64_t id = send(message);
    for (;;) {
      auto received = receive();
      if (!received) {
        ADD_FAILURE() << "closed instead of an answer to " << message.ShortDebugString();
        return {};
      }
      if (received->request_id() == id) return *received;
      news.push_back(*std::move(received));
    }
  }

  /// The next update, from `news` or from the socket.
  v1::RoomUpdate next_update() {
    for (;;) {
      v1::ServerMessage message;
      if (!news.empty()) {
        message = std::move(news.front());
        news.pop_front();
      } else if (auto received = receive()) {
        message = *std::move(received);
      } else {
        ADD_FAILURE() << "closed instead of an update";
        return {};
      }
      if (message.has_update()) return message.update();
    }
  }

  void close() { socket_.close(); }
  /// Closes without a goodbye.
  void reset() {
    socket_.set_option(asio::socket_base::linger(true, 0));
    socket_.close();
  }
  /// Shuts down sending; can still read.
  void shut_sending_side() { socket_.shutdown(asio::ip::tcp::socket::shutdown_send); }

  std::deque<v1::ServerMessage> news;

 private:
  asio::io_context io_{1};
  asio::ip::tcp::socket socket_;
  wire::FrameReader reader_;
  std::uint64_t last_request_ = 0;
};

}  // namespace tictactoe::test
