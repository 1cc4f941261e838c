// An honest player who looks for servers of the local network.
#pragma once

#include <string>

#include "tests/siege/honest/honest_player.hpp"
#include "tests/siege/seeker.hpp"

namespace tictactoe::siege {

/// Asks once a second, as the client does, and must get an answer within the three seconds after
/// which the client says that there is no server.
class Newcomer : public HonestPlayer {
 public:
  Newcomer(Crowd& crowd, Harm& harm, const sockaddr_in& discovery);

  void go_on(Clock::time_point now) override;
  bool is_ready() const override { return was_answered_; }

 private:
  std::string name() const override { return "A newcomer"; }

  Seeker seeker_;
  bool was_answered_ = false;
  Clock::time_point next_at_;
  Clock::time_point answered_at_;
};

}  // namespace tictactoe::siege
