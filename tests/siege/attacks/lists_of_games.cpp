// 50 connections that send five ListGames at once, again and again.
#include <array>

#include "tests/siege/attack.hpp"

namespace tictactoe::siege {
namespace {

class ListsOfGames : public Attack {
 public:
  explicit ListsOfGames(const Field& field) : Attack(field) {}

  void go_on(Clock::time_point now) override {
    for (std::size_t tag = 0; tag < sides_.size(); ++tag) {
      Side& side = sides_[tag];
      if (side.peer == nullptr && now >= side.again_at) {
        side.peer = &open(tag);
      } else if (side.welcome && side.unanswered == 0 && now >= side.again_at) {
        ask(side);
      }
    }
  }

  void ended(Peer& peer) override {
    refuse();
    sides_[peer.tag()] = {.again_at = Clock::now() + std::chrono::milliseconds(20)};
  }

  std::string result() const override { return std::to_string(lists_) + " lists were sent"; }

 private:
  struct Side {
    Peer* peer = nullptr;
    bool welcome = false;
    int unanswered = 0;
    Clock::time_point again_at;
  };

  void ask(Side& side) {
    for (; side.unanswered < 5; ++side.unanswered) {
      v1::ClientMessage message;
      message.mutable_list_games();
      side.peer->ask(message);
    }
    attempt();
  }

  void told(Peer& peer, const v1::ServerMessage& message) override {
    Side& side = sides_[peer.tag()];
    if (message.has_welcome()) {
      side.welcome = true;
      return;
    }
    if (!side.welcome || message.error().closing()) {
      peer.close();
      return ended(peer);
    }
    if (message.has_game_list()) ++lists_;
    --side.unanswered;
    const std::chrono::milliseconds wait(message.error().retry_after_ms());
    side.again_at = std::max(side.again_at, Clock::now() + wait);
  }

  std::array<Side, 50> sides_;
  std::uint64_t lists_ = 0;
};

}  // namespace

std::unique_ptr<Attack> make_lists_of_games(const Field& field) {
  return std::make_unique<ListsOfGames>(field);
}

}  // namespace tictactoe::siege
