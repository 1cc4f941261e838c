// A blocking client of a server with TLS.
#pragma once

#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/write.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/transport/tls/identity.hpp"
#include "tests/support/socket_client.hpp"

namespace tictactoe::test {

/// With a key that lasts as long as the server.
inline RunningServer::Prepare with_tls(bool is_required = false) {
  return [is_required](asio::io_context&, transport::Server& server) -> std::shared_ptr<void> {
    server.use_tls(*transport::temporary_tls_identity());
    if (is_required) server.require_tls();
    return nullptr;
  };
}

/// Blocks. Sends what TLS makes of its bytes, as few at a time as the test wants.
class TlsClient {
 public:
  explicit TlsClient(const asio::ip::tcp::endpoint& server, std::size_t piece = 100'000,
                     int version = 0, int receive_buffer = 0)
      : piece_(piece) {
    if (version != 0) {
      SSL_CTX_set_security_level(context_.native_handle(), 0);
      SSL_CTX_set_min_proto_version(context_.native_handle(), version);
      SSL_CTX_set_max_proto_version(context_.native_handle(), version);
    }
    tls_ = SSL_new(context_.native_handle());
    SSL_set_bio(tls_, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_connect_state(tls_);
    socket_.open(server.protocol());
    if (receive_buffer > 0) {
      socket_.set_option(asio::socket_base::receive_buffer_size(receive_buffer));
    }
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
  /// Tells the server that this end sends with new keys, or asks it to do the same.
  void update_keys(int kind = SSL_KEY_UPDATE_NOT_REQUESTED) {
    EXPECT_EQ(SSL_key_update(tls_, kind), 1);
    run([this] { return SSL_do_handshake(tls_); });
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
  v1::ServerMessage enter(const std::string& name) { return ask(hello_request(name)); }
  /// Shakes hands and says hello.
  void come_in(const std::string& name) {
    ASSERT_TRUE(shake_hands());
    EXPECT_TRUE(enter(name).has_welcome());
  }

  bool ended_well = false;

 private:
  void flush() {
    std::array<char, 4096> space{};
    for (int count = 0; (count = BIO_read(SSL_get_wbio(tls_), space.data(), space.size())) > 0;) {
      std::string_view bytes(space.data(), static_cast<std::size_t>(count));
      while (!bytes.empty()) {
        const std::string_view piece = bytes.substr(0, piece_);
        boost::system::error_code ignored;  // the peer may have closed; reading shows that
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
      boost::system::error_code error;
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

}  // namespace tictactoe::test
