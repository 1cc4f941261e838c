// Makes as many new players as possible, so that the server forgets those who are absent.
#include "tests/siege/attack.hpp"

namespace tictactoe::siege {
namespace {

// A party behind one address needs fewer within some seconds.
constexpr std::uint64_t most_players = 1'000;

class Hellos : public Attack {
 public:
  explicit Hellos(const Field& field) : Attack(field) {}

  void go_on(Clock::time_point now) override {
    constexpr std::size_t most_at_once = 200;
    for (int due = pace_.due(now); due > 0 && under_way_ < most_at_once; --due) {
      open(0);
      ++under_way_;
      attempt();
    }
  }

  void ended(Peer& /*peer*/) override {
    --under_way_;
    refuse();
  }

  std::string result() const override { return std::to_string(players_) + " players were made"; }
  std::string gained() const override {
    if (players_ <= most_players) return {};
    return std::to_string(players_) + " players were made from one address; at most " +
           std::to_string(most_players) + " may be.";
  }

 private:
  void told(Peer& peer, const v1::ServerMessage& message) override {
    if (message.has_welcome()) ++players_;
    peer.close();
    --under_way_;
  }

  Pace pace_{50'000};
  std::size_t under_way_ = 0;
  std::uint64_t players_ = 0;
};

}  // namespace

std::unique_ptr<Attack> make_hellos(const Field& field) {
  return std::make_unique<Hellos>(field);
}

}  // namespace tictactoe::siege
