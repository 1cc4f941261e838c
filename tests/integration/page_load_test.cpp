// Many browsers behind one address load the page at once, as a class at school does.
#include <gmock/gmock.h>

#include <array>
#include <boost/asio/connect.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/requests.hpp"
#include "tests/support/socket_client.hpp"
#include "tests/support/tls_client.hpp"
#include "tests/support/websocket_bytes.hpp"

namespace tictactoe::test {
namespace {

using asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t browsers_at_once = 60;
constexpr std::size_t connections_of_browser = 6;

struct Plain {
  using Stream = tcp::socket;
  Stream stream(asio::io_context& io) { return Stream(io); }
  template <class Then>
  static void shake_hands(Stream& /*stream*/, Then then) {
    then(error_code());
  }
  static RunningServer::Prepare prepare() { return nullptr; }
};

struct Tls {
  using Stream = asio::ssl::stream<tcp::socket>;
  Stream stream(asio::io_context& io) { return {io, context}; }
  template <class Then>
  static void shake_hands(Stream& stream, Then then) {
    stream.async_handshake(asio::ssl::stream_base::client, std::move(then));
  }
  static RunningServer::Prepare prepare() { return with_tls(); }
  asio::ssl::context context{asio::ssl::context::tls_client};
};

/// All requests of one connection, one after the other.
template <class Kind>
class Wire {
 public:
  Wire(asio::io_context& io, Kind& kind) : io_(io), kind_(kind), stream_(make()) {}

  void connect(const tcp::endpoint& server, std::function<void(error_code)> then) {
    stream_ = make();
    answer_.clear();
    is_used_ = false;
    stream_->lowest_layer().async_connect(server, [this, then](error_code error) {
      if (error) return then(error);
      Kind::shake_hands(*stream_, then);
    });
  }
  /// `then` gets the answer, as far as it came.
  void ask(std::string request, std::function<void(error_code, const std::string&)> then) {
    request_ = std::move(request);
    answer_.clear();
    then_ = std::move(then);
    asio::async_write(*stream_, asio::buffer(request_),
                      [this](error_code error, std::size_t) { error ? finish(error) : read(); });
  }
  /// Whether it was closed between two requests, as far as can be seen.
  bool may_ask_again(const std::string& answer) const { return is_used_ && answer.empty(); }

 private:
  std::unique_ptr<typename Kind::Stream> make() {
    return std::make_unique<typename Kind::Stream>(kind_.stream(io_));
  }
  void read() {
    stream_->async_read_some(asio::buffer(space_), [this](error_code error, std::size_t count) {
      if (error) return finish(error);
      answer_.append(space_.data(), count);
      if (!is_whole()) return read();
      is_used_ = true;
      finish({});
    });
  }
  // The next request may follow within the handler.
  void finish(error_code error) {
    const auto then = std::exchange(then_, nullptr);
    then(error, std::exchange(answer_, {}));
  }
  bool is_whole() const {
    const std::size_t end = answer_.find("\r\n\r\n");
    if (end == std::string::npos) return false;
    if (answer_.starts_with("HTTP/1.1 101 ")) return answer_.size() > end + 4 + 2;
    const std::string_view field = "\r\nContent-Length: ";
    const std::size_t length = answer_.find(field);
    return length > end ||
           answer_.size() >= end + 4 + std::stoul(answer_.substr(length + field.size()));
  }

  asio::io_context& io_;
  Kind& kind_;
  std::unique_ptr<typename Kind::Stream> stream_;
  std::string request_;
  std::string answer_;
  std::function<void(error_code, const std::string&)> then_;
  std::array<char, 16384> space_;
  bool is_used_ = false;
};

/// Loads the page over six connections, which stay open, and then plays over a WebSocket.
template <class Kind>
class Browser {
 public:
  Browser(asio::io_context& io, Kind& kind, const tcp::endpoint& server, std::string name)
      : server_(server), name_(std::move(name)) {
    for (std::size_t i = 0; i < connections_of_browser + 1; ++i) {
      wires_.push_back(std::make_unique<Wire<Kind>>(io, kind));
    }
  }
  /// `connected` is called for each of the six.
  void connect(const std::function<void()>& connected) {
    for (std::size_t i = 0; i < connections_of_browser; ++i) {
      wires_[i]->connect(server_, [this, connected](error_code error) {
        if (error) fail("connecting: " + error.message());
        connected();
      });
    }
  }
  void load() {
    get(*wires_[0], "/", [this](const std::string& page) {
      for (const std::string_view attribute : {"href=\"/", "src=\"/"}) {
        for (std::size_t at = 0; (at = page.find(attribute, at)) != std::string::npos;) {
          at += attribute.size() - 1;
          paths_.push_back(page.substr(at, page.find('"', at) - at));
        }
      }
      left_ = paths_.size();
      for (std::size_t i = 0; i < connections_of_browser; ++i) next(*wires_[i]);
    });
  }

