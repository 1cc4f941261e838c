// 200 connections invite honest players, talk in the lobby, ask for hints and guess a password.
#include <array>

#include "tests/siege/attack.hpp"
#include "tests/support/requests.hpp"

namespace tictactoe::siege {
namespace {

class People : public Attack {
 public:
  // One address may not have so many new players at once.
  explicit People(const Field& field) : Attack(field, 4) {}

  void go_on(Clock::time_point now) override {
    for (int due = newcomers_.due(now); due > 0; --due) {
      const std::size_t tag = next_newcomer_++ % sides_.size();
      Side& side = sides_[tag];
      if (side.peer == nullptr && now >= side.again_at) side.peer = &open(tag);
    }
    for (int due = requests_.due(now); due > 0; --due) {
      const std::size_t tag = next_++ % sides_.size();
      const Side& side = sides_[tag];
      if (!side.is_ready || side.peer->unsent() > 0) continue;
      side.peer->ask(request(tag));
      attempt();
    }
  }

  void connected(Peer& peer) override {
    greet(peer);
    peer.ask(test::watch_lobby_request());
    if (does(peer.tag()) == Deed::guess) return;
    peer.ask(test::create_request(unused_name()));
    peer.ask(test::add_ai_request(v1::MARK_O));
  }

  void ended(Peer& peer) override {
    refuse();
    leave(peer);
  }

  std::string result() const override {
    return std::to_string(invitations_) + " invitations, " + std::to_string(lines_) +
           " lines and " + std::to_string(hints_) + " hints were granted";
  }

 private:
  enum class Deed : std::uint8_t { invite, talk, ask_for_hint, guess };
  struct Side {
    Peer* peer = nullptr;
    bool is_ready = false;
    Clock::time_point again_at{};
  };

  static Deed does(std::size_t tag) { return static_cast<Deed>(tag % 4); }

  v1::ClientMessage request(std::size_t tag) {
    switch (does(tag)) {
      case Deed::invite:
        return test::invite_request(friends_names[below(2)]);
      case Deed::talk:
        return test::lobby_chat_request("everybody read this");
      case Deed::ask_for_hint:
        return test::hint_request();
      case Deed::guess:
        return test::watch_request(vault_name, std::to_string(below(10'000)));
    }
    return {};
  }

  void told(Peer& peer, const v1::ServerMessage& message) override {
    Side& side = sides_[peer.tag()];
    if (message.error().closing() || (!side.is_ready && message.has_error())) return leave(peer);
    if (message.has_lobby_update()) side.is_ready = true;
    if (message.has_hinted()) ++hints_;
    if (message.has_done()) ++(does(peer.tag()) == Deed::invite ? invitations_ : lines_);
  }

  // There are only so many new players in time.
  void leave(Peer& peer) {
    peer.close();
    sides_[peer.tag()] = {.again_at = Clock::now() + std::chrono::seconds(1)};
  }

  std::array<Side, 200> sides_;
  Pace newcomers_{1'000};
  Pace requests_{2'000};
  std::size_t next_newcomer_ = 0;
  std::size_t next_ = 0;
  std::uint64_t invitations_ = 0;
  std::uint64_t lines_ = 0;
  std::uint64_t hints_ = 0;
};

}  // namespace

std::unique_ptr<Attack> make_people(const Field& field) {
  return std::make_unique<People>(field);
}

}  // namespace tictactoe::siege
