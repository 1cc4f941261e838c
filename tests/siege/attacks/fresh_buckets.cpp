// Spends all tokens, reconnects, and hopes for a full bucket: half of the connections as the same
// player, the others as a new one each time.
#include <array>

#include "tests/siege/attack.hpp"
#include "tests/support/requests.hpp"

namespace tictactoe::siege {
namespace {

// The defaults of core::Limits, and what a list of rooms costs.
constexpr double rate = 100;
constexpr double burst = 200;
constexpr double list_cost = 4;
constexpr int lists_at_once = 49;

class FreshBuckets : public Attack {
 public:
  explicit FreshBuckets(const Field& field) : Attack(field) {}

  void go_on(Clock::time_point now) override {
    if (began_ == Clock::time_point{}) began_ = now;
    now_ = now;
    for (std::size_t tag = 0; tag < sides_.size(); ++tag) {
      if (sides_[tag].busy || now < sides_[tag].again_at) continue;
      sides_[tag].busy = true;
      open(tag);
    }
  }

  void connected(Peer& peer) override {
    Side& side = sides_[peer.tag()];
    v1::ClientMessage hello = test::hello_request(unused_name());
    hello.mutable_hello()->set_token(side.token);
    peer.ask(hello);
    for (int i = 0; i < lists_at_once; ++i) side.last = peer.ask(test::list_request());
    attempt();
  }

  void ended(Peer& peer) override {
    refuse();
    come_again(peer, std::chrono::milliseconds(5));
  }

  std::string result() const override {
    return std::to_string(static_cast<std::uint64_t>(granted_)) +
           " tokens were granted to one player, " +
           std::to_string(static_cast<std::uint64_t>(granted_to_new_)) + " to others";
  }
  std::string gained() const override {
    const double seconds = std::chrono::duration<double>(now_ - began_).count();
    const double fair = (burst + rate * seconds) * 1.1;
    if (granted_ <= fair) return {};
    return "One player was granted " + std::to_string(static_cast<int>(granted_)) + " tokens in " +
           std::to_string(static_cast<int>(seconds)) + " s, and has " +
           std::to_string(static_cast<int>(fair)) + ".";
  }

 private:
  struct Side {
    bool busy = false;
    std::string token;
    std::uint64_t last = 0;  // the id of the last request
    Clock::time_point again_at;
  };

  // The first comes back as the same player.
  static bool comes_back(const Peer& peer) { return peer.tag() == 0; }

  void told(Peer& peer, const v1::ServerMessage& message) override {
    if (message.has_welcome()) {
      if (comes_back(peer) && !message.welcome().token().empty()) {
        sides_[peer.tag()].token = message.welcome().token();
      }
    } else if (message.has_room_list()) {
      (comes_back(peer) ? granted_ : granted_to_new_) += list_cost;
    }
    if (message.request_id() == sides_[peer.tag()].last) {
      come_again(peer, std::chrono::milliseconds(0));
    } else if (message.error().closing()) {
      come_again(peer, std::chrono::milliseconds(5));
    }
  }

  void come_again(Peer& peer, std::chrono::milliseconds wait) {
    sides_[peer.tag()].busy = false;
    sides_[peer.tag()].again_at = now_ + wait;
    peer.close();
  }

  std::array<Side, 16> sides_;
  Clock::time_point began_;
  Clock::time_point now_;
  double granted_ = 0;
  double granted_to_new_ = 0;
};

}  // namespace

std::unique_ptr<Attack> make_fresh_buckets(const Field& field) {
  return std::make_unique<FreshBuckets>(field);
}

}  // namespace tictactoe::siege
