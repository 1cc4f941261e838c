// Many browsers behind one address load the page at once, as a class at school does.
#include <gmock/gmock.h>

#include <barrier>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/requests.hpp"
#include "tests/support/socket_client.hpp"
#include "tests/support/tls_client.hpp"
#include "tests/support/websocket_bytes.hpp"

namespace tictactoe::test::page_load_tests {
namespace {

using asio::ip::tcp;
using ::testing::StartsWith;

constexpr std::size_t browsers_at_once = 60;
constexpr std::size_t connections_of_browser = 6;

class Plain {
 public:
  explicit Plain(const tcp::endpoint& server) : client_(server) {}
  void write(const std::string& bytes) { client_.send_bytes(bytes); }
  std::string read() { return client_.receive_bytes(); }
  static RunningServer::Prepare prepare() { return nullptr; }

 private:
  SocketClient client_;
};

class Tls {
 public:
  explicit Tls(const tcp::endpoint& server) : client_(server) {
    EXPECT_TRUE(client_.shake_hands());
  }
  void write(const std::string& bytes) { client_.write(bytes); }
  std::string read() { return client_.read(); }
  static RunningServer::Prepare prepare() { return with_tls(); }

 private:
  TlsClient client_;
};

/// One request after the other over one connection, which the server may close between two.
template <class Kind>
class Wire {
 public:
  explicit Wire(const tcp::endpoint& server)
      : server_(server), connection_(std::make_unique<Kind>(server)) {}

  void send(std::string request) {
    request_ = std::move(request);
    connection_->write(request_);
  }
  std::string receive() {
    std::string answer = read();
    if (std::exchange(is_used_, true) && answer.empty()) {
      connection_ = std::make_unique<Kind>(server_);
      connection_->write(request_);
      answer = read();
    }
    return answer;
  }

 private:
  std::string read() {
    std::string answer;
    while (!is_whole(answer)) {
      const std::string more = connection_->read();
      if (more.empty()) break;
      answer += more;
    }
    return answer;
  }
  static bool is_whole(const std::string& answer) {
    const std::size_t end = answer.find("\r\n\r\n");
    if (end == std::string::npos) return false;
    if (answer.starts_with("HTTP/1.1 101 ")) return answer.size() > end + 4 + 2;
    constexpr std::string_view field = "\r\nContent-Length: ";
    const std::size_t length = answer.find(field);
    return length > end ||
           answer.size() >= end + 4 + std::stoul(answer.substr(length + field.size()));
  }

  tcp::endpoint server_;
  std::unique_ptr<Kind> connection_;
  std::string request_;
  bool is_used_ = false;
};

std::string get(const std::string& path, const std::string& fields = {}) {
  return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n";
}

std::vector<std::string> paths_in(const std::string& page) {
  std::vector<std::string> paths;
  for (const std::string_view attribute : {"href=\"/", "src=\"/"}) {
    for (std::size_t at = 0; (at = page.find(attribute, at)) != std::string::npos;) {
      at += attribute.size() - 1;
      paths.push_back(page.substr(at, page.find('"', at) - at));
    }
  }
  return paths;
}

/// Loads the page over six connections, which stay open, and then enters over a WebSocket.
template <class Kind>
void browse(const tcp::endpoint& server, const std::string& name, std::barrier<>& all_connected) {
  std::vector<Wire<Kind>> wires;
  for (std::size_t i = 0; i < connections_of_browser; ++i) wires.emplace_back(server);
  all_connected.arrive_and_wait();
  wires[0].send(get("/"));
  const std::vector<std::string> paths = paths_in(wires[0].receive());
  EXPECT_GE(paths.size(), 2U) << "a script and a style sheet";
  for (std::size_t first = 0; first < paths.size(); first += wires.size()) {
    const std::size_t count = std::min(wires.size(), paths.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      wires[i].send(get(paths[first + i], "Accept-Encoding: gzip\r\n"));
    }
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_THAT(wires[i].receive(), StartsWith("HTTP/1.1 200 ")) << paths[first + i];
    }
  }
  Wire<Kind> player(server);
  player.send(upgrade_request("tictactoe.v1.protobuf") +
              encoded({Opcode::binary, hello_request(name).SerializeAsString()}));
  EXPECT_THAT(player.receive(), StartsWith("HTTP/1.1 101 "));
}

template <class Kind>
class PageLoad : public ::testing::Test {};
using PageKinds = ::testing::Types<Plain, Tls>;
TYPED_TEST_SUITE(PageLoad, PageKinds);

TYPED_TEST(PageLoad, of_sixty_browsers_at_one_address_at_once) {
  RunningServer server({}, "127.0.0.1", {}, TypeParam::prepare());
  std::barrier<> all_connected(browsers_at_once);
  std::vector<std::thread> browsers;
  for (std::size_t i = 0; i < browsers_at_once; ++i) {
    browsers.emplace_back([&, name = "guest-" + std::to_string(i)] {
      browse<TypeParam>(server.endpoint(), name, all_connected);
    });
  }
  for (std::thread& browser : browsers) browser.join();
}

}  // namespace
}  // namespace tictactoe::test::page_load_tests
