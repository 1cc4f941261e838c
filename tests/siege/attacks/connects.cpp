// 5,000 connections a second, of which only some may stay. None of them reads its refusal or
// closes, so that each costs the server a descriptor for as long as it allows.
#include <deque>

#include "tests/siege/attack.hpp"

namespace tictactoe::siege {
namespace {

class Connects : public Attack {
 public:
  explicit Connects(const Field& field) : Attack(field) {}

  void go_on(Clock::time_point now) override {
    for (int due = pace_.due(now); due > 0; --due) {
      // This machine has a limit too.
      constexpr std::size_t peak_held = 15'000;
      if (held_.size() >= peak_held) {
        held_.front()->close();
        held_.pop_front();
      }
      held_.push_back(&open(0));
      attempt();
    }
  }

  void connected(Peer& peer) override { peer.stop_reading(); }

  void ended(Peer& peer) override {
    std::erase(held_, &peer);
    refuse();
  }

  std::string result() const override {
    return std::to_string(held_.size()) + " connections are still held";
  }

 private:
  Pace pace_{5'000};
  std::deque<Peer*> held_;  // the oldest first
};

}  // namespace

std::unique_ptr<Attack> make_connects(const Field& field) {
  return std::make_unique<Connects>(field);
}

}  // namespace tictactoe::siege