  bool has_entered = false;
  std::size_t files = 0;
  std::string fault;  ///< the first one

 private:
  using Then = std::function<void(const std::string& answer)>;

  void fail(const std::string& what) {
    if (fault.empty()) fault = what;
  }
  void next(Wire<Kind>& wire) {
    if (paths_.empty()) return;
    std::string path = std::move(paths_.front());
    paths_.pop_front();
    get(wire, std::move(path), [this, &wire](const std::string&) {
      if (--left_ == 0) return enter();
      next(wire);
    });
  }
  void get(Wire<Kind>& wire, std::string path, Then then) {
    std::string request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n";
    if (path != "/") request += "Accept-Encoding: gzip\r\n";
    wire.ask(request + "\r\n",
             [this, &wire, path, then](error_code error, const std::string& answer) {
               if (error && wire.may_ask_again(answer)) {
                 return wire.connect(server_, [this, &wire, path, then](error_code again) {
                   again ? fail("again: " + again.message()) : get(wire, path, then);
                 });
               }
               if (error) return fail(path + ": " + error.message());
               if (!answer.starts_with("HTTP/1.1 200 ")) return fail(path + ": " + answer);
               ++files;
               then(answer);
             });
  }
  void enter() {
    Wire<Kind>& wire = *wires_.back();
    wire.connect(server_, [this, &wire](error_code error) {
      if (error) return fail("for a WebSocket: " + error.message());
      wire.ask(upgrade_request("tictactoe.v1.protobuf") +
                   encoded({Opcode::binary, hello_request(name_).SerializeAsString()}),
               [this](error_code ended, const std::string& answer) {
                 if (ended) return fail("WebSocket: " + ended.message());
                 std::string bytes = answer.substr(answer.find("\r\n\r\n") + 4);
                 if (!answer.starts_with("HTTP/1.1 101 ")) return fail(answer);
                 has_entered = true;
               });
    });
  }

  tcp::endpoint server_;
  std::string name_;
  std::vector<std::unique_ptr<Wire<Kind>>> wires_;
  std::deque<std::string> paths_;
  std::size_t left_ = 0;
};

template <class Kind>
class PageLoad : public ::testing::Test {};
using Kinds = ::testing::Types<Plain, Tls>;
TYPED_TEST_SUITE(PageLoad, Kinds);

TYPED_TEST(PageLoad, of_sixty_browsers_at_one_address_at_once) {
  RunningServer server({}, "127.0.0.1", {}, TypeParam::prepare());
  asio::io_context io{1};
  TypeParam kind;
  std::vector<std::unique_ptr<Browser<TypeParam>>> browsers;
  std::size_t connected = 0;
  for (std::size_t i = 0; i < browsers_at_once; ++i) {
    browsers.push_back(std::make_unique<Browser<TypeParam>>(io, kind, server.endpoint(),
                                                            "guest-" + std::to_string(i)));
  }
  for (const auto& browser : browsers) {
    browser->connect([&] {
      if (++connected < browsers_at_once * connections_of_browser) return;
      for (const auto& each : browsers) each->load();
    });
  }
  io.run_for(std::chrono::seconds(60));
  for (const auto& browser : browsers) {
    EXPECT_EQ(browser->fault, "");
    EXPECT_TRUE(browser->has_entered);
    EXPECT_GT(browser->files, 50U) << "modules and style sheets";
  }
}

}  // namespace
}  // namespace tictactoe::test
