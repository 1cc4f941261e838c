// Honest players who stay: they read everything, and say little.
#pragma once

#include <chrono>
#include <string>

#include "tests/siege/honest/honest_player.hpp"

namespace tictactoe::siege {

/// Gives a sign of life now and then.
class Resident : public HonestPlayer {
 public:
  Resident(Crowd& crowd, Harm& harm, std::string name, std::uint32_t address);

  void go_on(Clock::time_point now) override;
  bool is_ready() const override { return is_here_; }
  void connected(Peer& peer) override;
  void received(Peer& peer, std::string_view body, Clock::time_point now) override;
  void ended(Peer& peer) override;

 protected:
  std::string name() const override { return name_; }
  /// Null if the connection is lost.
  Peer* peer() { return peer_; }
  virtual void told(const v1::ServerMessage& message);
  /// Says nothing for so long.
  void rest(std::chrono::seconds time) { next_ping_ = Clock::now() + time; }

 private:
  std::string name_;
  Peer* peer_;
  bool is_here_ = false;
  Clock::time_point next_ping_;
  v1::ServerMessage message_;  // reused
};

/// Has a room. That with a password nobody may guess.
class Keeper : public Resident {
 public:
  Keeper(Crowd& crowd, Harm& harm, std::string room, std::string password = {});
  void connected(Peer& peer) override;
  bool is_ready() const override { return has_room_; }

 private:
  void told(const v1::ServerMessage& message) override;

  std::string room_;
  std::string password_;
  bool has_room_ = false;
};

/// Watches a room of the attackers as soon as there is one, reads everything that is said there,
/// and once asks for the longest record.
class Reader : public Resident {
 public:
  Reader(Crowd& crowd, Harm& harm);
  void go_on(Clock::time_point now) override;

 private:
  void told(const v1::ServerMessage& message) override;

  bool has_entered_ = false;
  bool waits_ = false;  // for an answer
  Clock::time_point next_try_;
};

}  // namespace tictactoe::siege
