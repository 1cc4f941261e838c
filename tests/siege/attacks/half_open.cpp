// 300 TLS handshakes that are begun and not finished. Some stop after the first bytes, some send
// them one by one, and some stop when the server has computed its part.
#include <vector>

#include "tests/siege/attack.hpp"
#include "tests/siege/client_hello.hpp"

namespace tictactoe::siege {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Limits::hello_timeout, and what a busy machine may add.
constexpr seconds hello_time{10};
constexpr seconds patience{3};

class HalfOpen : public Attack {
 public:
  // One address may not have so many connections without a hello.
  explicit HalfOpen(const Field& field) : Attack(field, 4), sides_(most_open) {}

  void go_on(Clock::time_point now) override {
    for (int due = newcomers_.due(now); due > 0; --due) {
      const std::size_t tag = next_++ % sides_.size();
      Side& side = sides_[tag];
      if (side.peer != nullptr || now < side.again_at) continue;
      side = {.peer = &open(tag), .since = now};
      attempt();
    }
    for (std::size_t tag = 0; tag < sides_.size(); ++tag) {
      Side& side = sides_[tag];
      if (side.peer == nullptr) continue;
      if (now - side.since > hello_time + patience) stayed_too_long_ = true;
      if (manner(tag) == Manner::dribbles && side.is_connected && now >= side.next_byte_at) {
        side.peer->send_bytes(hello_.substr(side.sent++ % hello_.size(), 1));
        side.next_byte_at = now + milliseconds(300);
      }
    }
  }

  void connected(Peer& peer) override {
    peer.discard();
    Side& side = sides_[peer.tag()];
    side.is_connected = true;
    if (manner(peer.tag()) == Manner::begins) peer.send_bytes(hello_.substr(0, 20));
    if (manner(peer.tag()) == Manner::stops) peer.send_bytes(hello_);
  }

  void ended(Peer& peer) override {
    const auto now = Clock::now();
    Side& side = sides_[peer.tag()];
    if (now - side.since > hello_time - seconds(1)) {
      ++timed_out_;
    } else {
      ++refused_at_once_;
    }
    refuse();
    // Those who were refused do not come back at once.
    side = {.again_at = now + seconds(1)};
  }

  std::string result() const override {
    return std::to_string(timed_out_) + " handshakes were ended after the time for a hello, " +
           std::to_string(refused_at_once_) + " earlier";
  }
  std::string gained() const override {
    if (!stayed_too_long_) return {};
    return "A handshake that did not go on was not ended after the time for a hello.";
  }

 private:
  static constexpr std::size_t most_open = 300;

  enum class Manner : std::uint8_t { begins, dribbles, stops };
  static Manner manner(std::size_t tag) { return static_cast<Manner>(tag % 3); }

  struct Side {
    Peer* peer = nullptr;
    bool is_connected = false;
    Clock::time_point since{};
    Clock::time_point next_byte_at{};
    std::size_t sent = 0;
    Clock::time_point again_at{};
  };

  const std::string hello_ = client_hello();
  std::vector<Side> sides_;
  Pace newcomers_{1'000};
  std::size_t next_ = 0;
  std::uint64_t timed_out_ = 0;
  std::uint64_t refused_at_once_ = 0;
  bool stayed_too_long_ = false;
};

}  // namespace

std::unique_ptr<Attack> make_half_open(const Field& field) {
  return std::make_unique<HalfOpen>(field);
}

}  // namespace tictactoe::siege
