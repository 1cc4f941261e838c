// Creates rooms that are held for absent players: one new player after the other creates a room
// that holds seats, puts an AI on the other one, makes one move, and drops the connection.
#include "tests/siege/attack.hpp"
#include "tests/support/requests.hpp"

namespace tictactoe::siege {
namespace {

class AbandonedRooms : public Attack {
 public:
  explicit AbandonedRooms(const Field& field) : Attack(field) {}

  void go_on(Clock::time_point now) override {
    constexpr std::size_t most_at_once = 64;
    for (int due = pace_.due(now); due > 0 && under_way_ < most_at_once; --due) {
      open(0);
      ++under_way_;
      attempt();
    }
  }

  void connected(Peer& peer) override {
    greet(peer);
    v1::ClientMessage create = test::create_request(unused_name());
    create.mutable_create_room()->mutable_options()->set_away(v1::AWAY_HOLD);
    peer.ask(create);
    peer.ask(test::add_ai_request(v1::MARK_O));
    last_ = peer.ask(test::move_request(0, 0));
  }

  void ended(Peer& /*peer*/) override {
    --under_way_;
    refuse();
  }

  std::string result() const override { return std::to_string(rooms_) + " rooms were abandoned"; }

 private:
  void told(Peer& peer, const v1::ServerMessage& message) override {
    if (!message.has_error() && message.request_id() < last_) return;
    if (message.request_id() == last_ && message.has_update()) ++rooms_;
    peer.close();
    --under_way_;
  }

  Pace pace_{4'000};
  std::size_t under_way_ = 0;
  std::uint64_t last_ = 0;  // the id of the last request of each
  std::uint64_t rooms_ = 0;
};

}  // namespace

std::unique_ptr<Attack> make_abandoned_rooms(const Field& field) {
  return std::make_unique<AbandonedRooms>(field);
}

}  // namespace tictactoe::siege
