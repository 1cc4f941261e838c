// An honest player who comes, looks around, and goes, again and again.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tests/siege/honest/honest_player.hpp"

namespace tictactoe::siege {

/// Requests that are sent at once.
using Step = std::vector<v1::ClientMessage>;

/// What a visitor does, and how often.
struct Habit {
  std::string name;         ///< of the player who comes back
  std::uint32_t from;       ///< the first address
  std::uint32_t addresses;  ///< from which visits come in turn
  std::chrono::milliseconds between;
  /// Every so many visits are of a new player, who says goodbye at the end; 0: none.
  std::uint64_t newcomers;
  load::Histogram Timings::* times;
  /// What follows the hello, by the number of the visit.
  std::function<std::vector<Step>(std::uint64_t visit)> steps;
};

/// Connects, looks at the rooms and at one of them, and leaves, eight times a second.
Habit looks_in();
/// How many times its visit waits for the server: for the connection and four answers.
inline constexpr int waits_of_visit = 5;

/// Creates a room, enters the vault with the right password, and lists games and rooms, once a
/// second. Every fourth time it is a newcomer.
Habit makes_tours(const std::string& password);

/// Comes as somebody new, creates a room, and goes, twice a second. For a second server of a lobby.
Habit opens_rooms();

/// Each visit is a new connection. Every request must be granted, and a player who comes back must
/// be known.
class Visitor : public HonestPlayer {
 public:
  Visitor(Crowd& crowd, Harm& harm, Habit habit)
      : HonestPlayer(crowd, harm), habit_(std::move(habit)) {}

  void go_on(Clock::time_point now) override;
  void finish() override { finishing_ = true; }
  bool is_finished() const override { return finishing_ && peer_ == nullptr; }

  void connected(Peer& peer) override;
  void received(Peer& peer, std::string_view body, Clock::time_point now) override;
  void ended(Peer& peer) override;

 private:
  std::string name() const override { return "A visitor"; }
  bool is_newcomer() const {
    return habit_.newcomers > 0 && visits_ % habit_.newcomers == habit_.newcomers - 1;
  }
  void write_script();
  void take_step();
  void leave();

  Habit habit_;
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
