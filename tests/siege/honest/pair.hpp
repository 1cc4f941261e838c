// Two honest players who play one random game after the other.
#pragma once

#include <array>
#include <deque>
#include <string>

#include "tests/bench/load/game_protocol.hpp"
#include "tests/bench/load/room.hpp"
#include "tests/siege/honest/honest_player.hpp"

namespace tictactoe::siege {

/// Moves and pings are sent at fixed times, whether or not earlier ones are answered, and their
/// latency begins when they should have been sent. Every byte that comes is checked.
class Pair : public HonestPlayer {
 public:
  Pair(Crowd& crowd, Harm& harm, std::uint64_t seed);

  void go_on(Clock::time_point now) override;
  bool is_ready() const override { return ready_; }
  /// How long nothing is due; at least 0.
  Clock::duration until_due(Clock::time_point now) const;

  void connected(Peer& peer) override;
  void received(Peer& peer, std::string_view body, Clock::time_point now) override;
  void ended(Peer& peer) override;

 private:
  struct Ping {
    std::string answer;
    Clock::time_point due;
    Timings* timings;
  };
  struct Side {
    Peer* peer = nullptr;
    bool welcome = false;
    bool entered = false;
    std::uint64_t last_request = 0;
    std::uint64_t revision = 0;
    std::deque<Ping> pings;  // without an answer
  };

  std::string name() const override { return "A player in a game"; }
  void come_in(std::size_t tag);
  void take_entry(std::size_t tag, std::string_view body);
  bool take_pong(Side& side, std::string_view body, Clock::time_point now);
  void act(Clock::time_point now);
  void ping(Clock::time_point now);
  void sent_at(Clock::time_point due, Clock::time_point now);

  load::GameProtocol protocol_;
  load::Room room_;
  std::array<Side, 2> sides_;
  bool ready_ = false;
  bool broken_ = false;  // one of them is gone
  Clock::time_point move_due_;
  Clock::time_point ping_due_;
  std::size_t pings_ = 0;
  Clock::time_point moved_at_;  // when the latest move was due
  load::Exchange exchange_;     // reused
};

}  // namespace tictactoe::siege
