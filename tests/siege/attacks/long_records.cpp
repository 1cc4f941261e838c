// Asks for the longest record again and again. The latest game of the server must be that record.
#include "tests/siege/attack.hpp"

namespace tictactoe::siege {
namespace {

class LongRecords : public Attack {
 public:
  explicit LongRecords(const Field& field) : Attack(field) {}

  void go_on(Clock::time_point now) override {
    for (int due = newcomers_.due(now); due > 0 && peers_ < most_peers; --due) {
      open(0);
      ++peers_;
    }
  }

  void connected(Peer& peer) override {
    greet(peer);
    // As many questions as may wait for one connection.
    ask_for_record(peer);
    ask_for_record(peer);
  }

  void received(Peer& peer, std::string_view body, Clock::time_point now) override {
    constexpr std::size_t long_answer = std::size_t{1} << 20;
    if (body.size() < long_answer) return Attack::received(peer, body, now);
    ++records_;
    // Those who come again have forgotten their debt, if the server forgets it too.
    peer.close();
    --peers_;
  }

  void ended(Peer& /*peer*/) override {
    --peers_;
    refuse();
  }

  std::string result() const override {
    return std::to_string(records_) + " records of a million moves were sent";
  }

 private:
  static constexpr std::size_t most_peers = 100;

  void told(Peer& peer, const v1::ServerMessage& message) override {
    if (!message.has_error()) return;
    peer.close();
    --peers_;
  }

  void ask_for_record(Peer& peer) {
    v1::ClientMessage message;
    message.mutable_get_game()->set_id(1);
    peer.ask(message);
    attempt();
  }

  Pace newcomers_{1'000};
  std::size_t peers_ = 0;
  std::uint64_t records_ = 0;
};

}  // namespace

std::unique_ptr<Attack> make_long_records(const Field& field) {
  return std::make_unique<LongRecords>(field);
}

}  // namespace tictactoe::siege
