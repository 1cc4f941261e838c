// As many TLS handshakes as possible, from four addresses. What the server computes for each costs
// far more than the bytes that ask for it, which are always the same.
#include <openssl/ssl.h>

#include <array>
#include <memory>
#include <string>

#include "tests/siege/attack.hpp"

namespace tictactoe::siege {
namespace {

constexpr std::uint32_t default_addresses = 4;

/// The first bytes of a client that speaks TLS.
std::string client_hello() {
  const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(SSL_CTX_new(TLS_client_method()),
                                                                  SSL_CTX_free);
  const std::unique_ptr<SSL, decltype(&SSL_free)> tls(SSL_new(context.get()), SSL_free);
  SSL_set_bio(tls.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
  SSL_connect(tls.get());
  std::array<char, 4096> bytes{};
  const int count = BIO_read(SSL_get_wbio(tls.get()), bytes.data(), bytes.size());
  return {bytes.data(), static_cast<std::size_t>(count)};
}

class Handshakes : public Attack {
 public:
  explicit Handshakes(const Field& field) : Attack(field, default_addresses) {}

  void go_on(Clock::time_point now) override {
    constexpr std::size_t max_at_once = 80;
    for (int due = pace_.due(now); due > 0 && under_way_ < max_at_once; --due) {
      open(0);
      ++under_way_;
      attempt();
    }
  }

  void connected(Peer& peer) override {
    peer.discard();
    peer.send_bytes(hello_);
  }
  // The server's part of the handshake, or an alert.
  void discarded(Peer& peer, std::string_view /*bytes*/) override {
    ++answered_;
    --under_way_;
    peer.close();
  }
  void ended(Peer& /*peer*/) override {
    --under_way_;
    refuse();
  }

  std::string result() const override {
    return std::to_string(answered_) + " handshakes were answered";
  }

 private:
  Pace pace_{10'000};
  const std::string hello_ = client_hello();
  std::size_t under_way_ = 0;
  std::uint64_t answered_ = 0;
};

}  // namespace

std::unique_ptr<Attack> make_handshakes(const Field& field) {
  return std::make_unique<Handshakes>(field);
}

}  // namespace tictactoe::siege
