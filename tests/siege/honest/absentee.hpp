// An honest player who is away during the attack and comes back at its end.
#pragma once

#include <string>

#include "tests/siege/honest/honest_player.hpp"

namespace tictactoe::siege {

/// Plays against an AI, loses the connection, and must find everything as it was: the name, and the
/// seat unless it was given up before.
class Absentee : public HonestPlayer {
 public:
  Absentee(Crowd& crowd, Harm& harm, std::string name, bool keeps_seat);

  void go_on(Clock::time_point now) override;
  bool is_ready() const override { return is_away_; }
  void finish() override;
  bool is_finished() const override { return is_back_; }

  void connected(Peer& peer) override;
  void received(Peer& peer, std::string_view body, Clock::time_point now) override;
  void ended(Peer& peer) override;

 private:
  std::string name() const override { return name_; }
  std::string room() const { return "room of " + name_; }
  void take_welcome_back(const v1::Welcome& welcome);

  std::string name_;
  bool keeps_seat_;
  std::string token_;
  std::uint64_t last_ = 0;  // the id of the last request before the connection is lost
  bool is_away_ = false;
  bool is_back_ = false;
  Clock::time_point give_up_at_ = Clock::time_point::max();
  v1::ServerMessage message_;  // reused
};

}  // namespace tictactoe::siege
