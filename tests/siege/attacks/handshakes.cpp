// As many TLS handshakes as possible, from four addresses. What the server computes for each costs
// far more than the bytes that ask for it, which are always the same.
#include <memory>
#include <string>

#include "tests/siege/attack.hpp"
#include "tests/siege/client_hello.hpp"

namespace tictactoe::siege {
namespace {

constexpr std::uint32_t default_addresses = 4;

class Handshakes : public Attack {
 public:
  explicit Handshakes(const Field& field) : Attack(field, default_addresses) {}

  void go_on(Clock::time_point now) override {
    constexpr std::size_t most_at_once = 80;
    for (int due = pace_.due(now); due > 0 && under_way_ < most_at_once; --due) {
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
