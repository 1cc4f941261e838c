// Kinds of Asio streams for tests of what lies over them.
#pragma once

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/ssl.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "server/net/epoll_stream.hpp"
#include "server/net/session.hpp"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::test {

namespace asio = boost::asio;
using Local = asio::local::stream_protocol::socket;

/// With a self-signed certificate and its key.
inline asio::ssl::context tls_context() {
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

struct EpollStreams : RawStreams {
  using Server = net::EpollStream;
  using Client = TcpSockets::Client;
  explicit EpollStreams(asio::io_context& io)
      : readiness(io), sockets(io), client(sockets.client) {}
  auto session(net::Shell& shell) {
    return std::make_shared<net::Session<Server>>(shell, sockets.server.release(), readiness,
                                                  std::uint64_t{0});
  }
  Server server_end() { return {sockets.server.release(), readiness, std::uint64_t{0}}; }
  net::Readiness readiness;
  TcpSockets sockets;
  TcpSockets::Client& client;
};

struct TlsStreams : RawStreams {
  using Server = asio::ssl::stream<Local>;
  using Client = asio::ssl::stream<Local>;
  explicit TlsStreams(asio::io_context& io)
      : context(tls_context()), server(io, context), client(io, context) {
    asio::local::connect_pair(server.lowest_layer(), client.lowest_layer());
    int done = 0;
    const auto handshake = [&](const boost::system::error_code& error) { done += error ? 0 : 1; };
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

}  // namespace tictactoe::test
