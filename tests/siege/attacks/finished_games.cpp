// Fills the disk with records: resigns one game against an AI after the other.
#include <array>

#include "tests/siege/attack.hpp"
#include "tests/support/requests.hpp"

namespace tictactoe::siege {
namespace {

// The defaults of core::Limits.
constexpr double games_at_once = 100;
constexpr double games_per_second = 0.25;

constexpr std::size_t players = 16;

class FinishedGames : public Attack {
 public:
  explicit FinishedGames(const Field& field) : Attack(field) {}

  void go_on(Clock::time_point now) override {
    if (began_ == Clock::time_point{}) began_ = now;
    now_ = now;
    for (std::size_t tag = 0; tag < players; ++tag) {
      if (is_here_[tag]) continue;
      is_here_[tag] = true;
      open(tag);
    }
  }

  void connected(Peer& peer) override {
    greet(peer);
    peer.ask(test::create_request(unused_name()));
    peer.ask(test::add_ai_request(v1::MARK_O));
    again(peer);
  }

  void ended(Peer& peer) override {
    is_here_[peer.tag()] = false;
    refuse();
  }

  std::string result() const override { return std::to_string(games_) + " games were recorded"; }
  std::string gained() const override {
    const double seconds = std::chrono::duration<double>(now_ - began_).count();
    const double fair = static_cast<double>(come_) * (games_at_once + games_per_second * seconds);
    if (static_cast<double>(games_) <= fair) return {};
    return std::to_string(games_) + " games were recorded, and " +
           std::to_string(static_cast<int>(fair)) + " may be.";
  }

 private:
  void again(Peer& peer) {
    peer.ask(test::resign_request());
    last_[peer.tag()] = peer.ask(test::rematch_request());
    attempt();
  }

  void told(Peer& peer, const v1::ServerMessage& message) override {
    if (message.has_welcome()) ++come_;
    if (message.update().has_game_ended()) ++games_;
    if (message.request_id() == last_[peer.tag()]) again(peer);
  }

  std::array<bool, players> is_here_{};
  std::array<std::uint64_t, players> last_{};  // the id of the last request of each
  Clock::time_point began_;
  Clock::time_point now_;
  std::uint64_t come_ = 0;  // players
  std::uint64_t games_ = 0;
};

}  // namespace

std::unique_ptr<Attack> make_finished_games(const Field& field) {
  return std::make_unique<FinishedGames>(field);
}

}  // namespace tictactoe::siege
