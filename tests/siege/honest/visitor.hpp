// An honest player who comes, looks around, and goes, again and again.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/siege/honest/honest_player.hpp"

namespace tictactoe::siege {

/// Each visit is a new connection that creates a room, enters the vault with the right password,
/// and lists games and rooms. Every request must be granted. Every fourth visitor is a new player,
/// who says goodbye at the end; the others are one player who comes back.
class Visitor : public HonestPlayer {
 public:
  Visitor(Crowd& crowd, Harm& harm, std::string password)
      : HonestPlayer(crowd, harm), password_(std::move(password)) {}

  void go_on(Clock::time_point now) override;
  void finish() override { finishing_ = true; }
  bool is_finished() const override { return finishing_ && peer_ == nullptr; }
  std::uint64_t visits() const { return visits_; }

  void connected(Peer& peer) override;
  void received(Peer& peer, std::string_view body, Clock::time_point now) override;
  void ended(Peer& peer) override;

 private:
  /// Requests that are sent at once.
  using Step = std::vector<v1::ClientMessage>;

  std::string name() const override { return "A visitor"; }
  bool is_newcomer() const { return visits_ % 4 == 3; }
  void write_script();
  void take_step();
  void leave();

  std::string password_;
  std::string token_;
  bool finishing_ = false;
  Peer* peer_ = nullptr;
  std::uint64_t visits_ = 0;
  Clock::time_point next_at_;
  Clock::time_point came_at_;
  std::vector<Step> script_;  // the last step comes first
  std::set<std::uint64_t> unanswered_;
  v1::ServerMessage message_;  // reused
};

}  // namespace tictactoe::siege
