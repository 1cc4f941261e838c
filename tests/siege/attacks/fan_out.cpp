// A room with 1,000 watchers, 200 of whom chat without a pause.
#include <algorithm>

#include "tests/siege/attack.hpp"
#include "tests/support/requests.hpp"

namespace tictactoe::siege {
namespace {

class FanOut : public Attack {
 public:
  // One address may not have so many connections.
  explicit FanOut(const Field& field) : Attack(field, 6), peers_(people), name_(unused_name()) {}

  void go_on(Clock::time_point now) override {
    for (int due = newcomers_.due(now); due > 0; --due) {
      // The creator comes first.
      if (entered_ == 0 && next_ > 0) break;
      const auto absent = std::ranges::find(peers_, nullptr);
      if (absent == peers_.end()) break;
      const auto tag = static_cast<std::size_t>(absent - peers_.begin());
      // One network may not have so many places in a room.
      *absent = tag % 3 == 2 ? &open_from(others_from + next_ % 6, tag) : &open(tag);
      ++next_;
    }
    for (int due = lines_.due(now); due > 0; --due) {
      Peer* const peer = peers_[speaker_++ % chatters];
      if (peer == nullptr || peer->unsent() > 0) continue;
      peer->ask(test::chat_request("all of you read this"));
      attempt();
    }
  }

  void connected(Peer& peer) override {
    greet(peer);
    if (peer.tag() == 0) {
      peer.ask(test::create_request(name_));
    } else {
      peer.ask(test::watch_request(name_));
    }
  }

  void ended(Peer& peer) override {
    peers_[peer.tag()] = nullptr;
    if (next_ == 1) next_ = 0;  // the creator was refused: it tries again
    refuse();
  }

  std::string result() const override {
    return std::to_string(entered_) + " entered, and were sent " +
           std::to_string(crowd().received_bytes() >> 20) + " MiB";
  }

 private:
  static constexpr std::size_t people = 1'000;
  static constexpr std::size_t chatters = 200;

  void told(Peer& peer, const v1::ServerMessage& message) override {
    if (message.has_snapshot()) {
      ++entered_;
      peer.discard();
    } else if (message.has_error()) {
      peer.close();
      ended(peer);
    }
  }

  std::vector<Peer*> peers_;
  std::string name_;
  Pace newcomers_{1'500};
  Pace lines_{10'000};
  std::uint32_t next_ = 0;  // who have come
  std::size_t entered_ = 0;
  std::size_t speaker_ = 0;
};

}  // namespace

std::unique_ptr<Attack> make_fan_out(const Field& field) {
  return std::make_unique<FanOut>(field);
}

}  // namespace tictactoe::siege
