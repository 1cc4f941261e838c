// Tries all four digits as the password of an honest player's room, over 9 connections that come
// again when they have no tokens left.
#include <array>
#include <cstdio>
#include <deque>
#include <map>
#include <numeric>

#include "tests/siege/attack.hpp"
#include "tests/support/requests.hpp"

namespace tictactoe::siege {
namespace {

constexpr int all_guesses = 10'000;
// More guesses than these at one address within some seconds are no growing wait.
constexpr std::uint64_t max_tested = 40;

class PasswordGuesses : public Attack {
 public:
  explicit PasswordGuesses(const Field& field) : Attack(field), untried_(all_guesses) {
    std::iota(untried_.begin(), untried_.end(), 0);
  }

  void go_on(Clock::time_point now) override {
    for (std::size_t tag = 0; tag < sides_.size(); ++tag) {
      Side& side = sides_[tag];
      if (side.peer != nullptr || now < side.again_at) continue;
      side.peer = &open(tag);
    }
  }

  void connected(Peer& peer) override {
    greet(peer);
    // A guess costs 2 tokens.
    for (int i = 0; i < 99 && !untried_.empty(); ++i) {
      const int guess = untried_.front();
      untried_.pop_front();
      std::array<char, 8> text{};
      std::snprintf(text.data(), text.size(), "%04d", guess);
      const auto id = peer.ask(test::watch_request(vault_name, text.data()));
      sides_[peer.tag()].guesses[id] = guess;
      attempt();
    }
  }

  void ended(Peer& peer) override {
    refuse();
    come_again(peer, std::chrono::milliseconds(5));
  }

  std::string result() const override {
    return std::to_string(tested_) + " passwords were judged" + (found_ ? ", one was right" : "");
  }
  std::string gained() const override {
    if (found_) return "The password was found after " + std::to_string(tested_) + " guesses.";
    if (tested_ <= max_tested) return {};
    return std::to_string(tested_) + " guesses from one address were judged; at most " +
           std::to_string(max_tested) + " may be.";
  }

 private:
  struct Side {
    Peer* peer = nullptr;
    std::map<std::uint64_t, int> guesses;  // without an answer, by request
    Clock::time_point again_at;
  };

  void told(Peer& peer, const v1::ServerMessage& message) override {
    Side& side = sides_[peer.tag()];
    const auto guess = side.guesses.find(message.request_id());
    if (guess == side.guesses.end()) {
      if (message.has_error()) {
        come_again(peer, std::chrono::milliseconds(5));  // the hello was refused
      }
      return;
    }
    // A room that can't be seen is not there for those who do not know its password.
    const auto code = message.error().code();
    const bool judged = message.has_snapshot() || code == v1::Error::CODE_WRONG_PASSWORD;
    if (judged) {
      ++tested_;
      found_ = found_ || message.has_snapshot();
    } else {
      untried_.push_back(guess->second);
    }
    side.guesses.erase(guess);
    if (side.guesses.empty()) come_again(peer, std::chrono::milliseconds(0));
  }

  void come_again(Peer& peer, std::chrono::milliseconds wait) {
    Side& side = sides_[peer.tag()];
    for (const auto& [id, guess] : side.guesses) untried_.push_back(guess);
    side.guesses.clear();
    side.peer = nullptr;
    side.again_at = Clock::now() + wait;
    peer.close();
  }

  std::array<Side, 9> sides_;
  std::deque<int> untried_;
  std::uint64_t tested_ = 0;
  bool found_ = false;
};

}  // namespace

std::unique_ptr<Attack> make_password_guesses(const Field& field) {
  return std::make_unique<PasswordGuesses>(field);
}

}  // namespace tictactoe::siege
